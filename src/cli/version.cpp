// What the program is made of.
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/nn/kernels/kernels.hpp"

namespace ggsnn {

std::string version_text() {
    return fmt::format("ggsnn {}\n"
                       "  compiler      {} {}, {}\n"
                       "  instructions  {}\n"
                       "  MPI           {}\n"
                       "  LLVM          {}\n"
                       "  Z3            {}\n"
                       "  libraries     {}",
                       GGSNN_VERSION,
#ifdef __clang__
                       "clang", __clang_version__,
#else
                       "gcc", __VERSION__,
#endif
                       GGSNN_BUILD_TYPE, instruction_set(), GGSNN_MPI_VERSION, GGSNN_LLVM_VERSION,
                       GGSNN_Z3_VERSION, GGSNN_LIBRARIES);
}

} // namespace ggsnn
