// Words for faults and places of runs.
#include "verify/interpret.hpp"

namespace ggsnn::verify {

std::string fault_name(Fault::Kind kind) {
    switch (kind) {
    case Fault::Kind::none:
        return "none";
    case Fault::Kind::null_dereference:
        return "null dereference";
    case Fault::Kind::use_after_free:
        return "use after free";
    case Fault::Kind::dangling_dereference:
        return "dangling dereference";
    case Fault::Kind::undetermined_dereference:
        return "dereference of a pointer without a value";
    case Fault::Kind::double_free:
        return "double free";
    case Fault::Kind::bad_free:
        return "free of what is not from malloc";
    case Fault::Kind::leak:
        return "leak";
    case Fault::Kind::limit:
        return "limit";
    case Fault::Kind::refused:
        return "refused";
    }
    return "";
}

std::string location_text(const Function& function, const Snapshot& snapshot) {
    if (snapshot.where == Snapshot::Where::entry) return "entry";
    if (snapshot.where == Snapshot::Where::give) return "return";
    return fmt::format("loop:{}", function.loops[static_cast<std::size_t>(snapshot.loop)].position.line);
}

} // namespace ggsnn::verify
