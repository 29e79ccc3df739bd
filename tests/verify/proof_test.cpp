// Proofs of the C programs in tests/verify/proofs, with the contracts and invariants of their comments and no
// others: every function says what is expected of it in a line
//   // expect NAME: proved        or        // expect NAME: kind of failure: part of the reason
#include "proving.hpp"

#include "ggsnn/logic/heap.hpp"

#include <fstream>
#include <map>

namespace ggsnn::verify {
namespace {

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

void check_file(const std::string& name) {
    GGSNN_NEEDS_READING();
    const std::string path = std::string(GGSNN_SOURCE) + "/tests/verify/proofs/" + name;
    const Program program = with_small_calls_inlined(read_program(path));
    const Contracts contracts = given_contracts(program);
    std::map<std::string, std::string> expected = expectations(path);
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f) {
        const Function& function = program.functions[static_cast<std::size_t>(f)];
        const std::string wanted = expected[function.name];
        ASSERT_FALSE(wanted.empty()) << function.name;
        expected.erase(function.name);
        const Deadline time(1e6);
        const ProofResult result = prove_as_given(program, f, contracts);
        if (const double seconds = 1e6 - time.left(); seconds > 0.5)
            fmt::print("{}: {:.3f} s\n", function.name, seconds);
        if (wanted == "proved") {
            EXPECT_TRUE(result.proved) << function.name << "\n" << failures_text(result);
            for (const LoopResult& loop : result.loops) EXPECT_TRUE(loop.proved) << function.name;
            continue;
        }
        EXPECT_FALSE(result.proved) << function.name;
        if (result.proved) continue;
        const Failure& first = result.failures[0];
        const std::string text = fmt::format("{}: {}", kind_text(first.kind), first.reason);
        EXPECT_NE(text.find(wanted), std::string::npos) << function.name << ": " << wanted << "\n"
                                                        << failures_text(result);
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
