// The symbolic executor and the proofs of functions.
#include "verify/build.hpp"
#include "verify/proof.hpp"

#include <gtest/gtest.h>

namespace ggsnn::verify {
namespace {

using build::apply;
using build::Builder;
using build::null;

logic::Formula formula(const std::string& text) {
    return logic::parse_formula(text, logic::Reading::program);
}

Contract contract(const std::string& before, const std::string& after) {
    return {formula(before), formula(after)};
}

std::string report(const ProofResult& result) {
    std::string text;
    for (const Failure& f : result.failures) {
        text += fmt::format("line {}: {}: {}\n    {}\n", f.position.line, kind_text(f.kind), f.reason,
                            logic::print(f.state, logic::Reading::program));
        if (f.counter) text += "    " + logic::heap_text(*f.counter) + "\n";
    }
    return text;
}

ProofResult prove(const Builder& b, const Contract& c, const std::vector<std::string>& invariants) {
    std::vector<std::vector<logic::Formula>> candidates;
    for (const std::string& text : invariants) candidates.push_back({formula(text)});
    Contracts contracts(b.program.functions.size());
    contracts[0] = c;
    return prove_function(b.program, 0, contracts, candidates);
}

TEST(Symbolic, Traverse) {
    Builder b;
    b.function("traverse1", {"lst"}, "");
    b.local("curr");
    b.assign("curr", b["lst"]);
    b.loop(apply("!=", b["curr"], null()), [&] { b.load("curr", "curr", "next"); });
    b.give();
    const ProofResult r =
        prove(b, contract("ls(lst,NULL)", "ls(lst,NULL)"), {"ls(lst,curr) * ls(curr,NULL)"});
    EXPECT_TRUE(r.proved) << report(r);
}

} // namespace
} // namespace ggsnn::verify
