#include "ggsnn/nn/train/checkpoint.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"

#include <algorithm>
#include <cstdio>

namespace ggsnn {

Model load_to_answer(const std::string& path) {
    const std::string bytes = read_file(path);
    if (!is_checkpoint(bytes)) return decode_model(bytes, path);
    Model model = checkpoint_model(bytes, path);
    long updates = 0;
    for (const Json& run : model.training["runs"]) updates = std::max(updates, run["updates"].get<long>());
    fmt::print(stderr, "{}: a checkpoint; its best networks so far answer, of {} updates at the most\n", path,
               updates);
    return model;
}

} // namespace ggsnn
