// Processor time of the prover over SL-COMP files, reading included: bench_prover folder-or-file ...
// Each problem is done several times, and the fastest counts; wrong and unknown answers are counted too.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>

using namespace ggsnn;
using namespace ggsnn::logic;

namespace {

constexpr int repeats = 3;

std::vector<std::string> files(const std::filesystem::path& path) {
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
        if (entry.path().extension() == ".smt2") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

double seconds_since(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv) {
    try {
        int count = 0, wrong = 0, unknown = 0;
        double total = 0, slowest = 0;
        std::string slowest_file;
        for (int a = 1; a < argc; ++a)
            for (const std::string& file : files(argv[a])) {
                double best = 1e9;
                Validity verdict = Validity::unknown;
                std::string status;
                for (int r = 0; r < repeats; ++r) {
                    const std::clock_t start = std::clock();
                    const SmtProblem problem = read_smtlib(read_file(file));
                    verdict = solve(problem).verdict;
                    best = std::min(best, seconds_since(start));
                    status = problem.status;
                }
                ++count;
                total += best;
                unknown += verdict == Validity::unknown;
                wrong += verdict != Validity::unknown && status != smt_word(verdict);
                if (best > slowest) {
                    slowest = best;
                    slowest_file = file;
                }
            }
        fmt::print("{} problems: {} wrong, {} unknown, {:.1f} ms of processor time, slowest {:.2f} ms ({})\n",
                   count, wrong, unknown, total * 1e3, slowest * 1e3, slowest_file);
        return wrong > 0 ? 1 : 0;
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
