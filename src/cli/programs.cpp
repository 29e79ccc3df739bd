#include "ggsnn/cli/programs.hpp"

#include "ggsnn/base/error.hpp"

#include <filesystem>

namespace ggsnn {

std::string programs_folder() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path installed = (program.parent_path() / GGSNN_PROGRAMS_INSTALLED).lexically_normal();
    for (const fs::path& folder : {installed, fs::path(GGSNN_PROGRAMS)})
        if (fs::is_directory(folder, ignored)) return folder.string();
    fail("the example programs are neither in {} nor in {}; name a folder of C files with --data",
         installed.string(), GGSNN_PROGRAMS);
}

} // namespace ggsnn
