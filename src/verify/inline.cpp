#include "verify/inline.hpp"

#include <functional>

namespace ggsnn::verify {

namespace {

constexpr std::size_t small_blocks = 40, most_blocks = 2000;

using Renaming = std::function<int(int)>;

void rename(Expression& e, const Renaming& to) {
    if (e.kind == Expression::Kind::variable) e.variable = to(e.variable);
    for (Expression& operand : e.operands) rename(operand, to);
}

void rename(Instruction& i, const Renaming& to) {
    if (i.target >= 0) i.target = to(i.target);
    if (i.base >= 0) i.base = to(i.base);
    rename(i.value, to);
    for (Expression& argument : i.arguments) rename(argument, to);
}

void rename(Block& b, const Renaming& to) {
    for (Instruction& i : b.instructions) rename(i, to);
    rename(b.condition, to);
    if (b.result) rename(*b.result, to);
}

bool calls_anything(const Function& f) {
    for (const Block& b : f.blocks)
        for (const Instruction& i : b.instructions)
            if (i.kind == Instruction::Kind::call) return true;
    return false;
}

// Leaves first: a function whose calls have all been inlined is small in its turn.
bool can_be_inlined(const Function& f) {
    return f.loops.empty() && f.refusals.empty() && !f.requires_ && !f.ensures &&
           f.blocks.size() <= small_blocks && !calls_anything(f);
}

Instruction assignment(int target, Expression value, Position position) {
    Instruction i;
    i.kind = Instruction::Kind::assign;
    i.position = position;
    i.target = target;
    i.value = std::move(value);
    return i;
}

// Replaces the call at f.blocks[block].instructions[at] by g's body.
void splice(Function& f, std::size_t block, std::size_t at, const Function& g) {
    const int own = static_cast<int>(f.variables.size()), added = static_cast<int>(g.variables.size());
    // The callee's variables come behind the caller's own, so the globals move up.
    for (Block& b : f.blocks) rename(b, [&](int v) { return v < own ? v : v + added; });
    for (Loop& loop : f.loops)
        for (int& v : loop.variables) v = v < own ? v : v + added;
    for (const Variable& v : g.variables) {
        f.variables.push_back(v);
        f.variables.back().kind = Variable::Kind::temporary;
        f.variables.back().name = g.name + "." + v.name;
    }
    const Instruction call = f.blocks[block].instructions[at];
    const int first = static_cast<int>(f.blocks.size()), after = first + static_cast<int>(g.blocks.size());
    Block rest = f.blocks[block];
    rest.instructions.erase(rest.instructions.begin(),
                            rest.instructions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    Block& before = f.blocks[block];
    before.instructions.resize(at);
    for (int v = 0; v < added; ++v) {
        if (v < g.parameters) {
            before.instructions.push_back(
                assignment(own + v, call.arguments[static_cast<std::size_t>(v)], call.position));
        } else { // nothing is left from an earlier call
            Instruction forget;
            forget.kind = Instruction::Kind::forget;
            forget.position = call.position;
            forget.target = own + v;
            before.instructions.push_back(forget);
        }
    }
    before.end = Block::End::jump;
    before.then = first;
    before.otherwise = -1;
    before.result.reset();
    for (Block b : g.blocks) {
        // g's own variables stand behind f's, and the globals behind both: one shift serves all.
        rename(b, [&](int v) { return own + v; });
        if (b.then >= 0) b.then += first;
        if (b.otherwise >= 0) b.otherwise += first;
        if (b.end == Block::End::give) {
            if (call.target >= 0 && b.result)
                b.instructions.push_back(assignment(call.target, *b.result, b.position));
            b.end = Block::End::jump;
            b.then = after;
            b.result.reset();
        }
        f.blocks.push_back(std::move(b));
    }
    f.blocks.push_back(std::move(rest));
}

// The first call that can be replaced; false if there is none.
bool inline_one(const Program& program, Function& f, const std::vector<char>& small) {
    for (std::size_t b = 0; b < f.blocks.size(); ++b)
        for (std::size_t i = 0; i < f.blocks[b].instructions.size(); ++i) {
            const Instruction& instruction = f.blocks[b].instructions[i];
            if (instruction.kind != Instruction::Kind::call ||
                small[static_cast<std::size_t>(instruction.callee)] == 0)
                continue;
            splice(f, b, i, program.functions[static_cast<std::size_t>(instruction.callee)]);
            return true;
        }
    return false;
}

} // namespace

Program with_calls_inlined(const Program& program) {
    Program out = program;
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<char> small;
        for (const Function& f : out.functions) small.push_back(can_be_inlined(f) ? 1 : 0);
        for (Function& f : out.functions)
            while (f.blocks.size() < most_blocks && f.refusals.empty() && inline_one(out, f, small))
                changed = true;
    }
    return out;
}

} // namespace ggsnn::verify
