// Inputs from preconditions, preconditions from types, and the example programs run on them.
#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/run/runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace ggsnn::verify {
namespace {

using logic::Formula;

#define GGSNN_NEEDS_READER()                                                                                 \
    if (!reading_available()) GTEST_SKIP() << "built without LLVM"

Program program_of(const std::string& text) {
    return read_program_text(text, "test.c");
}

Formula formula(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}
std::string text_of(const Formula& f) {
    return logic::print(f, logic::Reading::program);
}

constexpr const char* types = "struct row { struct row *next; };\n"
                              "struct node { int val; struct node *next; };\n"
                              "struct tree { struct tree *left, *right; int key; };\n"
                              "struct dl { struct dl *prev, *next; };\n"
                              "struct outer { struct row *rows; struct outer *next; };\n"
                              "struct leaf { int a, b; };\n"
                              "struct queue { struct node *head; int size; };\n"
                              "typedef struct node node; typedef struct tree tree; typedef struct dl dl;\n"
                              "typedef struct outer outer; typedef struct leaf leaf;\n";

Program one(const std::string& parameters, const std::string& before = "") {
    return program_of(types + before + "void f(" + parameters + ") {}\n");
}

TEST(Inputs, SatisfyTheirPrecondition) {
    GGSNN_NEEDS_READER();
    struct Case {
        const char *parameters, *precondition;
        std::size_t least, most; // cells of the smallest and largest input
    };
    for (const Case& c : std::vector<Case>{
             {"node *x", "ls(x, NULL)", 0, 10},
             {"node *x", "ls+(x, NULL)", 1, 10},
             {"node *x", "x != NULL * ls(x, NULL)", 1, 10},
             {"node *x", "ls+(x, x)", 1, 10},
             {"node *x, node *y", "ls(x, y) * ls(y, NULL)", 0, 20},
             {"node *x, node *y", "ls(x, y)", 0, 10},
             {"node *x, node *y", "ls(x, y) * ls+(y, y)", 1, 20},
             {"node *x, node *y", "x = y * ls(x, NULL)", 0, 10},
             {"tree *t", "tree(t)", 0, 10},
             {"tree *t", "tree+(t)", 1, 10},
             {"dl *x, dl *y", "dll(x, y, NULL, NULL)", 0, 10},
             {"dl *x, dl *y", "exists b, e . dll+(x, y, b, e)", 1, 10},
             {"outer *x", "ls(x, NULL, \\t -> ls(t, NULL))", 0, 40},
             {"outer *x", "ls(x, NULL, \\t -> ls+(t, t))", 0, 40},
             {"leaf *x", "x |-> {} \\/ x = NULL", 0, 1},
             {"node *x, node *y", "exists n . x |-> {next: n} * n |-> {next: y}", 2, 2},
             {"node **x", "exists h . x |-> {deref: h} * ls(h, NULL)", 1, 11},
             {"node *x, node *y", "none(x) * y != NULL", 0, 0},
             {"node *x, node *y, node *z", "ls(x, NULL) * ls(y, NULL) * ls(z, NULL)", 0, 30},
         }) {
        const Program p = one(c.parameters);
        const Formula pre = formula(c.precondition);
        const std::vector<Input> inputs = make_inputs(p, 0, pre);
        ASSERT_FALSE(inputs.empty()) << c.precondition;
        EXPECT_LE(inputs.size(), 36U) << c.precondition;
        std::size_t least = 1000, most = 0;
        for (const Input& input : inputs) {
            const logic::Heap heap = input_heap(p, 0, input);
            EXPECT_EQ(logic::satisfies(heap, pre), logic::Truth::yes)
                << c.precondition << ": " << heap_text(heap);
            least = std::min(least, heap.cell_count());
            most = std::max(most, heap.cell_count());
            EXPECT_EQ(input.parameters.size(), static_cast<std::size_t>(p.functions[0].parameters));
        }
        EXPECT_EQ(least, c.least) << c.precondition;
        if (std::string(c.precondition).find("\\t") == std::string::npos) {
            EXPECT_EQ(most, c.most) << c.precondition;
        }
    }
}

TEST(Inputs, NothingSatisfiesAContradiction) {
    GGSNN_NEEDS_READER();
    EXPECT_TRUE(make_inputs(one("node *x"), 0, formula("x = NULL * x != NULL")).empty());
    EXPECT_TRUE(make_inputs(one("node *x"), 0, formula("ls+(x, NULL) * ls+(x, NULL)")).empty());
    EXPECT_TRUE(
        make_inputs(one("node *x"), 0, formula("tree+(x)")).empty()); // a record without left and right
}

TEST(Inputs, DataComeSortedAndRandomAndNumbersVary) {
    GGSNN_NEEDS_READER();
    const Program p = one("node *x, int k");
    bool sorted = false, unsorted = false;
    std::set<std::int64_t> numbers;
    for (const Input& input : make_inputs(p, 0, formula("ls(x, NULL)"))) {
        std::vector<std::int64_t> values;
        for (Value at = input.parameters[0]; !at.is_null();) {
            const auto entry = [&](std::int64_t offset) {
                for (const auto& e : input.blocks[static_cast<std::size_t>(at.block)].contents)
                    if (e.offset == offset) return e.value;
                return Value{};
            };
            values.push_back(entry(0).number);
            at = entry(8);
        }
        if (values.size() == 10) (std::is_sorted(values.begin(), values.end()) ? sorted : unsorted) = true;
        numbers.insert(input.parameters[1].number);
    }
    EXPECT_TRUE(sorted && unsorted);
    EXPECT_GT(numbers.size(), 3U);
    std::set<std::int64_t> sizes;
    for (const Input& input : make_inputs(one("int n"), 0, formula("emp")))
        sizes.insert(input.parameters[0].number);
    for (const int n : {0, 1, 2, 3, 5, 10}) EXPECT_TRUE(sizes.contains(n)) << n;
}

TEST(Inputs, TheSameSeedTheSameInputs) {
    GGSNN_NEEDS_READER();
    const Program p = one("tree *t");
    const auto shapes = [&](std::uint64_t seed) {
        InputOptions options;
        options.seed = seed;
        std::string all;
        for (const Input& input : make_inputs(p, 0, formula("tree(t)"), options))
            all += heap_text(input_heap(p, 0, input)) + "\n";
        return all;
    };
    EXPECT_EQ(shapes(3), shapes(3));
    EXPECT_NE(shapes(3), shapes(4));
}

TEST(Inputs, PreconditionsFromTypes) {
    GGSNN_NEEDS_READER();
    const auto assumed = [](const std::string& parameters, const std::string& before = "") {
        return text_of(default_precondition(one(parameters, before), 0));
    };
    EXPECT_EQ(assumed("int n"), "emp");
    EXPECT_EQ(assumed("node *x, int n, node *y"), "ls(x, NULL) * ls(y, NULL)");
    EXPECT_EQ(assumed("dl *x"), "exists l . dll(x, l, NULL, NULL)");
    EXPECT_EQ(assumed("tree *t"), "tree(t)");
    EXPECT_EQ(assumed("outer *o"), "ls(o, NULL, \\t -> ls(t, NULL))");
    EXPECT_EQ(assumed("leaf *x"), "x = NULL \\/ x |-> {}");
    EXPECT_EQ(assumed("node **h"), "exists h1 . h |-> {deref: h1} * ls(h1, NULL)");
    EXPECT_EQ(assumed("struct queue *q"), "q = NULL \\/ exists h . q |-> {val: h} * ls(h, NULL)");
    EXPECT_EQ(assumed("int *out"), "out |-> {}");
    EXPECT_EQ(assumed("int n", "node *all; int count;\n"), "ls(all, NULL)");
    // Records that lead to each other end.
    EXPECT_EQ(assumed("struct a *x", "struct b; struct a { struct b *b; }; struct b { struct a *a; };\n"),
              "x = NULL \\/ exists h, h1 . x |-> {val: h} * h |-> {val: h1}");
    for (const char* parameters :
         {"node *x", "dl *x", "tree *t", "outer *o", "leaf *x", "node **h", "struct queue *q"}) {
        const Program p = one(parameters);
        EXPECT_FALSE(make_inputs(p, 0, default_precondition(p, 0)).empty()) << parameters;
    }
}

TEST(Inputs, StructsPassedByValueAreThere) {
    GGSNN_NEEDS_READER();
    const char* before =
        "struct big { int a[8]; node *list; }; struct chain { int a[8]; struct chain *next; };\n";
    for (const auto& [parameter, text] : std::vector<std::pair<const char*, const char*>>{
             {"struct big b", "exists h . b |-> {val: h} * ls(h, NULL)"},
             {"struct chain b", "ls+(b, NULL)"}}) {
        const Program p =
            program_of(types + std::string(before) + "int f(" + parameter + ") { return b.a[3]; }\n");
        const Formula pre = default_precondition(p, 0);
        EXPECT_EQ(text_of(pre), text);
        EXPECT_TRUE(stronger_preconditions(p, 0).empty());
        const Runs runs = collect_runs(p, 0);
        EXPECT_FALSE(runs.runs.empty());
        for (const auto& run : runs.runs) EXPECT_TRUE(run.safe()) << run.fault.reason;
    }
}

TEST(Inputs, StrongerPreconditions) {
    GGSNN_NEEDS_READER();
    std::vector<std::string> all;
    for (const Formula& f : stronger_preconditions(one("node *x, leaf *y"), 0)) all.push_back(text_of(f));
    EXPECT_THAT(all,
                ::testing::ElementsAre(
                    "y = NULL * x != NULL * ls(x, NULL) \\/ x != NULL * ls(x, NULL) * y |-> {}",
                    "y != NULL * ls(x, NULL) * y |-> {}", "x != NULL * y != NULL * ls(x, NULL) * y |-> {}"));
}

TEST(Runs, AssumeWhatAFunctionNeeds) {
    GGSNN_NEEDS_READER();
    const Program p =
        program_of(std::string(types) + "int first(node *x) { return x->val; }\n"
                                        "int second(node *x) { return x ? x->next->val : 0; }\n");
    const Runs first = collect_runs(p, 0);
    EXPECT_EQ(text_of(first.precondition), "x != NULL * ls(x, NULL)");
    EXPECT_TRUE(first.assumed);
    EXPECT_EQ(first.first_fault(), -1);
    RunOptions as_given;
    as_given.strengthen = false;
    const Runs second = collect_runs(p, 1, as_given);
    EXPECT_EQ(text_of(second.precondition), "ls(x, NULL)");
    ASSERT_GE(second.first_fault(), 0);
    EXPECT_EQ(fault_text(p, second.runs[static_cast<std::size_t>(second.first_fault())].fault),
              "test.c:11:43: in second: null dereference: 'x->next' is NULL");
}

// What the first line of an example says, and what its runs show: the worst of all its functions.
void check_example(const std::string& path) {
    const std::string text = read_file(path);
    const std::string line = text.substr(0, text.find('\n'));
    const Program p = read_program(path);
    std::string found = "proved";
    const int main = p.function_called("main"); // then others are what main calls
    for (std::size_t f = 0; f < p.functions.size(); ++f) {
        if (main >= 0 && static_cast<int>(f) != main) continue;
        const Runs runs = collect_runs(p, static_cast<int>(f));
        EXPECT_FALSE(runs.runs.empty()) << path;
        EXPECT_FALSE(runs.some_limit()) << path;
        if (const int bad = runs.first_fault(); bad >= 0)
            found = "unsafe: " + fault_name(runs.runs[static_cast<std::size_t>(bad)].fault.kind);
        else if (const int wrong = first_violation(p, runs); wrong >= 0)
            found = runs.runs[static_cast<std::size_t>(wrong)].fault.kind == Fault::Kind::lost
                        ? "unsafe: leak"
                        : "unsafe: ensures";
    }
    EXPECT_EQ(line, "// expect: " + found) << path;
}

TEST(Runs, ExamplesDoWhatTheySay) {
    GGSNN_NEEDS_READER();
    int good = 0, broken = 0;
    const std::string folder = std::string(GGSNN_SOURCE) + "/examples/programs";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".c") continue;
        check_example(entry.path());
        ++(entry.path().parent_path().filename() == "broken" ? broken : good);
    }
    EXPECT_GE(good, 25);
    EXPECT_GE(broken, 10);
}

} // namespace
} // namespace ggsnn::verify
