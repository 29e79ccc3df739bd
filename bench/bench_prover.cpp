// The prover over SL-COMP files, by division (the folder a file is in).
//
//   bench_prover folder-or-file ...           processor time, reading included: the fastest of three runs
//   bench_prover --table [--seconds n] folder-or-file ...
//                                             each problem in a process of its own with n seconds of
//                                             processor time (10): what is solved, wrong, unknown, or ends in
//                                             a crash, and the files that are not solved with the reason
//   bench_prover --proofs [--seconds n] [--keep folder] folder-or-file ...
//                                             likewise: how many of the answers `unsat` have a proof that the
//                                             checker accepts; --keep writes the proofs there
// Exit code 1: an answer is wrong, or a proof is not accepted.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/smtlib.hpp"

#ifdef GGSNN_HAS_CHECKER
#include "ggsnn/checker/check.hpp"
#endif

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <map>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ggsnn;
using namespace ggsnn::logic;

namespace {

constexpr int repeats = 3;
int seconds_allowed = 10; // of processor time, a problem

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

int time_all(const std::vector<std::string>& paths) {
    int wrong = 0, unknown = 0;
    double total = 0, slowest = 0;
    std::string slowest_file;
    for (const std::string& file : paths) {
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
        total += best;
        unknown += verdict == Validity::unknown;
        wrong += verdict != Validity::unknown && status != smt_word(verdict);
        if (best > slowest) {
            slowest = best;
            slowest_file = file;
        }
    }
    fmt::print("{} problems: {} wrong, {} unknown, {:.1f} ms of processor time, slowest {:.2f} ms ({})\n",
               paths.size(), wrong, unknown, total * 1e3, slowest * 1e3, slowest_file);
    return wrong > 0 ? 1 : 0;
}

// What the process of one problem says through its pipe: "solved", "wrong" or "unknown", and a reason.
std::string answer_text(const std::string& file) {
    ProverLimits limits;
    limits.seconds = seconds_allowed;
    const SmtProblem problem = read_smtlib(read_file(file), limits);
    const Answer answer = solve(problem, limits);
    if (answer.verdict == Validity::unknown) return "unknown: " + answer.reason;
    return smt_word(answer.verdict) == problem.status ? "solved" : "wrong";
}

std::string proof_folder; // empty: proofs are not kept

#ifdef GGSNN_HAS_CHECKER

// Whether an answer `unsat` comes with a proof that the checker accepts; other answers count as solved.
std::string proof_text(const std::string& file) {
    ProverLimits limits;
    limits.seconds = seconds_allowed;
    const std::string text = read_file(file);
    const SmtProblem problem = read_smtlib(text, limits);
    const Answer answer = solve_with_proof(problem, limits);
    if (answer.verdict != Validity::valid) return "no proof is asked for";
    if (answer.proof.empty()) return "unknown: no proof was written";
    if (!proof_folder.empty()) {
        const std::string name = std::filesystem::path(file).filename().string() + ".json";
        write_file(std::filesystem::path(proof_folder) / name, answer.proof);
    }
    try {
        checker::check(text, answer.proof);
    } catch (const checker::Rejected& why) {
        return std::string("wrong: ") + why.what();
    }
    return "solved";
}
#else
std::string proof_text(const std::string&) {
    fail("built without Z3: there is no checker");
}
#endif

using Text = std::string (*)(const std::string& file);

std::string run_alone(const std::string& file, Text text_of) {
    int ends[2];
    if (pipe(ends) != 0) fail("no pipe can be made");
    const pid_t child = fork();
    if (child == 0) {
        const auto seconds = static_cast<rlim_t>(text_of == proof_text ? 100 : seconds_allowed + 2);
        const rlimit time{seconds, seconds};
        setrlimit(RLIMIT_CPU, &time);
        std::string text;
        try {
            text = text_of(file);
        } catch (const std::exception& error) {
            text = std::string("unknown: ") + error.what();
        }
        const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char part[512];
    for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(n));
    close(ends[0]);
    int state = 0;
    waitpid(child, &state, 0);
    if (WIFSIGNALED(state)) return fmt::format("crash: signal {}", WTERMSIG(state));
    return text;
}

struct Row {
    int problems = 0, solved = 0, wrong = 0, unknown = 0, crashed = 0;
    double seconds = 0;
};

double seconds_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto in_seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

int tabulate(const std::vector<std::string>& paths, Text text_of) {
    std::map<std::string, Row> rows;
    for (const std::string& file : paths) {
        Row& row = rows[std::filesystem::path(file).parent_path().filename()];
        const double before = seconds_of_children();
        const std::string text = run_alone(file, text_of);
        const double seconds = seconds_of_children() - before;
        row.seconds += seconds;
        if (text == "no proof is asked for") continue;
        ++row.problems;
        row.solved += text == "solved";
        row.wrong += text.starts_with("wrong");
        row.unknown += text.starts_with("unknown");
        row.crashed += text.starts_with("crash");
        if (text != "solved") fmt::print("{} {:.2f} s: {}\n", file, seconds, text);
        std::fflush(stdout);
    }
    fmt::print("| division | problems | solved | wrong | unknown | crashed | seconds |\n");
    fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
    int wrong = 0;
    for (const auto& [division, row] : rows) {
        fmt::print("| {} | {} | {} | {} | {} | {} | {:.2f} |\n", division, row.problems, row.solved,
                   row.wrong, row.unknown, row.crashed, row.seconds);
        wrong += row.wrong;
    }
    return wrong > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::string mode = argc > 1 ? argv[1] : "";
        const bool table = mode == "--table" || mode == "--proofs";
        std::vector<std::string> paths;
        int first = table ? 2 : 1;
        for (; table && first + 1 < argc; first += 2) {
            const std::string option = argv[first];
            if (option == "--seconds")
                seconds_allowed = std::max(1, std::atoi(argv[first + 1]));
            else if (option == "--keep")
                proof_folder = argv[first + 1];
            else
                break;
        }
        for (int a = first; a < argc; ++a)
            for (const std::string& file : files(argv[a])) paths.push_back(file);
        return table ? tabulate(paths, mode == "--table" ? answer_text : proof_text) : time_all(paths);
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
