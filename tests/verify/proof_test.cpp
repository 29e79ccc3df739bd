// Proofs of the C programs in tests/verify/proofs: every function says what is expected of it in a line
//   // expect NAME: proved        or        // expect NAME: kind of failure: part of the reason
#include "base/files.hpp"
#include "verify/front.hpp"
#include "verify/proof.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <fstream>

namespace ggsnn::verify {
namespace {

std::string failures_text(const ProofResult& result) {
    std::string text;
    for (const Failure& f : result.failures) {
        text += fmt::format("line {}: {}: {}\n    {}\n", f.position.line, kind_text(f.kind), f.reason,
                            logic::print(f.state, logic::Reading::program));
        if (f.counter) text += "    " + logic::heap_text(*f.counter) + "\n";
        for (const Turn& turn : f.path) text += fmt::format("    line {}: {}\n", turn.line, turn.taken);
    }
    return text;
}

std::map<std::string, std::string> expectations(const std::string& path) {
    std::map<std::string, std::string> expected;
    std::ifstream file(path);
    const std::string begin = "// expect ";
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(begin)) {
            const std::size_t colon = line.find(':');
            expected[line.substr(begin.size(), colon - begin.size())] = line.substr(colon + 2);
        }
    return expected;
}

Contracts contracts_of(const Program& program) {
    Contracts contracts;
    for (const Function& f : program.functions) {
        std::optional<Contract> contract;
        if (f.requires_ && f.ensures) contract = Contract{*f.requires_, *f.ensures};
        contracts.push_back(std::move(contract));
    }
    return contracts;
}

void check_file(const std::string& name) {
    if (!front_available()) GTEST_SKIP() << "built without libclang";
    const std::string path = std::string(GGSNN_SOURCE) + "/tests/verify/proofs/" + name;
    const Program program = read_program(path);
    const Contracts contracts = contracts_of(program);
    std::map<std::string, std::string> expected = expectations(path);
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f) {
        const Function& function = program.functions[static_cast<std::size_t>(f)];
        const std::string wanted = expected[function.name];
        ASSERT_FALSE(wanted.empty()) << function.name;
        expected.erase(function.name);
        const std::clock_t begin = std::clock();
        const ProofResult result = prove_function(program, f, contracts, {});
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (seconds > 0.1) fmt::print("{}: {:.3f} s\n", function.name, seconds);
        if (wanted == "proved") {
            EXPECT_TRUE(result.proved) << function.name << "\n" << failures_text(result);
            for (const LoopResult& loop : result.loops) EXPECT_TRUE(loop.proved) << function.name;
            continue;
        }
        EXPECT_FALSE(result.proved) << function.name;
        if (result.proved) continue;
        const Failure& first = result.failures[0];
        const std::string text = fmt::format("{}: {}", kind_text(first.kind), first.reason);
        EXPECT_NE(text.find(wanted), std::string::npos) << function.name << "\n" << failures_text(result);
    }
    EXPECT_TRUE(expected.empty()) << "no function " << expected.begin()->first;
}

TEST(Proofs, ThePapersProgramsWithItsInvariants) {
    check_file("paper.c");
}
TEST(Proofs, Lists) {
    check_file("lists.c");
}
TEST(Proofs, TreesRingsDoublyLinkedAndNestedLists) {
    check_file("shapes.c");
}
TEST(Proofs, StylesFromElsewhere) {
    check_file("styles.c");
}
TEST(Proofs, InvariantsByCases) {
    check_file("cases.c");
}
TEST(Proofs, BrokenProgramsFailForTheRightReason) {
    check_file("broken.c");
}

} // namespace
} // namespace ggsnn::verify
