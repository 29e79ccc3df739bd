// check_proof PROBLEM.smt2 PROOF.json ...: says `accepted` or `rejected: why` for each pair of files. Exit
// code 0 if all are accepted, 1 if not, 2 for wrong usage.
#include "ggsnn/checker/check.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

std::string content(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw ggsnn::checker::Rejected(std::string(path) + " cannot be read");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc % 2 == 0) {
        std::fprintf(stderr, "usage: check_proof PROBLEM.smt2 PROOF.json ...\n");
        return 2;
    }
    int code = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        try {
            ggsnn::checker::check(content(argv[i]), content(argv[i + 1]));
            std::printf("accepted\n");
        } catch (const ggsnn::checker::Rejected& why) {
            std::printf("rejected: %s\n", why.what());
            code = 1;
        }
        std::fflush(stdout);
    }
    return code;
}
