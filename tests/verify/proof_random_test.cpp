// Random small functions over three list variables, with candidate invariants and postconditions from a pool:
// whenever the engine says proved, runs of the interpreter must agree, at every loop head and at the return.
#include "proving.hpp"
#include "runs_check.hpp"

#include "ggsnn/base/random.hpp"

#include <functional>

namespace ggsnn::verify {
namespace {

// One function as a C text.
class Generator {
  public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    std::string run(const std::string& name) {
        text_ = "node *" + name +
                "(node *x, node *y, int k) {\nnode *z = " + (random_.chance(0.5) ? "NULL" : "x") + ", *t;\n";
        const std::uint64_t count = 1 + random_.below(4);
        for (std::uint64_t i = 0; i < count; ++i) statement(2);
        if (loops_ == 0 && random_.chance(0.7)) loop(1);
        return text_ + "return " + any() + ";\n}\n";
    }

  private:
    using Body = std::function<void()>;
    std::string any() { return std::vector<std::string>{"x", "y", "z"}[random_.below(3)]; }
    void line(const std::string& text) { text_ += text + "\n"; }

    std::string condition() {
        const std::string p = any(), q = any();
        if (random_.chance(0.2)) return "k++ % 3 == 0";
        if (p != q && random_.chance(0.2)) return p + (random_.chance(0.5) ? " == " : " != ") + q;
        return p + (random_.chance(0.3) ? " == NULL" : " != NULL");
    }
    // Mostly with a look before.
    void guarded(const std::string& pointer, const std::string& action) {
        line(random_.chance(0.7) ? "if (" + pointer + " != NULL) " + action : action);
    }
    void nested(const std::string& head, const Body& body) {
        line(head + " {");
        body();
        line("}");
    }

    void statement(int depth) {
        const std::string p = any(), q = any();
        switch (random_.below(10)) {
        case 0:
            return line(p + " = " + q + ";");
        case 1:
            return line(p + " = NULL;");
        case 2:
            return guarded(q, p + " = " + q + "->next;");
        case 3:
            return guarded(q, q + "->next = " + p + ";");
        case 4:
            return guarded(q, q + "->next = NULL;");
        case 5:
            line(p + " = malloc(sizeof *" + p + ");");
            return line(p + "->next = " + (p != q && random_.chance(0.7) ? q : "NULL") + ";");
        case 6:
            return line("free(" + p + ");");
        case 7: // through the address of a variable, of a field, and as bytes
            if (random_.chance(0.5)) return line("{ node **a = &" + p + "; *a = " + q + "; }");
            return guarded(q, "{ node **a = &" + q + "->next; memcpy(&" + p + ", a, sizeof " + p + "); }");
        case 8:
            if (depth > 0) {
                nested("if (" + condition() + ")", [&] { statement(depth - 1); });
                nested("else", [&] { statement(depth - 1); });
            }
            return;
        default:
            if (depth > 0 && loops_ < 2) loop(depth - 1);
        }
    }

    // Loops that go along a list, and do something else besides.
    void loop(int depth) {
        ++loops_;
        const std::string at = any(), other = any();
        nested("while (" + at + " != NULL)", [&] {
            const std::uint64_t style = random_.below(4);
            if (style == 0 && other != at) // to the front of another
                line("t = " + at + "; " + at + " = " + at + "->next; t->next = " + other + "; " + other +
                     " = t;");
            else if (style == 1)
                line("t = " + at + "; " + at + " = " + at + "->next; free(t);");
            else {
                if (random_.chance(0.3)) statement(depth);
                guarded(at, at + " = " + at + "->next;");
                if (random_.chance(0.3)) statement(depth);
            }
            if (random_.chance(0.15)) line("if (" + condition() + ") break;");
        });
    }

