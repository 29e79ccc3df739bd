#include "ggsnn/tasks/record.hpp"

#include <algorithm>

namespace ggsnn {

int Record::find(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

void check_targets(const std::string& path, const RecordReader& reader, const std::vector<int>& targets) {
    if (!targets.empty() && reader.format() != std::string("molecules"))
        throw UsageError(fmt::format("--target is for molecules; {} holds {}", path, reader.format()));
}

} // namespace ggsnn
