// Blocks, instructions, variables, scopes: what the rest of the lowering writes with.
#include "verify/front_lower.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

Expression make_variable(int variable, Position at) {
    Expression e;
    e.kind = Expression::Kind::variable;
    e.variable = variable;
    e.position = at;
    return e;
}
Expression make_number(std::int64_t number, Position at) {
    Expression e;
    e.kind = Expression::Kind::number;
    e.number = number;
    e.position = at;
    return e;
}
Expression make_null(Position at) {
    Expression e;
    e.position = at;
    return e;
}
Expression make_unknown(Position at) {
    Expression e;
    e.kind = Expression::Kind::unknown;
    e.position = at;
    return e;
}
Expression make_unary(const std::string& symbol, Expression a, Position at) {
    Expression e;
    e.kind = Expression::Kind::unary;
    e.symbol = symbol;
    e.operands.push_back(std::move(a));
    e.position = at;
    return e;
}
Expression make_binary(const std::string& symbol, Expression a, Expression b, Position at) {
    Expression e;
    e.kind = Expression::Kind::binary;
    e.symbol = symbol;
    e.operands.push_back(std::move(a));
    e.operands.push_back(std::move(b));
    e.position = at;
    return e;
}
bool is_zero(const Expression& e) {
    return e.kind == Expression::Kind::null || (e.kind == Expression::Kind::number && e.number == 0);
}

int Lowering::new_block() {
    function_.blocks.emplace_back();
    function_.blocks.back().end = Block::End::stop;
    return static_cast<int>(function_.blocks.size()) - 1;
}

void Lowering::jump(int to, Position at) {
    Block& block = function_.blocks[static_cast<std::size_t>(current_)];
    block.end = Block::End::jump;
    block.then = to;
    block.position = at;
    current_ = new_block(); // what follows is reached by nobody, unless another block is started
}

void Lowering::branch(const Expression& condition, int then, int otherwise, Position at) {
    if (condition.kind == Expression::Kind::number || condition.kind == Expression::Kind::null)
        return jump(is_zero(condition) ? otherwise : then, at);
    Block& block = function_.blocks[static_cast<std::size_t>(current_)];
    block.end = Block::End::branch;
    block.condition = condition;
    block.then = then;
    block.otherwise = otherwise;
    block.position = at;
    current_ = new_block();
}

void Lowering::give(std::optional<Expression> result, Position at) {
    Block& block = function_.blocks[static_cast<std::size_t>(current_)];
    block.end = Block::End::give;
    block.result = std::move(result);
    block.position = at;
    current_ = new_block();
}

void Lowering::stop(Position at) {
    Block& block = function_.blocks[static_cast<std::size_t>(current_)];
    block.end = Block::End::stop;
    block.position = at;
    current_ = new_block();
}

Instruction& Lowering::emit(Instruction::Kind kind, Position at) {
    if (++context_.instructions > context_.limits.instructions)
        fail("{}:{}:{}: the program has more than {} instructions", context_.program.path, at.line, at.column,
             context_.limits.instructions);
    auto& instructions = function_.blocks[static_cast<std::size_t>(current_)].instructions;
    instructions.emplace_back();
    instructions.back().kind = kind;
    instructions.back().position = at;
    return instructions.back();
}

void Lowering::assign(int variable, Expression value, Position at) {
    Instruction& i = emit(Instruction::Kind::assign, at);
    i.target = variable;
    i.value = std::move(value);
}

int Lowering::load(int base, int record, int field, Position at) {
    const Type type = context_.program.records[static_cast<std::size_t>(record)]
                          .fields[static_cast<std::size_t>(field)]
                          .type;
    const int target = temporary(type, at);
    Instruction& i = emit(Instruction::Kind::load, at);
    i.target = target;
    i.base = base;
    i.record = record;
    i.field = field;
    return target;
}

void Lowering::store(int base, int record, int field, Expression value, Position at) {
    Instruction& i = emit(Instruction::Kind::store, at);
    i.base = base;
    i.record = record;
    i.field = field;
    i.value = std::move(value);
}

int Lowering::temporary(Type type, Position at) {
    Variable variable;
    variable.name = fmt::format("${}", function_.variables.size());
    variable.type = type;
    variable.kind = Variable::Kind::temporary;
    variable.position = at;
    function_.variables.push_back(std::move(variable));
    return static_cast<int>(function_.variables.size()) - 1;
}

