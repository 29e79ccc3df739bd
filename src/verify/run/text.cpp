// Words for faults and places of runs.
#include "ggsnn/verify/run/interpret.hpp"

#include <fmt/format.h>

namespace ggsnn::verify {

std::string fault_name(Fault::Kind kind) {
    switch (kind) {
    case Fault::Kind::none:
        return "none";
    case Fault::Kind::null_dereference:
        return "null dereference";
    case Fault::Kind::use_after_free:
        return "use after free";
    case Fault::Kind::use_after_scope:
        return "use of a local after its scope";
    case Fault::Kind::out_of_bounds:
        return "out of bounds";
    case Fault::Kind::dangling_dereference:
        return "dangling dereference";
    case Fault::Kind::undetermined_dereference:
        return "dereference of a pointer without a value";
    case Fault::Kind::double_free:
        return "double free";
    case Fault::Kind::bad_free:
        return "free of what is not from malloc";
    case Fault::Kind::write_to_constant:
        return "write to constant memory";
    case Fault::Kind::leak:
        return "leak";
    case Fault::Kind::not_freed:
        return "memory that is not freed";
    case Fault::Kind::lost:
        return "lost block of the caller";
    case Fault::Kind::failed_assertion:
        return "failed assertion";
    case Fault::Kind::division:
        return "division by zero";
    case Fault::Kind::endless_text:
        return "text without end";
    case Fault::Kind::overlap:
        return "overlapping copy";
    case Fault::Kind::bad_handle:
        return "bad file handle";
    case Fault::Kind::unreachable:
        return "unreachable code reached";
    case Fault::Kind::limit:
        return "limit";
    case Fault::Kind::refused:
        return "not followed";
    case Fault::Kind::external:
        return "unknown function";
    }
    return "";
}

bool is_no_answer(Fault::Kind kind) {
    return kind == Fault::Kind::limit || kind == Fault::Kind::refused || kind == Fault::Kind::external;
}

std::string property_of(Fault::Kind kind) {
    switch (kind) {
    case Fault::Kind::double_free:
    case Fault::Kind::bad_free:
        return "valid-free";
    case Fault::Kind::leak:
        return "valid-memtrack";
    case Fault::Kind::not_freed:
        return "valid-memcleanup";
    case Fault::Kind::null_dereference:
    case Fault::Kind::use_after_free:
    case Fault::Kind::use_after_scope:
    case Fault::Kind::out_of_bounds:
    case Fault::Kind::dangling_dereference:
    case Fault::Kind::undetermined_dereference:
    case Fault::Kind::write_to_constant:
    case Fault::Kind::endless_text:
        return "valid-deref";
    default:
        return "";
    }
}

bool is_error(Fault::Kind kind) {
    return kind != Fault::Kind::none && kind != Fault::Kind::lost && !is_no_answer(kind);
}

std::string location_text(const Function& function, const Snapshot& snapshot) {
    if (snapshot.where == Snapshot::Where::entry) return "entry";
    if (snapshot.where == Snapshot::Where::give) return "return";
    return fmt::format("loop:{}", function.loops[static_cast<std::size_t>(snapshot.loop)].position.line);
}

} // namespace ggsnn::verify
