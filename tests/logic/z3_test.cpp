// A second opinion on `valid` and `invalid` from z3, a separate process that knows nothing of separation
// logic: the problem is put as one of integers, each list of the left side having no, one or two cells, which
// is enough for a counter-example of acyclic lists if there is any (Berdine, Calcagno, O'Hearn 2004). Skipped
// where z3 is absent.
#include "brute.hpp"
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace ggsnn::logic {
namespace {

bool z3_is_there() {
    return std::system("z3 --version > /dev/null 2>&1") == 0;
}

// One (check-sat) for left and not right, one clause each, over calls of one acyclic plain list and cells
// with one link.
class Encoder {
  public:
    explicit Encoder(const Problem& problem) : problem_(problem) {}

    static bool fits(const Problem& problem) {
        const auto plain = [](const Definition& d) {
            return d.segment && d.segment->out_guarded && d.parameters == 2 && d.segment->last < 0 &&
                   d.rules[static_cast<std::size_t>(d.segment->step_rule)].cells.size() == 1;
        };
        return problem.left.size() == 1 && problem.right.size() <= 1 && problem.fields.size() <= 1 &&
               std::all_of(problem.definitions.begin(), problem.definitions.end(), plain);
    }

    std::string run() {
        for (std::size_t t = 1; t < problem_.names.size(); ++t)
            out_ << fmt::format("(declare-const v{0} Int)(assert (>= v{0} 0))\n", t);
        left(problem_.left[0]);
        const std::string goal = problem_.right.empty() ? "false" : right(problem_.right[0]);
        out_ << "(assert (not " << goal << "))\n";
        out_ << "(check-sat)\n(reset)\n";
        return out_.str();
    }

  private:
    static std::string term(TermId t) { return t == 0 ? "0" : fmt::format("v{}", t); }
    std::pair<std::string, std::string> ends(const Call& call) const {
        const Segment& s = *problem_.definitions[static_cast<std::size_t>(call.definition)].segment;
        return {term(call.arguments[static_cast<std::size_t>(s.root - 1)]),
                term(call.arguments[static_cast<std::size_t>(s.out - 1)])};
    }

    struct Slot { // a cell that may be there
        std::string present, address, next;
    };

    void left(const Clause& clause) {
        for (const auto& [a, b] : clause.equal) out_ << "(assert (= " << term(a) << " " << term(b) << "))\n";
        for (const auto& [a, b] : clause.distinct)
            out_ << "(assert (distinct " << term(a) << " " << term(b) << "))\n";
        for (const CellAtom& cell : clause.cells)
            slots_.push_back({"true", term(cell.root), term(cell.links.at(0).value)});
        for (std::size_t c = 0; c < clause.calls.size(); ++c) {
            const auto [x, y] = ends(clause.calls[c]);
            out_ << fmt::format("(declare-const one{0} Bool)(declare-const two{0} Bool)(declare-const m{0} "
                                "Int)(assert (>= m{0} 0))\n",
                                c);
            out_ << fmt::format("(assert (=> two{0} one{0}))(assert (= one{0} (distinct {1} {2})))(assert "
                                "(=> two{0} (distinct m{0} {2})))\n",
                                c, x, y);
            slots_.push_back({fmt::format("one{}", c), x, fmt::format("(ite two{0} m{0} {1})", c, y)});
            slots_.push_back({fmt::format("two{}", c), fmt::format("m{}", c), y});
        }
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            out_ << fmt::format("(assert (=> {} (distinct {} 0)))\n", slots_[i].present, slots_[i].address);
            for (std::size_t k = 0; k < i; ++k)
                out_ << fmt::format("(assert (=> (and {} {}) (distinct {} {})))\n", slots_[i].present,
                                    slots_[k].present, slots_[i].address, slots_[k].address);
        }
    }

    // The step function of the heap as an SMT function of the address; -1 where there is no cell.
    void define_next() {
        std::string body = "(- 1)";
        for (const Slot& slot : slots_)
            body = fmt::format("(ite (and {} (= a {})) {} {})", slot.present, slot.address, slot.next, body);
        out_ << "(define-fun nxt ((a Int)) Int " << body << ")\n";
    }

    // Path of an ls atom: node j, and whether it is a cell of the segment.
    std::string path(std::size_t atom, const std::string& x, const std::string& y) {
        const std::size_t n = slots_.size();
        for (std::size_t j = 0; j <= n; ++j) {
            const std::string at = j == 0 ? x : fmt::format("(ite in{0}_{1} n{0}_{1} p{0}_{1})", atom, j - 1);
            // Constants with equations, not macros: z3 would expand those into formulas of exponential size.
            out_ << fmt::format(
                "(declare-const p{0}_{1} Int)(assert (= p{0}_{1} {2}))(declare-const n{0}_{1} Int)"
                "(assert (= n{0}_{1} (nxt p{0}_{1})))(declare-const in{0}_{1} Bool)"
                "(assert (= in{0}_{1} (and (distinct p{0}_{1} {3}) (distinct n{0}_{1} (- 1)))))\n",
                atom, j, at, y);
        }
        return fmt::format("(= p{}_{} {})", atom, n, y);
    }

    std::string right(const Clause& clause) {
        define_next();
        std::string all = "true";
        for (const auto& [a, b] : clause.equal) all += fmt::format(" (= {} {})", term(a), term(b));
        for (const auto& [a, b] : clause.distinct) all += fmt::format(" (distinct {} {})", term(a), term(b));
        std::vector<std::string> covered(slots_.size(), "0");
        for (const CellAtom& cell : clause.cells) {
            all += fmt::format(" (= (nxt {}) {})", term(cell.root), term(cell.links.at(0).value));
            for (std::size_t i = 0; i < slots_.size(); ++i)
                covered[i] += fmt::format(" (ite (= {} {}) 1 0)", term(cell.root), slots_[i].address);
        }
        for (std::size_t c = 0; c < clause.calls.size(); ++c) {
            const auto [x, y] = ends(clause.calls[c]);
            all += fmt::format(" {}", path(c, x, y));
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                std::string here = "false";
                for (std::size_t j = 0; j < slots_.size(); ++j)
                    here += fmt::format(" (and in{0}_{1} (= p{0}_{1} {2}))", c, j, slots_[i].address);
                covered[i] += fmt::format(" (ite (or {}) 1 0)", here);
            }
        }
        for (std::size_t i = 0; i < slots_.size(); ++i)
            all += fmt::format(" (=> {} (= 1 (+ {} 0)))", slots_[i].present, covered[i]);
        return fmt::format("(and {})", all);
    }

    const Problem& problem_;
    std::ostringstream out_;
    std::vector<Slot> slots_;
};