    Random random_;
    std::string text_;
    int loops_ = 0;
};

std::vector<logic::Formula> formulas(const std::vector<std::string>& texts) {
    std::vector<logic::Formula> all;
    for (const std::string& text : texts) all.push_back(formula(text));
    return all;
}

const std::vector<logic::Formula>& invariants() {
    static const auto pool = formulas(
        {"ls(x,NULL) * ls(y,NULL) * ls(z,NULL)", "ls(x,NULL) * ls(y,NULL)",
         "ls(x,z) * ls(z,NULL) * ls(y,NULL)", "ls(x,y) * ls(y,NULL) * ls(z,NULL)",
         "ls(\\old(x),x) * ls(x,NULL) * ls(y,NULL)", "ls(\\old(x),x) * ls(x,NULL) * ls(y,NULL) * ls(z,NULL)",
         "ls(x,NULL) * ls(\\old(y),y) * ls(y,NULL)", "ls(x,y) * ls(y,NULL)", "ls(x,z) * ls(z,y) * ls(y,NULL)",
         "ls(x,NULL) * ls(z,NULL)", "ls(y,NULL) * ls(z,NULL)", "ls(x,NULL) \\/ ls(y,NULL)",
         "x = NULL * ls(y,NULL) \\/ ls+(x,z) * ls(z,NULL) * ls(y,NULL)", "ls+(x,x) * ls(y,NULL)", "emp"});
    return pool;
}

const std::vector<logic::Formula>& postconditions() {
    static const auto pool = formulas(
        {"ls(x,NULL) * ls(y,NULL)", "ls(\\result,NULL)", "ls(x,NULL) * ls(y,NULL) * ls(\\result,NULL)",
         "ls(x,NULL) * ls(\\result,NULL)", "ls(y,NULL) * ls(\\result,NULL)", "ls(x,y) * ls(y,NULL)", "emp"});
    return pool;
}

struct Tally {
    int programs = 0, proved = 0, with_loops = 0, runs = 0;
};

void try_function(const Program& program, int f, const logic::Formula& before, Tally& tally) {
    ++tally.programs;
    ProofOptions options;
    options.combinations = 60;
    options.seconds = 0.25; // a few would take for ever
    Entailments entailments(options.prover);
    const std::size_t loops = program.functions[static_cast<std::size_t>(f)].loops.size();
    for (const logic::Formula& after : postconditions()) {
        std::string trouble;
        Contracts contracts(program.functions.size());
        contracts[static_cast<std::size_t>(f)] = typed_contract(program, f, before, after, trouble);
        ASSERT_EQ(trouble, "");
        FunctionProof proof(program, f, contracts, options, entailments);
        const ProofResult result =
            proof.search(std::vector<std::vector<logic::Formula>>(loops, invariants()));
        if (!result.proved) continue;
        ++tally.proved;
        tally.with_loops += loops > 0 ? 1 : 0;
        InputOptions inputs;
        inputs.sizes = {0, 1, 2, 3};
        const Agreement agreement = compare_with_runs(program, f, {before, after}, result, inputs);
        tally.runs += agreement.runs;
        EXPECT_EQ(agreement.trouble, "")
            << program.functions[static_cast<std::size_t>(f)].name << " ensures " << text_of(after);
        return;
    }
}

TEST(ProofsRandom, WhatIsProvedHoldsInRuns) {
    GGSNN_NEEDS_READING();
    const auto before = formulas({"ls(x,NULL) * ls(y,NULL)", "ls(x,y) * ls(y,NULL)",
                                  "x != NULL * ls(x,NULL) * ls(y,NULL)", "ls+(x,x) * ls(y,NULL)"});
    Tally tally;
    constexpr int texts = 10, each = 40;
    for (int t = 0; t < texts; ++t) {
        std::string text = "#include <string.h>\n" + list_text;
        for (int i = 0; i < each; ++i)
            text += Generator(static_cast<std::uint64_t>(each * t + i + 1)).run(fmt::format("f{}_{}", t, i));
        const Program program = program_of(text);
        ASSERT_EQ(program.functions.size(), static_cast<std::size_t>(each));
        for (int f = 0; f < each; ++f)
            try_function(program, f, before[static_cast<std::size_t>(f) % before.size()], tally);
    }
    fmt::print("{} functions, {} proved, {} of them with loops; {} runs agree\n", tally.programs,
               tally.proved, tally.with_loops, tally.runs);
    EXPECT_GT(tally.proved, tally.programs / 10);
    EXPECT_GT(tally.with_loops, tally.programs / 20);
    EXPECT_GT(tally.runs, 3 * tally.proved);
}

} // namespace
} // namespace ggsnn::verify
