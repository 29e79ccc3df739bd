// A program without MPI: alone everything works and does nothing; as one of several processes it says why
// not.
#include "ggsnn/base/error.hpp"
#include "ggsnn/base/ranks.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    using namespace ggsnn;
    ::unsetenv("OMPI_COMM_WORLD_SIZE");
    Ranks& alone = Ranks::start(&argc, &argv);
    float number = 2.5f;
    alone.sum(&number, 1);
    if (Ranks::built() || !alone.alone() || !alone.first() || number != 2.5f || alone.any(false)) return 1;
    ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    try {
        Ranks::start(&argc, &argv);
    } catch (const Error& error) {
        std::puts(error.what());
        return std::string(error.what()).find("built without MPI") == std::string::npos ? 1 : 0;
    }
    return 1;
}
