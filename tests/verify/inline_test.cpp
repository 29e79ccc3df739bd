// Calls replaced by bodies: the program means the same, and what can be inlined is.
#include "proving.hpp"

#include "ggsnn/verify/liveness.hpp"
#include "ggsnn/verify/run/interpret.hpp"

namespace ggsnn::verify {
namespace {

using Kind = Instruction::Kind;

class Inline : public testing::Test {
  protected:
    void SetUp() override { GGSNN_NEEDS_READING(); }

    struct Both {
        Program plain, inlined;
        int main = -1;
        const Function& function() const { return inlined.functions[static_cast<std::size_t>(main)]; }
    };
    static Both inlined(const std::string& text) {
        Both both;
        both.plain = read_program_text(list_text + text, "test.c");
        both.main = both.plain.function_called("main");
        both.inlined = with_calls_inlined(both.plain, both.main);
        return both;
    }
    static int count(const Function& f, Kind kind) {
        int n = 0;
        for (const Block& block : f.blocks)
            for (const Instruction& i : block.instructions) n += i.kind == kind ? 1 : 0;
        return n;
    }
    static verify::Run run(const Program& program, int function) {
        Input input;
        return interpret(program, function, input);
    }
    // Both run to the same end.
    static void expect_same(const Both& both) {
        const verify::Run a = run(both.plain, both.main), b = run(both.inlined, both.main);
        EXPECT_EQ(a.fault.kind, b.fault.kind) << a.fault.reason << " and " << b.fault.reason;
        EXPECT_EQ(a.fault.position.line, b.fault.position.line);
        EXPECT_EQ(a.result, b.result);
        EXPECT_EQ(a.allocations, b.allocations);
    }
};

TEST_F(Inline, LoopsAndObjectsComeAlong) {
    const Both both = inlined(
        "static int sum(int k) { int a[4], s = 0; for (int i = 0; i < 4; i++) a[i] = i * k;\n"
        "for (int i = 0; i < 4; i++) s += a[i]; return s; }\n"
        "int main(void) { int t = 0; for (int j = 1; j < 3; j++) t += sum(j) + sum(j + 1); return t; }");
    EXPECT_EQ(count(both.function(), Kind::call), 0);
    EXPECT_EQ(both.function().loops.size(), 5U);
    EXPECT_EQ(both.function().objects.size(), 2U);
    EXPECT_NE(both.function().objects[0].name, both.function().objects[1].name);
    std::set<std::string> names;
    for (const Variable& v : both.function().variables) EXPECT_TRUE(names.insert(v.name).second) << v.name;
    int inside = 0;
    for (const Loop& loop : both.function().loops) {
        inside += loop.parent >= 0 ? 1 : 0;
        EXPECT_EQ(loop.blocks.size(), both.function().blocks.size());
        EXPECT_EQ(loop.blocks[static_cast<std::size_t>(loop.head)], 1);
    }
    EXPECT_EQ(inside, 4);
    expect_same(both);
    EXPECT_EQ(run(both.plain, both.main).result, Value::of_number(48));
}

// The local of a call is dead behind it, and new in the next.
TEST_F(Inline, LocalsOfACallEndWithIt) {
    const Both dangling =
        inlined("static int *f(void) { int k = 1; int *p = &k; return p; } int main(void) { return *f(); }");
    EXPECT_EQ(run(dangling.plain, dangling.main).fault.kind, Fault::Kind::use_after_scope);
    expect_same(dangling);
    const Both unset = inlined("static int f(int first) { int k; int *p = &k; if (first) *p = 7; else { int "
                               "**q = (int **)(long)k; return **q; } return k; }\n"
                               "int main(void) { int a = f(1); return a + f(0); }");
    expect_same(unset);
}

TEST_F(Inline, RecursionStaysACall) {
    const Both both = inlined(
        "static int down(int k) { return k == 0 ? 0 : 1 + down(k - 1); } int main(void) { return down(5); }");
    EXPECT_GE(count(both.function(), Kind::call), 1);
    expect_same(both);
    const Both mutual = inlined(
        "static int odd(int k); static int even(int k) { return k == 0 ? 1 : odd(k - 1); }\n"
        "static int odd(int k) { return k == 0 ? 0 : even(k - 1); } int main(void) { return even(6); }");
    EXPECT_GE(count(mutual.function(), Kind::call), 1);
    expect_same(mutual);
}

TEST_F(Inline, CallsThroughPointersBecomeChoices) {
    const Both both =
        inlined("static int one(int k) { return k + 1; } static int two(int k) { return k * 2; }\n"
                "static int unused(int k) { return k; } \n"
                "int main(void) { int (*t[2])(int) = {one, two}; int s = 3; for (int i = 0; i < 2; i++) s = "
                "t[i](s); return s + unused(0); }");
    EXPECT_EQ(count(both.function(), Kind::call), 0);
    EXPECT_LE(count(both.function(), Kind::indirect), 1) << "only where it is none of them";
    expect_same(both);
    EXPECT_EQ(run(both.inlined, both.main).result, Value::of_number(8));
}

TEST_F(Inline, ErrorsStayWhereTheyAre) {
    expect_same(inlined("static void set(node *p, int k) {\np->val = k; }\nint main(void) { node a; set(&a, "
                        "1); set(NULL, 2); return 0; }"));
    expect_same(inlined("static void drop(node *p) { free(p); }\nint main(void) { node *p = malloc(sizeof "
                        "*p); drop(p);\ndrop(p); return 0; }"));
    expect_same(inlined(
        "static node *make(void) { return malloc(sizeof(node)); }\nint main(void) { make(); return 0; }"));
}

// Only small functions without loops and without a contract, where there is no main to begin from.
TEST_F(Inline, SmallOnesEverywhere) {
    const Program program = program_of(
        list_text + "static int first(node *p) { return p->val; }\n"
                    "static int length(node *p) { int k = 0; while (p) { k++; p = p->next; } return k; }\n"
                    "//@ requires ls(p, NULL)\n//@ ensures ls(p, NULL)\nvoid nothing(node *p) { }\n"
                    "int f(node *p) { nothing(p); return p ? first(p) + length(p) : 0; }");
    const Function& f = program.functions[static_cast<std::size_t>(program.function_called("f"))];
    std::set<std::string> called;
    for (const Block& block : f.blocks)
        for (const Instruction& i : block.instructions)
            if (i.kind == Kind::call)
                called.insert(program.functions[static_cast<std::size_t>(i.callee)].name);
    EXPECT_EQ(called, (std::set<std::string>{"length", "nothing"}));
}

TEST_F(Inline, WhatIsCalledIsFound) {
    const Program program =
        read_program_text("static int a(void) { return 1; } static int b(void) { return a(); }\n"
                          "static int c(void) { return 3; } static int (*p)(void) = c;\n"
                          "int d(void) { return p(); } int main(void) { return b(); }",
                          "test.c");
    const auto names = [&](const std::string& from) {
        std::set<std::string> all;
        const auto called = called_from(program, program.function_called(from));
        for (std::size_t f = 0; f < called.size(); ++f)
            if (called[f] != 0) all.insert(program.functions[f].name);
        return all;
    };
    EXPECT_EQ(names("main"), (std::set<std::string>{"a", "b", "main"}));
    EXPECT_TRUE(names("d").contains("c"));
    EXPECT_FALSE(names("d").contains("a"));
}

// ---- the limit of time

TEST(Deadlines, PassAndAreNotExtended) {
    const Deadline none(1e9), now(0), soon(0.02);
    EXPECT_FALSE(none.passed());
    EXPECT_TRUE(now.passed());
    EXPECT_LE(now.left(), 0);
    EXPECT_GT(none.left(), 1e7);
    EXPECT_LE(soon.within(100).left(), 0.02) << "the earlier of both";
    EXPECT_LE(none.within(0.01).left(), 0.01);
    while (!soon.passed()) {
    }
    EXPECT_LE(soon.left(), 0);
    EXPECT_TRUE(soon.within(100).passed());
    EXPECT_NE(Deadline(2).text().find("2 s"), std::string::npos);
}

} // namespace
} // namespace ggsnn::verify
