#include "ggsnn/tasks/record.hpp"

#include <algorithm>

namespace ggsnn {

int Record::find(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

Part part_named(const std::string& name, const Place& place) {
    for (Part part : {Part::train, Part::valid, Part::test})
        if (name == part_name(part)) return part;
    fail_at(place, "split: \"{}\" is not a part; expected train, valid or test", name);
}

const char* part_name(Part part) {
    static const char* const names[] = {"", "train", "valid", "test"};
    return names[static_cast<int>(part)];
}

void check_targets(const std::string& path, const RecordReader& reader, const std::vector<int>& targets) {
    if (!targets.empty() && reader.format() != std::string("molecules"))
        throw UsageError(fmt::format("--target is for molecules; {} holds {}", path, reader.format()));
}

} // namespace ggsnn