// Answers of z3 for all queries, in order.
std::vector<std::string> ask_z3(const std::string& queries) {
    const ggsnn::testing::Folder folder;
    const std::string path = folder / "crosscheck.smt2";
    folder.put("crosscheck.smt2", queries);
    std::vector<std::string> answers;
    FILE* pipe = popen(("z3 -t:1000 " + path + " 2>&1").c_str(), "r");
    GGSNN_ASSERT(pipe != nullptr);
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
        answers.emplace_back(line.data());
        answers.back().erase(answers.back().find_last_not_of("\r\n") + 1);
    }
    pclose(pipe);
    return answers;
}

void compare(const std::vector<std::pair<std::string, Problem>>& problems, std::size_t most_timeouts) {
    std::string queries;
    for (const auto& [name, problem] : problems) queries += Encoder(problem).run();
    const std::vector<std::string> answers = ask_z3(queries);
    ASSERT_EQ(answers.size(), problems.size()) << (answers.empty() ? "" : answers.back());
    std::size_t timeouts = 0, sat = 0, unsat = 0;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        ASSERT_TRUE(answers[i] == "sat" || answers[i] == "unsat" || answers[i] == "unknown" ||
                    answers[i] == "timeout")
            << answers[i];
        if (answers[i] != "sat" && answers[i] != "unsat") {
            ++timeouts;
            continue;
        }
        ++(answers[i] == "sat" ? sat : unsat);
        EXPECT_EQ(smt_word(prove(problems[i].second).verdict), answers[i]) << problems[i].first;
    }
    std::printf("z3 agrees: %zu sat, %zu unsat; %zu without an answer\n", sat, unsat, timeouts);
    EXPECT_LE(timeouts, most_timeouts);
}

TEST(CrossCheck, RandomEntailmentsWithZ3) {
    if (!z3_is_there()) GTEST_SKIP() << "z3 is not installed";
    brute::FormulaStyle style;
    style.names = {"x", "y", "z", "w"};
    Random random(31);
    std::vector<std::pair<std::string, Problem>> problems;
    while (problems.size() < 200) {
        Entailment e{brute::random_formula(style, random), brute::random_formula(style, random)};
        if (problems.size() % 2 == 0) {
            e.right.heaps[0].atoms = e.left.heaps[0].atoms;
            e.right.heaps[0].pure.clear();
            if (!e.right.heaps[0].atoms.empty() && random.chance(0.5)) e.right.heaps[0].atoms.pop_back();
        }
        Problem problem = logic::compile(e.left, e.right);
        if (Encoder::fits(problem)) problems.emplace_back(print(e, Reading::program), std::move(problem));
    }
    compare(problems, 5);
}

TEST(CrossCheck, SlCompProblemsWithZ3) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_DATA) / "slcomp" / "qf_shls_entl";
    if (!z3_is_there()) GTEST_SKIP() << "z3 is not installed";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
    std::vector<std::pair<std::string, Problem>> problems;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with("smallfoot") && !name.starts_with("ls-vc")) continue;
        problems.emplace_back(name, read_smtlib(read_file(entry.path())).problem);
        ASSERT_TRUE(Encoder::fits(problems.back().second)) << name;
    }
    compare(problems, problems.size() / 4);
}

} // namespace
} // namespace ggsnn::logic
