// Mutants of proved programs: an instruction dropped, operands exchanged, an offset or a number changed, a
// branch turned round. A mutant that is proved must be right all the same, as runs of it show; and enough of
// them must be proved, or the test would say nothing.
#include "proving.hpp"
#include "runs_check.hpp"

#include <functional>

namespace ggsnn::verify {
namespace {

using Kind = Instruction::Kind;
using Mutation = std::function<void(Function&)>;

// Everything that may be done to one function.
class Mutations {
  public:
    explicit Mutations(const Function& function) : function_(function) {
        for (std::size_t v = 0; v < function.variables.size(); ++v)
            if (function.variables[v].kind != Variable::Kind::temporary && is_pointer(static_cast<int>(v)))
                pointers_.push_back(static_cast<int>(v));
        for (std::size_t b = 0; b < function.blocks.size(); ++b) {
            for (std::size_t i = 0; i < function.blocks[b].instructions.size(); ++i) of_instruction(b, i);
            of_end(b);
        }
    }
    std::vector<Mutation> all;

  private:
    bool is_pointer(int v) const {
        return v >= 0 && function_.variables[static_cast<std::size_t>(v)].type.kind == Type::Kind::pointer;
    }

    void of_instruction(std::size_t b, std::size_t i) {
        const Instruction& old = function_.blocks[b].instructions[i];
        const auto change = [&](std::function<void(Instruction&)> edit) {
            all.push_back([=](Function& g) { edit(g.blocks[b].instructions[i]); });
        };
        all.push_back([=](Function& g) {
            std::vector<Instruction>& list = g.blocks[b].instructions;
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
        });
        for (Operand Instruction::* const operand : {&Instruction::a, &Instruction::b, &Instruction::c})
            exchange(old.*operand,
                     [=](const Operand& with) { change([=](Instruction& x) { x.*operand = with; }); });
        for (std::size_t a = 0; a < old.arguments.size(); ++a)
            exchange(old.arguments[a],
                     [=](const Operand& with) { change([=](Instruction& x) { x.arguments[a] = with; }); });
        if (is_pointer(old.target))
            for (const int v : pointers_)
                if (v != old.target) change([=](Instruction& x) { x.target = v; });
        if (old.kind == Kind::offset)
            for (const std::int64_t number : {0, 8, 16, 4})
                if (number != old.number) change([=](Instruction& x) { x.number = number; });
        if (old.kind == Kind::compute && old.op == Operator::equal)
            change([](Instruction& x) { x.op = Operator::not_equal; });
        if (old.kind == Kind::compute && old.op == Operator::not_equal)
            change([](Instruction& x) { x.op = Operator::equal; });
        if (old.kind == Kind::compute && old.op == Operator::sgt)
            change([](Instruction& x) { x.op = Operator::sge; });
        if (old.kind == Kind::library && old.name == "malloc")
            change([](Instruction& x) { x.arguments[0] = Operand::of_number(x.arguments[0].number - 1); });
    }

    // What may stand in the place of an operand.
    void exchange(const Operand& old, const std::function<void(const Operand&)>& with) const {
        if (old.kind == Operand::Kind::number) with(Operand::of_number(old.number + 1));
        if (old.kind != Operand::Kind::variable || !is_pointer(old.index)) return;
        with(Operand::of_number(0));
        for (const int v : pointers_)
            if (v != old.index) with(Operand::of_variable(v));
    }

    void of_end(std::size_t b) {
        const Block& block = function_.blocks[b];
        if (block.end == Block::End::branch) {
            all.push_back([=](Function& g) { std::swap(g.blocks[b].then, g.blocks[b].otherwise); });
            all.push_back([=](Function& g) { g.blocks[b].then = g.blocks[b].otherwise; });
            all.push_back([=](Function& g) { g.blocks[b].otherwise = g.blocks[b].then; });
        }
        for (std::size_t r = 0; r < block.results.size() && block.end == Block::End::returns; ++r)
            exchange(block.results[r], [=, this](const Operand& with) {
                all.push_back([=](Function& g) { g.blocks[b].results[r] = with; });
            });
    }

    const Function& function_;
    std::vector<int> pointers_;
};

struct Tally {
    int mutants = 0, proved = 0, runs = 0;
};

void try_mutant(const Program& program, int f, const Mutation& mutation, const Contracts& contracts,
                Tally& tally) {
    Program mutant = program;
    Function& function = mutant.functions[static_cast<std::size_t>(f)];
    mutation(function);
    mutant = with_small_calls_inlined(mutant);
    ++tally.mutants;
    ProofOptions options;
    options.seconds = 2;
    const ProofResult result = prove_as_given(mutant, f, contracts, options);
    if (!result.proved) return;
    ++tally.proved;
    InputOptions inputs;
    inputs.sizes = {0, 1, 2, 3};
    const Function& plain = program.functions[static_cast<std::size_t>(f)];
    const Agreement agreement =
        compare_with_runs(mutant, f, Contract{*plain.requires_, *plain.ensures}, result, inputs);
    tally.runs += agreement.runs;
    EXPECT_EQ(agreement.trouble, "") << plain.name << " mutant " << tally.mutants;
}

Program proofs(const std::string& name) {
    return read_program(std::string(GGSNN_SOURCE) + "/tests/verify/proofs/" + name);
}

// floor: how many in a hundred must be proved.
void check_mutants(const std::string& name, int floor) {
    GGSNN_NEEDS_READING();
    const Program program = proofs(name);
    const Contracts contracts = given_contracts(program);
    Tally tally;
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f)
        for (const Mutation& mutation : Mutations(program.functions[static_cast<std::size_t>(f)]).all)
            try_mutant(program, f, mutation, contracts, tally);
    fmt::print("{}: {} mutants, {} proved, confirmed by {} runs\n", name, tally.mutants, tally.proved,
               tally.runs);
    EXPECT_GE(tally.proved * 100, tally.mutants * floor) << tally.proved << " of " << tally.mutants;
    EXPECT_GT(tally.runs, tally.proved);
}

TEST(Mutants, OfThePapersPrograms) {
    check_mutants("paper.c", 12);
}
TEST(Mutants, OfLists) {
    check_mutants("lists.c", 12);
}
TEST(Mutants, OfStylesFromElsewhere) {
    check_mutants("styles.c", 12);
}
TEST(Mutants, OfInvariantsByCases) {
    check_mutants("cases.c", 12);
}
TEST(Mutants, OfOtherShapes) {
    check_mutants("shapes.c", 12);
}

// The judge: with the proof of what a mutant was made from, runs of most mutants disagree.
TEST(Mutants, ThatAreNotProvedDisagreeWithTheOldProof) {
    GGSNN_NEEDS_READING();
    const Program program = proofs("paper.c");
    const Contracts contracts = given_contracts(program);
    int mutants = 0, troubles = 0;
    for (int f = 0; f < static_cast<int>(program.functions.size()); ++f) {
        const Function& plain = program.functions[static_cast<std::size_t>(f)];
        const ProofResult proof = prove_as_given(with_small_calls_inlined(program), f, contracts);
        ASSERT_TRUE(proof.proved) << plain.name;
        for (const Mutation& mutation : Mutations(plain).all) {
            Program mutant = program;
            mutation(mutant.functions[static_cast<std::size_t>(f)]);
            ++mutants;
            const Contract contract{*plain.requires_, *plain.ensures};
            troubles += compare_with_runs(mutant, f, contract, proof).trouble.empty() ? 0 : 1;
        }
    }
    EXPECT_GT(troubles * 2, mutants) << troubles << " of " << mutants;
}

} // namespace
} // namespace ggsnn::verify
