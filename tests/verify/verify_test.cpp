// Whole programs: every example is held to what its first line expects, with invariants from the built-in
// networks.
#include "ggsnn/verify/verify.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/verify/inline.hpp"
#include "ggsnn/verify/liveness.hpp"
#include "ggsnn/verify/read/read.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace ggsnn::verify {
namespace {

using logic::Formula;
using logic::Reading;

const Inference& inference() {
    static const Inference one;
    return one;
}

std::vector<std::string> programs() {
    std::vector<std::string> files;
    for (const char* folder : {"/examples/programs", "/examples/programs/broken"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(GGSNN_SOURCE) + folder))
            if (entry.path().extension() == ".c") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

bool valid(const Formula& a, const std::string& b) {
    return logic::prove(a, logic::parse_formula(b, Reading::program)).verdict == logic::Validity::valid;
}

class EveryProgram : public testing::TestWithParam<std::string> {};

TEST_P(EveryProgram, IsAsExpected) {
    if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    const std::string text = read_file(GetParam());
    const std::string key = "// expect: ";
    ASSERT_TRUE(text.starts_with(key)) << "a program says what is expected in its first line";
    const std::string expected = text.substr(key.size(), text.find('\n') - key.size());
    const ProgramReport report = verify_program(read_program(GetParam()), inference());
    ASSERT_FALSE(report.functions.empty());
    if (expected == "proved") {
        for (const FunctionReport& f : report.functions) {
            EXPECT_EQ(f.verdict, Verdict::proved) << f.name << ": " << f.reason;
            for (const LoopReport& loop : f.loops) EXPECT_TRUE(loop.proved);
        }
        return;
    }
    EXPECT_FALSE(report.all_proved());
    const std::string reason = expected.substr(expected.find(": ") + 2);
    const auto told = [&](const FunctionReport& f) {
        return f.verdict == Verdict::unsafe && f.bad_run && f.bad_start && f.bad_input &&
               (f.reason.find(reason) != std::string::npos ||
                (reason == "ensures" && f.reason.find("postcondition") != std::string::npos));
    };
    EXPECT_TRUE(std::any_of(report.functions.begin(), report.functions.end(), told))
        << report.functions[0].reason << " for " << expected;
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryProgram, testing::ValuesIn(programs()), [](const auto& one_program) {
    const std::filesystem::path path(one_program.param);
    return (path.parent_path().filename() == "broken" ? "broken_" : "") + path.stem().string();
});

FunctionReport one(const std::string& text, const std::string& name) {
    VerifyOptions options;
    options.functions = {name};
    ProgramReport report = verify_program(read_program_text(text, "t.c"), inference(), options);
    EXPECT_EQ(report.functions.size(), 1u);
    return report.functions.at(0);
}

constexpr const char* list = "#include <stdlib.h>\ntypedef struct n { int v; struct n *next; } n;\n";

class Verify : public testing::Test {
  protected:
    void SetUp() override {
        if (!reading_available()) GTEST_SKIP() << "built without LLVM";
    }
};

TEST_F(Verify, AssumesFromTypesAndInfersTheRest) {
    const auto f = one(std::string(list) + "n *rev(n *l) { n *r = NULL; while (l) { n *t = l->next; l->next "
                                           "= r; r = l; l = t; } return r; }",
                       "rev");
    EXPECT_EQ(f.verdict, Verdict::proved) << f.reason;
    EXPECT_TRUE(f.requires_assumed);
    EXPECT_TRUE(f.ensures_inferred);
    EXPECT_TRUE(valid(*f.ensures, "ls(\\result, NULL)"));
}

TEST_F(Verify, CallersRelyOnlyOnWhatIsProved) {
    const std::string text = std::string(list) +
                             "n *odd(n *l, int k) { while (k-- > 0) __asm__ volatile(\"nop\"); return l; }\n"
                             "//@ requires ls(l, NULL)\n//@ ensures ls(\\result, NULL)\nn *caller(n *l, int "
                             "k) { return odd(l, k); }";
    const auto odd = one(text, "odd");
    EXPECT_EQ(odd.verdict, Verdict::unknown);
    EXPECT_NE(odd.reason.find("t.c:3:"), std::string::npos) << odd.reason;
    EXPECT_NE(odd.reason.find("assembler"), std::string::npos) << odd.reason;
    const auto caller = one(text, "caller");
    EXPECT_EQ(caller.verdict, Verdict::unknown);
    EXPECT_NE(caller.reason.find("odd"), std::string::npos) << caller.reason;
}

TEST_F(Verify, AWrongPostconditionIsShownByARun) {
    const auto f = one(std::string(list) +
                           "//@ requires ls(l, NULL)\n//@ ensures emp\nvoid keep(n *l) { if (l) l->v = 1; }",
                       "keep");
    EXPECT_EQ(f.verdict, Verdict::unsafe);
    EXPECT_NE(f.reason.find("postcondition"), std::string::npos);
}

TEST_F(Verify, AWrongInvariantIsNotBelieved) {
    const auto f = one(std::string(list) +
                           "//@ requires ls(l, NULL)\n//@ ensures ls(l, NULL)\nvoid walk(n *l) { n *p = l;\n"
                           "//@ invariant p != NULL * ls(l, p) * ls(p, NULL)\nwhile (p) p = p->next; }",
                       "walk");
    EXPECT_EQ(f.verdict, Verdict::proved) << f.reason; // by an inferred one
    EXPECT_FALSE(valid(*f.loops[0].invariant, "p != NULL * ls(l, p) * ls(p, NULL)"));
}

TEST_F(Verify, NothingIsProvedFromAPreconditionThatNoHeapSatisfies) {
    const auto f =
        one(std::string(list) + "//@ requires l = NULL * l != NULL\nint bad(n *l) { return l->v; }", "bad");
    EXPECT_EQ(f.verdict, Verdict::unknown);
}

TEST_F(Verify, RingsAreAssumedWhereListsFault) {
    const auto f = one(std::string(list) + "int count(n *h) { if (!h) return 0; int k = 1; for (n *p = "
                                           "h->next; p != h; p = p->next) k++; return k; }",
                       "count");
    EXPECT_EQ(f.verdict, Verdict::proved) << f.reason;
    EXPECT_TRUE(valid(logic::parse_formula("ls+(h, h)", Reading::program),
                      logic::print(f.requires_, Reading::program)));
}

TEST_F(Verify, EndlessAndHungryProgramsEnd) {
    const auto endless =
        one(std::string(list) + "int spin(void) { int i = 0; while (1) i++; return i; }", "spin");
    EXPECT_NE(endless.verdict, Verdict::unsafe);
    const auto hungry = one(std::string(list) + "n *grow(void) { n *h = NULL; while (1) { n *x = "
                                                "malloc(sizeof *x); x->next = h; h = x; } return h; }",
                            "grow");
    EXPECT_NE(hungry.verdict, Verdict::unsafe);
    const auto deep = one(std::string(list) + "int down(n *l, int k) { return down(l, k + 1) + 1; }", "down");
    EXPECT_NE(deep.verdict, Verdict::unsafe);
}

// Each dereferences NULL when it runs as C says.
TEST_F(Verify, IntegersAreAsInC) {
    const std::string null = "{ n *p = NULL; return p->v; }";
    for (const std::string& body : std::vector<std::string>{
             "enum e { A, B }; int main(void) { enum e x = -1; if (x > 0) " + null + " return 0; }",
             "int main(void) { int f = 0; f |= 0x80000000u; if (f < 0) " + null + " return 0; }",
             "struct b { unsigned k : 2; }; int main(void) { struct b s = {5}; if (s.k == 1) " + null +
                 " return 0; }",
             "int main(void) { volatile int k = 0; if (k != k) " + null + " return 0; }",
             "int g; int main(void) { if (g++ == 1) " + null + " if (g < 3) return main(); return 0; }"}) {
        const ProgramReport report = verify_program(read_program_text(list + body, "t.c"), inference());
        EXPECT_FALSE(report.all_proved()) << body;
    }
    const ProgramReport shadowed = verify_program(
        read_program_text(std::string(list) +
                              "n *g; int f(n *g) { return g ? g->v : 0; } int main(void) { return f(NULL); }",
                          "t.c"),
        inference());
    EXPECT_TRUE(shadowed.all_proved());
}

// A callee frees what it is given, on a way that does not come back to where the variable's scope ends.
TEST_F(Verify, MemoryOfALocalVariableIsNotGivenToACalleeThatFrees) {
    const std::string freeing = std::string(list) +
                                "void clear(n *x) { while (x) { n *t = x->next; free(x); x = t; } }\n"
                                "void maybe(n *x, int k) { if (k == 77777) { free(x); exit(1); } }\n";
    for (const char* body :
         {"void f(int k) { n s; s.next = NULL; if (k == 77777) { clear(&s); exit(1); } }",
          "void f(int k) { n s; s.next = NULL; if (k == 77777) { clear(&s); for (;;) {} } }",
          "void f(int k) { n s; s.next = NULL; maybe(&s, k); }"}) {
        const auto f = one(freeing + body, "f");
        EXPECT_NE(f.verdict, Verdict::proved) << body;
        EXPECT_NE(f.reason.find("not from malloc"), std::string::npos) << f.reason;
    }
    // A callee that frees something else is not told from these by its contract alone; entering it does.
    const std::string other =
        freeing + "typedef struct { n *head; } l; void drop(l *q) { clear(q->head); q->head = NULL; }\n"
                  "void f(void) { l q; q.head = NULL; drop(&q); }\n";
    EXPECT_EQ(one(other, "f").verdict, Verdict::proved);
    const ProgramReport whole =
        verify_program(read_program_text(other + "int main(void) { f(); return 0; }", "t.c"), inference());
    EXPECT_TRUE(whole.all_proved()) << whole.functions[0].reason;
}

// Types that lead to each other: nothing is known of where their pointers lead, and nothing is called unsafe.
TEST_F(Verify, WhatTypesDoNotTellIsNotCalledUnsafe) {
    const std::string text = "struct b; struct a { struct b *nb; int x; }; struct b { struct a *na; };\n"
                             "int f(struct a *p) { int n = 0; while (p) { n++; if (!p->nb) break; p = "
                             "p->nb->na; } return n; }";
    const auto f = one(text, "f");
    EXPECT_EQ(f.verdict, Verdict::unknown);
    EXPECT_NE(f.reason.find("requires"), std::string::npos) << f.reason;
}

TEST_F(Verify, DeadVariablesAreFound) {
    const Program program = read_program_text(
        std::string(list) +
            "int f(n *a, n *b) { n *t = b; int k = 0; while (a) { t = a->next; a = t; k++; } return k; }",
        "t.c");
    const Function& f = program.functions[0];
    const auto live = live_at_heads(f);
    ASSERT_EQ(live.size(), 1u);
    const auto is_live = [&](const std::string& name) {
        for (std::size_t v = 0; v < f.variables.size(); ++v)
            if (f.variables[v].name == name) return live[0][v] != 0;
        return false;
    };
    EXPECT_TRUE(is_live("a"));
    EXPECT_TRUE(is_live("k"));
    EXPECT_FALSE(is_live("t"));
    EXPECT_FALSE(is_live("b"));
    EXPECT_EQ(assigned_parameters(f), (std::vector<char>{1, 0}));
}

TEST_F(Verify, InlinedProgramsRunTheSame) {
    const Program program =
        read_program_text(std::string(list) + "static n *cons(n *l, int v) { n *x = malloc(sizeof *x); if (v "
                                              "> 3) v = 3; x->v = v; x->next = l; return x; }\n"
                                              "n *g; n *three(n *l) { g = cons(NULL, 9); for (int i = 0; i < "
                                              "3; i++) l = cons(l, i); return l; }",
                          "t.c");
    const Program inlined = with_calls_inlined(program, 1);
    for (const Block& block : inlined.functions[1].blocks)
        for (const Instruction& i : block.instructions) EXPECT_NE(i.kind, Instruction::Kind::call);
    const Runs a = collect_runs(program, 1), b = collect_runs(inlined, 1);
    ASSERT_EQ(a.runs.size(), b.runs.size());
    ASSERT_FALSE(a.runs.empty());
    for (std::size_t r = 0; r < a.runs.size(); ++r) {
        EXPECT_EQ(a.runs[r].fault.kind, b.runs[r].fault.kind);
        ASSERT_EQ(a.runs[r].snapshots.size(), b.runs[r].snapshots.size());
        for (std::size_t s = 0; s < a.runs[r].snapshots.size(); ++s)
            EXPECT_EQ(logic::heap_text(a.runs[r].snapshots[s].heap),
                      logic::heap_text(b.runs[r].snapshots[s].heap));
    }
}

logic::Heap chain(std::initializer_list<std::pair<const char*, int>> variables, int cells) {
    logic::Heap heap;
    for (int i = 0; i < cells; ++i) heap.add_node(true);
    for (int i = 1; i <= cells; ++i) heap.link(i, "next", i == cells ? 0 : i + 1);
    for (const auto& [name, node] : variables) heap.set_variable(name, node);
    return heap;
}

TEST(Infer, EveryCandidateHoldsInEverySnapshot) {
    const std::vector<logic::Heap> heaps{
        chain({{"prev", 0}, {"cur", 1}}, 3), chain({{"prev", 1}, {"cur", 2}}, 3),
        chain({{"prev", 2}, {"cur", 3}}, 3), chain({{"prev", 0}, {"cur", 0}}, 0)};
    std::vector<logic::Heap> named = heaps;
    for (logic::Heap& heap : named) heap.set_variable("x", heap.cell_count() > 0 ? 1 : 0);
    const auto inferred = inference().infer(named, {"prev", "cur", "x"});
    ASSERT_FALSE(inferred.candidates.empty());
    for (const Formula& candidate : inferred.candidates)
        for (const logic::Heap& heap : named) EXPECT_EQ(logic::satisfies(heap, candidate), logic::Truth::yes);
    const auto has_cell = [](const Formula& f) {
        return f.heaps.size() >= 2 &&
               std::any_of(f.heaps.begin(), f.heaps.end(), [](const logic::SymbolicHeap& h) {
                   return std::any_of(h.atoms.begin(), h.atoms.end(),
                                      [](const logic::Atom& a) { return a.kind == logic::Atom::Kind::cell; });
               });
    };
    EXPECT_TRUE(std::any_of(inferred.candidates.begin(), inferred.candidates.end(), has_cell))
        << logic::print(inferred.candidates[0], Reading::program);
}

// A walk from the root of a tree: the networks of ls and tree have no word for what is above the cursor.
TEST(Infer, TheWideNetworksSayHoles) {
    std::vector<logic::Heap> heaps;
    for (const int cursor : {2, 3, 4}) {
        logic::Heap heap;
        for (int i = 0; i < 7; ++i) heap.add_node(true);
        for (int i = 1; i <= 7; ++i) {
            heap.link(i, "left", 2 * i <= 7 ? 2 * i : 0);
            heap.link(i, "right", 2 * i < 7 ? 2 * i + 1 : 0);
        }
        heap.set_variable("root", 1);
        heap.set_variable("t", cursor);
        heaps.push_back(std::move(heap));
    }
    const auto inferred = inference().infer(heaps, {"root", "t"});
    ASSERT_FALSE(inferred.candidates.empty());
    ASSERT_EQ(inferred.sources.size(), inferred.candidates.size());
    EXPECT_EQ(logic::print(logic::canonical(inferred.candidates[0]), Reading::program),
              "NULL != root * NULL != t * root != t * tree(t) * treeseg(root, t)");
    EXPECT_EQ(inferred.sources[0], FoundBy::wide_network);
    for (const Formula& candidate : inferred.candidates)
        for (const logic::Heap& heap : heaps) EXPECT_EQ(logic::satisfies(heap, candidate), logic::Truth::yes);
}

TEST(Infer, WhatFoundACandidateIsTold) {
    const std::vector<logic::Heap> lists{chain({{"x", 1}}, 3), chain({{"x", 1}}, 4)};
    EXPECT_EQ(inference().infer(lists, {"x"}).sources[0], FoundBy::network);
    // One cell everywhere: points-to is the work of a procedure.
    EXPECT_EQ(inference().infer({chain({{"x", 1}}, 1)}, {"x"}).sources[0], FoundBy::procedures);
}

TEST(Infer, NamesThatSomeSnapshotLacksAreLeftOut) {
    std::vector<logic::Heap> heaps{chain({{"x", 1}}, 2), chain({{"x", 1}, {"late", 2}}, 2)};
    for (const Formula& candidate : inference().infer(heaps, {"x", "late"}).candidates)
        EXPECT_FALSE(logic::free_names(candidate).contains("late"));
}

} // namespace
} // namespace ggsnn::verify
