#include "ggsnn/verify/liveness.hpp"

namespace ggsnn::verify {

namespace {

using Set = std::vector<char>;

void read(const Operand& operand, Set& live) {
    if (operand.kind == Operand::Kind::variable) live[static_cast<std::size_t>(operand.index)] = 1;
}

// Backwards over one block, from what is live behind it, down to an instruction.
Set before(const Block& block, Set live, std::size_t first = 0) {
    read(block.condition, live);
    for (const Operand& operand : block.results) read(operand, live);
    for (auto i = block.instructions.rbegin();
         i != block.instructions.rend() - static_cast<std::ptrdiff_t>(first); ++i) {
        if (i->target >= 0) live[static_cast<std::size_t>(i->target)] = 0;
        for (const int target : i->targets)
            if (target >= 0) live[static_cast<std::size_t>(target)] = 0;
        for (const Operand* operand : {&i->a, &i->b, &i->c}) read(*operand, live);
        for (const auto& [operand, scale] : i->terms) read(operand, live);
        for (const auto& [operand, length] : i->bounds) read(operand, live);
        for (const Operand& operand : i->arguments) read(operand, live);
    }
    return live;
}

// Live behind a block: before one that it goes on to.
Set behind(const Block& block, const std::vector<Set>& in, std::size_t variables) {
    Set out(variables, 0);
    const auto join = [&](int next) {
        for (std::size_t v = 0; v < variables && next >= 0; ++v)
            out[v] = out[v] != 0 || in[static_cast<std::size_t>(next)][v] != 0 ? 1 : 0;
    };
    join(block.then);
    join(block.otherwise);
    for (const auto& [value, to] : block.cases) join(to);
    return out;
}

} // namespace

std::vector<std::vector<char>> live_at_blocks(const Function& function) {
    const std::size_t all = function.variables.size();
    std::vector<Set> in(function.blocks.size(), Set(all, 0));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = function.blocks.size(); b-- > 0;) {
            Set now = before(function.blocks[b], behind(function.blocks[b], in, all));
            if (now != in[b]) {
                in[b] = std::move(now);
                changed = true;
            }
        }
    }
    return in;
}

std::vector<char> live_from(const Function& function, const std::vector<std::vector<char>>& at_blocks,
                            int block, std::size_t instruction) {
    const Block& one = function.blocks[static_cast<std::size_t>(block)];
    return before(one, behind(one, at_blocks, function.variables.size()), instruction);
}

std::vector<std::vector<char>> live_at_heads(const Function& function) {
    if (function.loops.empty()) return {};
    const std::vector<Set> in = live_at_blocks(function);
    std::vector<Set> heads;
    for (const Loop& loop : function.loops) heads.push_back(in[static_cast<std::size_t>(loop.head)]);
    return heads;
}

std::vector<char> assigned_parameters(const Function& function) {
    std::vector<char> assigned(static_cast<std::size_t>(function.parameters), 0);
    for (const Block& block : function.blocks)
        for (const Instruction& i : block.instructions) {
            const auto note = [&](int target) {
                if (target >= 0 && target < function.parameters && i.kind != Instruction::Kind::forget)
                    assigned[static_cast<std::size_t>(target)] = 1;
            };
            note(i.target);
            for (const int target : i.targets) note(target);
        }
    return assigned;
}

} // namespace ggsnn::verify
