#include "judge.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "process.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ggsnn::attack {

namespace {

namespace files = std::filesystem;

constexpr int failed_status = 77; // what a sanitizer ends a program with
constexpr double run_seconds = 10, compile_seconds = 60;

std::string beside(const std::string& path, const std::string& ending) {
    const std::string other = path.substr(0, path.size() - 2) + ending;
    return files::exists(other) ? other : "";
}

// The line of the text that holds `mark`, from there on.
std::string line_with(const std::string& text, const std::string& mark) {
    const auto begin = text.find(mark);
    if (begin == std::string::npos) return "";
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

bool arithmetic_only(const std::string& complaint) {
    for (const char* mark : {"signed integer overflow", "shift exponent", "left shift of", "negation of",
                             "outside the range of representable"})
        if (complaint.find(mark) != std::string::npos) return true;
    return false;
}

Judgement judgement_of(const Outcome& outcome, std::uint64_t seed) {
    using Kind = Judgement::Kind;
    if (outcome.timed_out) return {Kind::stopped, "not over in time", seed};
    const std::string& text = outcome.errors;
    if (text.find("rss limit exhausted") != std::string::npos)
        return {Kind::stopped, "too much memory", seed};
    if (std::string line = line_with(text, "LeakSanitizer: detected"); !line.empty())
        return {Kind::leak, line, seed};
    if (std::string line = line_with(text, "Sanitizer: "); !line.empty()) return {Kind::memory, line, seed};
    if (std::string line = line_with(text, "runtime error: "); !line.empty())
        return {arithmetic_only(line) ? Kind::arithmetic : Kind::memory, line, seed};
    if (outcome.signal == 6) {
        const std::string line = line_with(text, "Assertion ");
        if (!line.empty()) return {Kind::assertion, line, seed};
        const std::string library = line_with(text, "*** "); // of the C library's own checks
        if (!library.empty()) return {Kind::memory, library, seed};
        return {Kind::clean, "abort()", seed};
    }
    if (outcome.signal != 0 && outcome.signal != 15)
        return {Kind::memory, fmt::format("signal {}", outcome.signal), seed};
    if (outcome.status == failed_status) return {Kind::memory, "exit code of a sanitizer", seed};
    return {Kind::clean, "", seed};
}

// How a program wants to be run, from its comments.
struct Wishes {
    std::vector<std::string> arguments;
    std::string input;
    bool has_input = false;
};

Wishes wishes_of(const std::string& path) {
    Wishes wishes;
    LineReader reader(path);
    std::string_view line;
    const auto after = [&](std::string_view mark) { return std::string(line.substr(mark.size())); };
    while (reader.next(line)) {
        if (line.starts_with("// arguments: ")) {
            std::istringstream words(after("// arguments: "));
            for (std::string word; words >> word;) wishes.arguments.push_back(word);
        } else if (line.starts_with("// input: ")) {
            wishes.input += after("// input: ") + "\n";
            wishes.has_input = true;
        }
    }
    return wishes;
}

std::vector<std::string> environment_of(std::uint64_t seed) {
    static constexpr int fill[] = {0xbe, 0x00, 0x01, 0xff};
    return {fmt::format("ATTACK_SEED={}", seed),
            fmt::format(
                "ASAN_OPTIONS=exitcode={}:detect_leaks=1:detect_stack_use_after_return=1:"
                "strict_string_checks=1:allocator_may_return_null=1:symbolize=0:hard_rss_limit_mb=1024:"
                "malloc_fill_byte={}:max_malloc_fill_size=65536:max_free_fill_size=4096:free_fill_byte=219",
                failed_status, fill[seed % 4]),
            fmt::format("UBSAN_OPTIONS=exitcode={}:print_stacktrace=0", failed_status)};
}

} // namespace

std::string Case::name() const {
    return files::path(path).stem().string();
}

Case case_at(const std::string& path) {
    GGSNN_ASSERT(path.ends_with(".c"));
    return {path, beside(path, ".harness.c"), beside(path, ".other.c")};
}

const char* name_of(Judgement::Kind kind) {
    switch (kind) {
    case Judgement::Kind::clean:
        return "clean";
    case Judgement::Kind::memory:
        return "memory";
    case Judgement::Kind::leak:
        return "leak";
    case Judgement::Kind::assertion:
        return "assertion";
    case Judgement::Kind::arithmetic:
        return "arithmetic";
    case Judgement::Kind::stopped:
        return "stopped";
    case Judgement::Kind::rejected:
        return "rejected";
    }
    return "";
}

Judge::Judge(std::string folder, const std::string& stub_path, bool allocation_may_fail)
    : folder_(std::move(folder)), stub_(folder_ + "/stub.o"), allocation_may_fail_(allocation_may_fail) {
    files::create_directories(folder_);
    const Outcome outcome =
        run({{"gcc", "-c", "-O0", "-g", allocation_may_fail ? "-DMALLOC_MAY_FAIL" : "-DMALLOC_SUCCEEDS",
              stub_path, "-o", stub_},
             {},
             {},
             "/dev/null",
             60});
    if (!outcome.good()) fail("{} does not compile: {}", stub_path, outcome.errors);
}

// What the compiler complains of; empty: it compiled.
std::string Judge::compile(const std::vector<std::string>& sources, const std::string& executable,
                           bool strict) const {
    Command command;
    command.seconds = compile_seconds;
    command.words = {"gcc",
                     "-std=gnu17",
                     "-g",
                     "-O0",
                     "-fsanitize=address,undefined",
                     "-fno-sanitize-recover=all",
                     "-ftrivial-auto-var-init=pattern",
                     "-Wl,--wrap=main"};
    if (allocation_may_fail_) command.words.emplace_back("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc");
    if (!strict)
        command.words.emplace_back("-w");
    else
        for (const char* flag : {"-Werror=return-type", "-Werror=implicit-function-declaration",
                                 "-Werror=implicit-int", "-Werror=int-conversion"})
            command.words.emplace_back(flag);
    command.words.insert(command.words.end(), sources.begin(), sources.end());
    for (const std::string& word :
         {stub_, std::string("-o"), executable, std::string("-lm"), std::string("-lpthread")})
        command.words.push_back(word);
    const Outcome outcome = run(command);
    if (outcome.good()) return "";
    const std::string error = line_with(outcome.errors, "error: ");
    return error.empty() ? "gcc: " + outcome.errors.substr(0, outcome.errors.find('\n')) : error;
}

Judgement Judge::judge(const Case& program, const std::string& tag, int runs, bool strict) const {
    const std::string executable = fmt::format("{}/{}.exe", folder_, tag);
    const std::string input = fmt::format("{}/{}.in", folder_, tag);
    std::vector<std::string> sources{program.harness.empty() ? program.path : program.harness};
    if (!program.other.empty()) sources.push_back(program.other);
    const std::string complaint = compile(sources, executable, strict);
    if (!complaint.empty()) return {Judgement::Kind::rejected, complaint, 0};
    const Wishes wishes = wishes_of(program.path);
    Command command;
    command.words = {executable};
    command.words.insert(command.words.end(), wishes.arguments.begin(), wishes.arguments.end());
    command.seconds = run_seconds;
    command.folder = folder_;
    if (wishes.has_input) write_file(input, wishes.input);
    if (wishes.has_input) command.input_path = input;
    Judgement worst;
    for (int r = 0; r < runs; ++r) {
        command.environment = environment_of(static_cast<std::uint64_t>(r));
        const Judgement one = judgement_of(run(command), static_cast<std::uint64_t>(r));
        if (one.kind != Judgement::Kind::clean && !worst.fails()) worst = one;
        if (worst.fails() || one.kind == Judgement::Kind::stopped) break;
    }
    files::remove(executable);
    files::remove(input);
    return worst;
}

Judgement Judge::judge_replay(const std::string& path, const std::string& include,
                              const std::string& tag) const {
    const std::string executable = fmt::format("{}/{}.replay.exe", folder_, tag);
    const std::string complaint = compile({"-I" + include, path}, executable, false);
    if (!complaint.empty()) return {Judgement::Kind::rejected, complaint, 0};
    Command command;
    command.words = {executable};
    command.seconds = run_seconds;
    command.folder = folder_;
    command.environment = environment_of(0);
    const Judgement judgement = judgement_of(run(command), 0);
    files::remove(executable);
    return judgement;
}

} // namespace ggsnn::attack
