// The attack that stays: random C programs (generate.hpp) or a folder of hand-written ones go through `ggsnn
// verify` and through gcc with sanitizers, and what does not fit together is kept, shrunk and reported.
//   attack --ggsnn build/release/ggsnn --count 1000         random programs
//   attack --ggsnn build/release/ggsnn --corpus FOLDER      FOLDER/buggy/*.c and FOLDER/correct/*.c
//   attack --confirm FOLDER                                 only the sanitizers: is the corpus what it says?
// Exit code 0: no trouble; 1: trouble; 2: wrong usage.
#include "examine.hpp"
#include "generate.hpp"
#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "options.hpp"
#include "shrink.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

namespace ggsnn::attack {

namespace {

namespace files = std::filesystem;

// A folder that is gone in the end.
class Workplace {
  public:
    Workplace() {
        std::string name = (files::temp_directory_path() / "attack.XXXXXX").string();
        if (!mkdtemp(name.data())) fail("cannot make a folder {}", name);
        path_ = name;
    }
    ~Workplace() {
        std::error_code ignored;
        files::remove_all(path_, ignored);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

Case write_case(const std::string& folder, const std::string& text, const std::string& harness,
                const std::string& other) {
    files::create_directories(folder);
    const std::string path = folder + "/program.c";
    write_file(path, text);
    if (!harness.empty()) write_file(folder + "/program.harness.c", harness);
    if (!other.empty()) write_file(folder + "/program.other.c", other);
    return case_at(path);
}

struct Totals {
    std::map<std::string, long> verdicts, troubles, proved_by_style;
    long programs = 0, rejected = 0;
    double verify_seconds = 0, slowest = 0;
    long kilobytes = 0;
    // Where the sanitizers were asked as well: (verdict, judgement).
    std::map<std::pair<std::string, std::string>, long> pairs;
};

// What several workers do together. `what` names the program in reports.
class Attack {
  public:
    Attack(const Options& options, const Examiner& examiner, const Workplace& workplace)
        : options_(options), examiner_(examiner), workplace_(workplace) {}

    void one(const Case& program, const std::string& tag, const std::string& what, const std::string& style,
             Truth truth) {
        const Finding finding = examiner_.examine(program, tag, truth);
        {
            const std::lock_guard lock(mutex_);
            count(finding, style);
            if (options_.verbose || counts(finding.trouble) || finding.trouble == Trouble::overflow)
                tell(what, finding);
        }
        if (counts(finding.trouble)) keep(program, tag, what, finding);
    }

    int report() const;

  private:
    void count(const Finding& finding, const std::string& style) {
        ++totals_.programs;
        ++totals_.verdicts[name_of(finding.verdict.kind)];
        if (finding.verdict.kind == Verdict::Kind::proved) ++totals_.proved_by_style[style];
        if (finding.trouble != Trouble::none) ++totals_.troubles[name_of(finding.trouble)];
        if (finding.judgement.kind == Judgement::Kind::rejected) ++totals_.rejected;
        ++totals_.pairs[{name_of(finding.verdict.kind), name_of(finding.judgement.kind)}];
        totals_.verify_seconds += finding.verdict.seconds;
        totals_.slowest = std::max(totals_.slowest, finding.verdict.seconds);
        totals_.kilobytes = std::max(totals_.kilobytes, finding.verdict.kilobytes);
    }

    static void tell(const std::string& what, const Finding& finding) {
        const std::string trouble =
            finding.trouble == Trouble::none ? "" : fmt::format("  TROUBLE: {}", name_of(finding.trouble));
        fmt::print("{}: {} ({:.1f} s), sanitizers: {}{}{}\n", what, name_of(finding.verdict.kind),
                   finding.verdict.seconds, name_of(finding.judgement.kind),
                   finding.judgement.message.empty() ? "" : " (" + finding.judgement.message + ")", trouble);
        if (finding.judgement.kind == Judgement::Kind::rejected || finding.trouble == Trouble::none ||
            finding.verdict.message.empty()) {
            std::fflush(stdout);
            return;
        }
        fmt::print("    verify says: {}\n", finding.verdict.message);
        if (finding.verdict.kind == Verdict::Kind::unsafe)
            fmt::print("    replay: {} {}\n", name_of(finding.replay.kind), finding.replay.message);
        std::fflush(stdout);
    }

    void keep(const Case& program, const std::string& tag, const std::string& what, const Finding& finding);
    std::string smaller(const Case& program, const std::string& tag, const Finding& finding);

    const Options& options_;
    const Examiner& examiner_;
    const Workplace& workplace_;
    std::mutex mutex_;
    Totals totals_;
};

// The program, shrunk as far as the same trouble stays. A program known to be buggy or correct may have
// become the other on the way: then only the sanitizers count.
std::string Attack::smaller(const Case& program, const std::string& tag, const Finding& finding) {
    const std::string folder = workplace_.path() + "/" + tag + ".small";
    const std::string harness = program.harness.empty() ? "" : read_file(program.harness);
    const std::string other = program.other.empty() ? "" : read_file(program.other);
    // A harness includes the program by its name.
    const std::string name = program.name() + ".c";
    // Without its contract a function is another one.
    const auto contracts = [](const std::string& text) {
        long count = 0;
        for (std::size_t at = 0; (at = text.find("//@", at)) != std::string::npos; ++at) ++count;
        return count;
    };
    const std::string whole = read_file(program.path);
    const auto stays = [&](const std::string& text) {
        if (contracts(text) != contracts(whole)) return false;
        std::string renamed = harness;
        if (const auto at = renamed.find(name); at != std::string::npos)
            renamed.replace(at, name.size(), "program.c");
        const Case small = write_case(folder, text, renamed, other);
        const Finding again = examiner_.examine(small, tag + ".small", Truth::unknown, true);
        return again.trouble == finding.trouble && again.judgement.kind == finding.judgement.kind;
    };
    if (options_.shrink_seconds <= 0 || !stays(whole)) return "";
    return shrink(whole, stays, options_.shrink_seconds);
}

void Attack::keep(const Case& program, const std::string& tag, const std::string& what,
                  const Finding& finding) {
    std::string name = fmt::format("{}-{}", name_of(finding.trouble), what);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '-';
    const std::string folder = options_.keep + "/" + name;
    files::create_directories(folder);
    for (const std::string& path : {program.path, program.harness, program.other})
        if (!path.empty())
            files::copy_file(path, folder + "/" + files::path(path).filename().string(),
                             files::copy_options::overwrite_existing);
    write_file(folder + "/about.txt",
               fmt::format("{}\nverify: {} {}\nsanitizers: {} {} (seed {})\nreplay: {} {}\n", what,
                           name_of(finding.verdict.kind), finding.verdict.message,
                           name_of(finding.judgement.kind), finding.judgement.message, finding.judgement.seed,
                           name_of(finding.replay.kind), finding.replay.message));
    const std::string small = smaller(program, tag, finding);
    if (!small.empty()) write_file(folder + "/small.c", small);
}

int Attack::report() const {
    const auto number = [](const std::map<std::string, long>& from, const char* key) {
        const auto found = from.find(key);
        return found == from.end() ? 0L : found->second;
    };
    fmt::print("{} programs: {} proved, {} unsafe, {} unknown", totals_.programs,
               number(totals_.verdicts, "proved"), number(totals_.verdicts, "unsafe"),
               number(totals_.verdicts, "unknown"));
    fmt::print("; verify took {:.2f} s on average, {:.1f} s and {} MB at most\n",
               totals_.verify_seconds / static_cast<double>(std::max(1L, totals_.programs)), totals_.slowest,
               totals_.kilobytes / 1024);
    for (const auto& [pair, count] : totals_.pairs)
        if (pair.first != "unknown" || options_.how.all)
            fmt::print("  {:8} and {:10} {:6}\n", pair.first, pair.second, count);
    for (const auto& [style, count] : totals_.proved_by_style)
        fmt::print("  proved {:10} {:6}\n", style, count);
    long trouble = totals_.rejected;
    for (const Trouble kind : {Trouble::wrong_proof, Trouble::false_alarm, Trouble::crash, Trouble::late,
                               Trouble::usage, Trouble::no_replay, Trouble::overflow}) {
        const long count = number(totals_.troubles, name_of(kind));
        if (counts(kind)) trouble += count;
        fmt::print("{}: {}\n", name_of(kind), count);
    }
    if (totals_.rejected) fmt::print("programs that gcc rejects: {}\n", totals_.rejected);
    if (trouble) fmt::print("see {}\n", options_.keep);
    if (number(totals_.verdicts, "proved") < options_.floor) {
        fmt::print("fewer than {} proved\n", options_.floor);
        return 1;
    }
    return trouble == 0 ? 0 : 1;
}

// The corpus: (path, truth), by name.
std::vector<std::pair<std::string, Truth>> corpus_of(const std::string& folder, const std::string& only) {
    std::map<std::string, Truth> found;
    for (const auto& [part, truth] : {std::pair{"buggy", Truth::buggy}, {"correct", Truth::correct}}) {
        if (!files::is_directory(folder + "/" + part)) fail("{}/{}: no such folder", folder, part);
        for (const auto& entry : files::directory_iterator(folder + "/" + part)) {
            const std::string path = entry.path().string();
            if (!path.ends_with(".c") || path.ends_with(".harness.c") || path.ends_with(".other.c")) continue;
            if (path.find(only) != std::string::npos) found.emplace(path, truth);
        }
    }
    return {found.begin(), found.end()};
}

// Is every program what its folder and its first line say?
std::string complaint_about(const std::string& path, Truth truth, const Judge& judge, const std::string& tag,
                            int runs) {
    const std::string text = read_file(path);
    const std::string first = text.substr(0, text.find('\n'));
    const std::string wanted =
        truth == Truth::buggy ? "// expect: unsafe-or-unknown" : "// expect: proved-or-unknown";
    if (first != wanted) return fmt::format("the first line is not '{}'", wanted);
    const Judgement judgement = judge.judge(case_at(path), tag, runs);
    if (truth == Truth::correct && judgement.kind != Judgement::Kind::clean)
        return fmt::format("not clean: {}: {}", name_of(judgement.kind), judgement.message);
    if (truth == Truth::buggy && !judgement.fails())
        return fmt::format("does not fail: {}: {}", name_of(judgement.kind), judgement.message);
    return "";
}

// Calls body(index) for 0 .. count-1 in `jobs` threads, until it says false.
template <class Body>
void in_parallel(int jobs, std::size_t count, Body&& body) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
        try {
            for (std::size_t i; !stop && (i = next++) < count;)
                if (!body(i)) stop = true;
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            stop = true;
        }
    };
    std::vector<std::thread> threads;
    for (int j = 1; j < jobs; ++j) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

int confirm(const Options& options, const Judge& judge) {
    const auto corpus = corpus_of(options.confirm, options.only);
    std::mutex mutex;
    long bad = 0;
    in_parallel(options.jobs, corpus.size(), [&](std::size_t i) {
        const auto& [path, truth] = corpus[i];
        const std::string complaint =
            complaint_about(path, truth, judge, fmt::format("c{}", i), options.how.runs);
        const std::lock_guard lock(mutex);
        if (!complaint.empty()) {
            ++bad;
            fmt::print("{}: {}\n", path, complaint);
        }
        return true;
    });
    fmt::print("{} programs, {} not as they should be\n", corpus.size(), bad);
    return bad == 0 && !corpus.empty() ? 0 : 1;
}

int run_attack(const Options& options) {
    const Workplace workplace;
    const Judge judge(workplace.path(), ATTACK_STUB, options.allocation_may_fail);
    if (!options.confirm.empty()) return confirm(options, judge);
    if (!files::exists(options.how.ggsnn)) fail("{}: no such program", options.how.ggsnn);
    const Examiner examiner(options.how, judge, workplace.path());
    Attack attack(options, examiner, workplace);
    if (!options.corpus.empty()) {
        const auto corpus = corpus_of(options.corpus, options.only);
        in_parallel(options.jobs, corpus.size(), [&](std::size_t i) {
            const auto& [path, truth] = corpus[i];
            const std::string part = truth == Truth::buggy ? "buggy" : "correct";
            const Case program = case_at(path);
            attack.one(program, fmt::format("c{}", i), part + "/" + program.name(), part,
                       options.allocation_may_fail && truth == Truth::correct ? Truth::unknown : truth);
            return true;
        });
        return attack.report();
    }
    const auto start = std::chrono::steady_clock::now();
    in_parallel(options.jobs, static_cast<std::size_t>(options.count), [&](std::size_t i) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (options.seconds > 0 && elapsed.count() > options.seconds) return false;
        const std::uint64_t seed = options.seed + i;
        const Generated generated = generate(seed, options.style);
        const std::string tag = fmt::format("p{}", seed), folder = workplace.path() + "/" + tag;
        const Case program = write_case(folder, generated.text, generated.harness, generated.other);
        const std::string plan = generated.plan.empty() ? "" : " (" + generated.plan + ")";
        attack.one(program, tag, fmt::format("{} {}{}", generated.style, seed, plan), generated.style,
                   Truth::unknown);
        files::remove_all(folder);
        return true;
    });
    return attack.report();
}

} // namespace

} // namespace ggsnn::attack

int main(int count, char** words) {
    try {
        const ggsnn::attack::Options options = ggsnn::attack::parse({words + 1, words + count});
        if (options.help) {
            fmt::print("{}", ggsnn::attack::usage);
            return 0;
        }
        return ggsnn::attack::run_attack(options);
    } catch (const ggsnn::UsageError& error) {
        fmt::print(stderr, "attack: {}\n{}", error.what(), ggsnn::attack::usage);
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "attack: {}\n", error.what());
        return 1;
    }
}
