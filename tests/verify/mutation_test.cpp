// Mutations of proved programs: an instruction dropped, a variable or field exchanged, a condition turned
// round. A mutant that is proved must be right all the same, as runs of it show.
#include "verify/front.hpp"
#include "verify/runs_check.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace ggsnn::verify {
namespace {

using Mutation = std::function<void(Function&)>;

bool is_pointer(const Program& program, const Function& f, int v) {
    return v >= 0 && program.variable(f, v).type.kind == Type::Kind::pointer;
}

std::vector<int> others_like(const Program& program, const Function& f, int v) {
    std::vector<int> others;
    const int count = static_cast<int>(f.variables.size() + program.globals.size());
    for (int other = 0; other < count; ++other)
        if (other != v && program.variable(f, other).type == program.variable(f, v).type)
            others.push_back(other);
    return others;
}

// All mutations of one instruction, as functions of the program with the place to change.
void mutate_instruction(const Program& program, const Function& f, std::size_t b, std::size_t i,
                        std::vector<Mutation>& all) {
    using Kind = Instruction::Kind;
    const Instruction& old = f.blocks[b].instructions[i];
    const auto change = [&](std::function<void(Instruction&)> edit) {
        all.push_back([=](Function& g) { edit(g.blocks[b].instructions[i]); });
    };
    all.push_back([=](Function& g) {
        std::vector<Instruction>& list = g.blocks[b].instructions;
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    });
    if (is_pointer(program, f, old.base))
        for (const int v : others_like(program, f, old.base)) change([=](Instruction& x) { x.base = v; });
    if (is_pointer(program, f, old.target))
        for (const int v : others_like(program, f, old.target)) change([=](Instruction& x) { x.target = v; });
    if (old.value.kind == Expression::Kind::variable && is_pointer(program, f, old.value.variable)) {
        for (const int v : others_like(program, f, old.value.variable))
            change([=](Instruction& x) { x.value.variable = v; });
        change([](Instruction& x) { x.value = Expression{}; });
    }
    for (std::size_t a = 0; a < old.arguments.size(); ++a) {
        const Expression& e = old.arguments[a];
        if (e.kind != Expression::Kind::variable || !is_pointer(program, f, e.variable)) continue;
        for (const int v : others_like(program, f, e.variable))
            change([=](Instruction& x) { x.arguments[a].variable = v; });
    }
    if (old.kind == Kind::load || old.kind == Kind::store) {
        const std::vector<Record::Field>& fields =
            program.records[static_cast<std::size_t>(old.record)].fields;
        for (int field = 0; field < static_cast<int>(fields.size()); ++field)
            if (field != old.field && fields[static_cast<std::size_t>(field)].type ==
                                          fields[static_cast<std::size_t>(old.field)].type)
                change([=](Instruction& x) { x.field = field; });
    }
}

std::vector<Mutation> mutations(const Program& program, const Function& f) {
    std::vector<Mutation> all;
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
        for (std::size_t i = 0; i < f.blocks[b].instructions.size(); ++i)
            mutate_instruction(program, f, b, i, all);
        if (f.blocks[b].end == Block::End::branch) {
            all.push_back([=](Function& g) { std::swap(g.blocks[b].then, g.blocks[b].otherwise); });
            all.push_back([=](Function& g) { g.blocks[b].then = g.blocks[b].otherwise; });
        }
    }
    return all;
}

void check_mutants(const std::string& name) {
    if (!front_available()) GTEST_SKIP() << "built without libclang";
    const Program program = read_program(std::string(GGSNN_SOURCE) + "/tests/verify/proofs/" + name);
    Contracts contracts;
    for (const Function& f : program.functions)
        contracts.push_back(Contract{f.requires_.value(), f.ensures.value()});
    int mutants = 0, proved = 0;
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f)
        for (const Mutation& mutation : mutations(program, program.functions[static_cast<std::size_t>(f)])) {
            Program mutant = program;
            Function& function = mutant.functions[static_cast<std::size_t>(f)];
            mutation(function);
            ++mutants;
            const ProofResult result = prove_function(mutant, f, contracts, {});
            if (!result.proved) continue;
            ++proved;
            InputOptions options;
            options.sizes = {0, 1, 2, 3};
            const std::string trouble =
                disagreement(mutant, f, *contracts[static_cast<std::size_t>(f)], result, options);
            EXPECT_EQ(trouble, "") << function.name << " mutant " << mutants;
        }
    fmt::print("{}: {} mutants, {} proved and confirmed by runs\n", name, mutants, proved);
}

TEST(Mutants, OfThePapersPrograms) {
    check_mutants("paper.c");
}
TEST(Mutants, OfLists) {
    check_mutants("lists.c");
}
TEST(Mutants, OfStylesFromElsewhere) {
    check_mutants("styles.c");
}
TEST(Mutants, OfInvariantsByCases) {
    check_mutants("cases.c");
}
TEST(Mutants, OfOtherShapes) {
    check_mutants("shapes.c");
}

} // namespace
} // namespace ggsnn::verify