int Lowering::add_variable(const std::string& name, Type type, Variable::Kind kind, Position at) {
    std::string unique = name.empty() ? "unnamed" : name;
    for (int i = 2; !names_.insert(unique).second; ++i) unique = fmt::format("{}'{}", name, i);
    function_.variables.push_back({unique, type, kind, at});
    return static_cast<int>(function_.variables.size()) - 1;
}

Expression Lowering::kept(Expression value, Type type, Position at) {
    if (value.kind == Expression::Kind::number || value.kind == Expression::Kind::null) return value;
    if (value.kind == Expression::Kind::variable && value.variable < global_base &&
        function_.variables[static_cast<std::size_t>(value.variable)].kind == Variable::Kind::temporary)
        return value;
    const int t = temporary(type, at);
    assign(t, std::move(value), at);
    return make_variable(t, at);
}

void Lowering::refuse(Cursor c, const std::string& reason) {
    const Position position = at(c);
    for (const auto& refusal : function_.refusals)
        if (refusal.position.line == position.line && refusal.position.column == position.column) return;
    if (static_cast<int>(function_.refusals.size()) < context_.limits.refusals)
        function_.refusals.push_back({position, reason});
}

void Lowering::leave_scopes(std::size_t down_to, bool forget, Position at) {
    for (std::size_t s = scopes_.size(); s > down_to; --s) {
        const Scope scope = scopes_[s - 1];
        for (auto cell = scope.cells.rbegin(); cell != scope.cells.rend(); ++cell) {
            Instruction& i = emit(Instruction::Kind::release, at);
            i.value = make_variable(*cell, at);
            i.boxed = true;
        }
        if (!forget) continue;
        for (auto local = scope.locals.rbegin(); local != scope.locals.rend(); ++local)
            emit(Instruction::Kind::forget, at).target = *local;
    }
}

void Lowering::close_scope(Position at) {
    leave_scopes(scopes_.size() - 1, true, at);
    scopes_.pop_back();
}

namespace {

void renumber(Expression& e, int own) {
    if (e.kind == Expression::Kind::variable && e.variable >= global_base) e.variable += own - global_base;
    for (Expression& operand : e.operands) renumber(operand, own);
}

std::vector<int> reached(const std::vector<Block>& blocks) {
    std::vector<int> number(blocks.size(), -1), waiting{0};
    number[0] = 0;
    while (!waiting.empty()) {
        const Block& block = blocks[static_cast<std::size_t>(waiting.back())];
        waiting.pop_back();
        for (const int next :
             {block.end == Block::End::jump || block.end == Block::End::branch ? block.then : -1,
              block.end == Block::End::branch ? block.otherwise : -1})
            if (next >= 0 && number[static_cast<std::size_t>(next)] < 0) {
                number[static_cast<std::size_t>(next)] = 0;
                waiting.push_back(next);
            }
    }
    int count = 0;
    for (int& n : number)
        if (n == 0) n = count++;
    return number;
}

} // namespace

// Blocks that nothing leads to are dropped, and globals get the numbers that follow the own variables.
void Lowering::finish() {
    const std::vector<int> number = reached(function_.blocks);
    const int own = static_cast<int>(function_.variables.size());
    const auto global = [own](int& v) {
        if (v >= global_base) v += own - global_base;
    };
    std::vector<Block> blocks;
    for (std::size_t b = 0; b < number.size(); ++b) {
        if (number[b] < 0) continue;
        Block& block = function_.blocks[b];
        if (block.then >= 0) block.then = number[static_cast<std::size_t>(block.then)];
        if (block.otherwise >= 0) block.otherwise = number[static_cast<std::size_t>(block.otherwise)];
        renumber(block.condition, own);
        if (block.result) renumber(*block.result, own);
        for (Instruction& i : block.instructions) {
            global(i.target);
            global(i.base);
            renumber(i.value, own);
            for (Expression& argument : i.arguments) renumber(argument, own);
        }
        blocks.push_back(std::move(block));
    }
    function_.blocks = std::move(blocks);
    std::vector<Loop> loops;
    for (std::size_t l = 0; l < function_.loops.size(); ++l) {
        Loop& loop = function_.loops[l];
        loop.head = number[static_cast<std::size_t>(loop.head)];
        for (int& v : loop.variables) global(v);
        const bool dead = loop.head < 0;
        context_.loops[first_site_ + l].loop = dead ? -1 : static_cast<int>(loops.size());
        if (!dead) loops.push_back(std::move(loop));
    }
    function_.loops = std::move(loops);
}

} // namespace ggsnn::verify
