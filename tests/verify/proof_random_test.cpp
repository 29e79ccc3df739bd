// Random small programs over three list variables, with candidate invariants from a pool: whenever the engine
// says proved, runs of the interpreter must agree, at every loop head and at the return.
#include "base/random.hpp"
#include "verify/build.hpp"
#include "verify/runs_check.hpp"

#include <gtest/gtest.h>

namespace ggsnn::verify {
namespace {

using build::apply;
using build::Builder;
using build::null;

logic::Formula formula(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}

class Generator {
  public:
    Generator(Builder& builder, std::uint64_t seed) : b_(builder), random_(seed) {}

    void run() {
        b_.function("f", {"x", "y"}, "r");
        b_.local("z");
        b_.assign("z", random_.chance(0.5) ? null() : b_["x"]);
        const int count = 1 + static_cast<int>(random_.below(4));
        for (int i = 0; i < count; ++i) statement(2);
        if (loops_ == 0 && random_.chance(0.7)) loop(1);
        b_.give(b_[any()]);
    }

  private:
    std::string any() { return std::vector<std::string>{"x", "y", "z"}[random_.below(3)]; }
    Expression condition() {
        const std::string p = any(), q = any();
        if (random_.chance(0.2)) return build::unknown();
        if (p != q && random_.chance(0.2)) return apply(random_.chance(0.5) ? "==" : "!=", b_[p], b_[q]);
        return apply(random_.chance(0.3) ? "==" : "!=", b_[p], null());
    }
    // Mostly with a look before.
    void guarded(const std::string& pointer, const Builder::Body& body) {
        if (random_.chance(0.7))
            b_.branch(apply("!=", b_[pointer], null()), body);
        else
            body();
    }

    void statement(int depth) {
        const std::string p = any(), q = any();
        switch (random_.below(9)) {
        case 0:
            b_.assign(p, b_[q]);
            break;
        case 1:
            b_.assign(p, null());
            break;
        case 2:
            guarded(q, [&] { b_.load(p, q, "next"); });
            break;
        case 3:
            guarded(q, [&] { b_.store(q, "next", b_[p]); });
            break;
        case 4:
            guarded(q, [&] { b_.store(q, "next", null()); });
            break;
        case 5:
            b_.allocate(p);
            b_.store(p, "next", p != q && random_.chance(0.7) ? b_[q] : null());
            break;
        case 6:
            b_.release(p);
            break;
        case 7:
            if (depth > 0)
                b_.branch(condition(), [&] { statement(depth - 1); }, [&] { statement(depth - 1); });
            break;
        default:
            if (depth > 0 && loops_ < 2) loop(depth - 1);
        }
    }

    // Loops that go along a list, and do something else besides.
    void loop(int depth) {
        ++loops_;
        const std::string at = any(), other = any();
        b_.loop(apply("!=", b_[at], null()), [&] {
            const std::uint64_t style = random_.below(4);
            if (style == 0 && other != at) { // to the front of another
                b_.assign("t", b_[at]);
                b_.load(at, at, "next");
                b_.store("t", "next", b_[other]);
                b_.assign(other, b_["t"]);
            } else if (style == 1) {
                b_.assign("t", b_[at]);
                b_.load(at, at, "next");
                b_.release("t");
            } else {
                if (random_.chance(0.3)) statement(depth);
                b_.load(at, at, "next");
                if (random_.chance(0.3)) statement(depth);
            }
            if (random_.chance(0.15)) b_.branch(condition(), [&] { b_.leave(); });
        });
    }

    Builder& b_;
    Random random_;
    int loops_ = 0;
};

const std::vector<std::string>& invariants() {
    static const std::vector<std::string> pool{"ls(x,NULL) * ls(y,NULL) * ls(z,NULL)",
                                               "ls(x,NULL) * ls(y,NULL)",
                                               "ls(x,z) * ls(z,NULL) * ls(y,NULL)",
                                               "ls(x,y) * ls(y,NULL) * ls(z,NULL)",
                                               "ls(\\old(x),x) * ls(x,NULL) * ls(y,NULL)",
                                               "ls(\\old(x),x) * ls(x,NULL) * ls(y,NULL) * ls(z,NULL)",
                                               "ls(x,NULL) * ls(\\old(y),y) * ls(y,NULL)",
                                               "ls(x,y) * ls(y,NULL)",
                                               "ls(x,z) * ls(z,y) * ls(y,NULL)",
                                               "ls(x,NULL) * ls(z,NULL)",
                                               "ls(y,NULL) * ls(z,NULL)",
                                               "ls(x,NULL) \\/ ls(y,NULL)",
                                               "x = NULL * ls(y,NULL) \\/ ls+(x,z) * ls(z,NULL) * ls(y,NULL)",
                                               "ls+(x,x) * ls(y,NULL)",
                                               "emp"};
    return pool;
}

const std::vector<std::string>& postconditions() {
    static const std::vector<std::string> pool{"ls(x,NULL) * ls(y,NULL)",
                                               "ls(\\result,NULL)",
                                               "ls(x,NULL) * ls(y,NULL) * ls(\\result,NULL)",
                                               "ls(x,NULL) * ls(\\result,NULL)",
                                               "ls(y,NULL) * ls(\\result,NULL)",
                                               "ls(x,y) * ls(y,NULL)",
                                               "exists t . ls(x,NULL) * ls(y,NULL) * ls(t,NULL)",
                                               "emp",
                                               "exists t, u . ls(t,NULL) * ls(u,NULL)"};
    return pool;
}

TEST(ProofsRandom, WhatIsProvedHoldsInRuns) {
    std::vector<logic::Formula> pool;
    for (const std::string& text : invariants()) pool.push_back(formula(text));
    const std::vector<std::string> before{"ls(x,NULL) * ls(y,NULL)", "ls(x,y) * ls(y,NULL)",
                                          "x != NULL * ls(x,NULL) * ls(y,NULL)", "ls+(x,x) * ls(y,NULL)"};
    int programs = 0, proved = 0, with_loops = 0;
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        Builder b;
        b.also_local("t");
        Generator(b, seed).run();
        ++programs;
        ProofOptions options;
        options.combinations = 60;
        Entailments entailments(options.prover);
        for (const std::string& after : postconditions()) {
            const Contract contract{formula(before[seed % before.size()]), formula(after)};
            const Contracts contracts{contract};
            FunctionProof proof(b.program, 0, contracts, options, entailments);
            const std::size_t loops = b.program.functions[0].loops.size();
            const ProofResult result = proof.search(std::vector<std::vector<logic::Formula>>(loops, pool));
            if (!result.proved) continue;
            ++proved;
            with_loops += loops > 0;
            InputOptions inputs;
            inputs.sizes = {0, 1, 2, 3};
            EXPECT_EQ(disagreement(b.program, 0, contract, result, inputs), "")
                << "seed " << seed << " " << after;
            break;
        }
    }
    fmt::print("{} programs, {} proved, {} of them with loops\n", programs, proved, with_loops);
    EXPECT_GT(proved, programs / 10);
    EXPECT_GT(with_loops, programs / 20);
}

} // namespace
} // namespace ggsnn::verify
