#include "verify/liveness.hpp"

namespace ggsnn::verify {

namespace {

using Set = std::vector<char>;

void read(const Expression& e, Set& live) {
    if (e.kind == Expression::Kind::variable) live[static_cast<std::size_t>(e.variable)] = 1;
    for (const Expression& operand : e.operands) read(operand, live);
}

// Backwards over one block, from what is live behind it.
Set before(const Block& block, Set live) {
    if (block.end == Block::End::branch) read(block.condition, live);
    if (block.result) read(*block.result, live);
    for (auto i = block.instructions.rbegin(); i != block.instructions.rend(); ++i) {
        if (i->target >= 0) live[static_cast<std::size_t>(i->target)] = 0;
        if (i->base >= 0) live[static_cast<std::size_t>(i->base)] = 1;
        if (i->kind != Instruction::Kind::forget) read(i->value, live);
        for (const Expression& argument : i->arguments) read(argument, live);
    }
    return live;
}

} // namespace

std::vector<std::vector<char>> live_at_heads(const Program& program, const Function& function) {
    const std::size_t own = function.variables.size(), all = own + program.globals.size();
    std::vector<Set> in(function.blocks.size(), Set(all, 0));
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = function.blocks.size(); b-- > 0;) {
            const Block& block = function.blocks[b];
            Set out(all, 0);
            for (std::size_t v = own; v < all; ++v) out[v] = 1;
            if (block.end == Block::End::jump || block.end == Block::End::branch)
                for (const int next : {block.then, block.otherwise})
                    for (std::size_t v = 0; v < all && next >= 0; ++v)
                        out[v] = out[v] != 0 || in[static_cast<std::size_t>(next)][v] != 0 ? 1 : 0;
            Set now = before(block, std::move(out));
            for (std::size_t v = own; v < all; ++v) now[v] = 1;
            if (now != in[b]) {
                in[b] = std::move(now);
                changed = true;
            }
        }
    }
    std::vector<Set> heads;
    for (const Loop& loop : function.loops) heads.push_back(in[static_cast<std::size_t>(loop.head)]);
    return heads;
}

std::vector<char> assigned_parameters(const Function& function) {
    std::vector<char> assigned(static_cast<std::size_t>(function.parameters), 0);
    for (const Block& block : function.blocks)
        for (const Instruction& i : block.instructions)
            if (i.target >= 0 && i.target < function.parameters && i.kind != Instruction::Kind::forget)
                assigned[static_cast<std::size_t>(i.target)] = 1;
    return assigned;
}

} // namespace ggsnn::verify
