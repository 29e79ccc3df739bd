// Verifies a C file: clang compiles it, runs and proofs judge its functions. Exit code 0: all proved, 1:
// something is unsafe or the file is wrong, 3: something is unknown.
#include <ggsnn/verify/read/read.hpp>
#include <ggsnn/verify/verify.hpp>

#include <cstdio>

using namespace ggsnn::verify;

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FILE.c\n", argv[0]);
        return 2;
    }
    const Program program = read_program(argv[1]);
    const Inference inference; // the networks that come with the library
    const ProgramReport report = verify_program(program, inference);
    for (const FunctionReport& f : report.functions)
        std::printf("%s: %s%s%s\n", f.name.c_str(), name_of(f.verdict), f.reason.empty() ? "" : ": ",
                    f.reason.c_str());
    return report.all_proved() ? 0 : report.some_unsafe() ? 1 : 3;
} catch (const ggsnn::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
