#include "verify/build.hpp"

#include <stdexcept>

namespace ggsnn::verify::build {

Expression null() {
    return {};
}

Expression number(std::int64_t value) {
    Expression e;
    e.kind = Expression::Kind::number;
    e.number = value;
    return e;
}

Expression unknown() {
    Expression e;
    e.kind = Expression::Kind::unknown;
    return e;
}

Expression apply(const std::string& symbol, Expression a, Expression b) {
    Expression e;
    e.kind = Expression::Kind::binary;
    e.symbol = symbol;
    e.operands = {std::move(a), std::move(b)};
    return e;
}

Expression negate(Expression a) {
    Expression e;
    e.kind = Expression::Kind::unary;
    e.symbol = "!";
    e.operands = {std::move(a)};
    return e;
}

Builder::Builder() {
    Record node{"node", {}, {}, false};
    for (const char* name : {"next", "prev", "left", "right", "val"})
        node.fields.push_back({name, {Type::Kind::pointer, 0}, name});
    node.fields.push_back({"data", {Type::Kind::data, -1}, "data"});
    program.records.push_back(node);
}

namespace {

Type type_of(const std::string& name) {
    return name[0] == '#' ? Type{Type::Kind::data, -1} : Type{Type::Kind::pointer, 0};
}

} // namespace

int Builder::function(const std::string& name, std::vector<std::string> parameters,
                      const std::string& result) {
    Function f;
    f.name = name;
    f.position = {++line_, 1};
    if (!result.empty()) f.result = type_of(result);
    f.parameters = static_cast<int>(parameters.size());
    for (const std::string& p : parameters)
        f.variables.push_back({p[0] == '#' ? p.substr(1) : p, type_of(p), Variable::Kind::parameter, {}});
    program.functions.push_back(std::move(f));
    for (const std::string& local_name : extra_) local(local_name);
    at_ = new_block();
    return static_cast<int>(program.functions.size()) - 1;
}

// REQUIRES: before the first statement, and globals before all functions.
void Builder::local(const std::string& name) {
    current().variables.push_back(
        {name[0] == '#' ? name.substr(1) : name, type_of(name), Variable::Kind::local, {}});
}

void Builder::global(const std::string& name) {
    program.globals.push_back({name, type_of(name), Variable::Kind::global, {}});
}

int Builder::variable(const std::string& name) const {
    const Function& f = program.functions.back();
    const int count = static_cast<int>(f.variables.size() + program.globals.size());
    for (int v = 0; v < count; ++v)
        if (program.variable(f, v).name == name) return v;
    throw std::logic_error("no variable " + name);
}

int Builder::field(const std::string& name) const {
    const std::vector<Record::Field>& fields = program.records[0].fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == name) return static_cast<int>(i);
    throw std::logic_error("no field " + name);
}

Expression Builder::operator[](const std::string& name) const {
    Expression e;
    e.kind = Expression::Kind::variable;
    e.variable = variable(name);
    return e;
}

int Builder::new_block() {
    current().blocks.emplace_back();
    return static_cast<int>(current().blocks.size()) - 1;
}

Instruction& Builder::append(Instruction::Kind kind) {
    Instruction& i = block().instructions.emplace_back();
    i.kind = kind;
    i.position = {++line_, 1};
    return i;
}

void Builder::assign(const std::string& target, const Expression& value) {
    Instruction& i = append(Instruction::Kind::assign);
    i.target = variable(target);
    i.value = value;
}

void Builder::load(const std::string& target, const std::string& base, const std::string& name) {
    Instruction& i = append(Instruction::Kind::load);
    i.target = variable(target);
    i.base = variable(base);
    i.record = 0;
    i.field = field(name);
}

void Builder::store(const std::string& base, const std::string& name, const Expression& value) {
    Instruction& i = append(Instruction::Kind::store);
    i.base = variable(base);
    i.value = value;
    i.record = 0;
    i.field = field(name);
}

void Builder::allocate(const std::string& target, bool zeroed) {
    Instruction& i = append(Instruction::Kind::allocate);
    i.target = variable(target);
    i.record = 0;
    i.zeroed = zeroed;
}

void Builder::release(const std::string& name) {
    Instruction& i = append(Instruction::Kind::release);
    i.value = (*this)[name];
}

void Builder::call(const std::string& target, int callee, std::vector<Expression> arguments) {
    Instruction& i = append(Instruction::Kind::call);
    i.target = target.empty() ? -1 : variable(target);
    i.callee = callee;
    i.arguments = std::move(arguments);
}

void Builder::jump(int to) {
    block().end = Block::End::jump;
    block().then = to;
    block().position = {line_, 1};
}

void Builder::branch(const Expression& condition, const Body& then, const Body& otherwise) {
    const int from = at_, yes = new_block(), no = new_block(), after = new_block();
    Block& b = current().blocks[static_cast<std::size_t>(from)];
    b.end = Block::End::branch;
    b.condition = condition;
    b.then = yes;
    b.otherwise = no;
    b.position = {++line_, 1};
    at_ = yes;
    then();
    jump(after);
    at_ = no;
    if (otherwise) otherwise();
    jump(after);
    at_ = after;
}

void Builder::loop(const Expression& condition, const Body& body, const Body& before) {
    const int head = new_block(), inside = new_block(), after = new_block();
    jump(head);
    Loop l;
    l.head = head;
    l.position = {++line_, 1};
    const int count = static_cast<int>(current().variables.size() + program.globals.size());
    for (int v = 0; v < count; ++v) l.variables.push_back(v);
    current().loops.push_back(l);
    at_ = head;
    if (before) before();
    block().end = Block::End::branch;
    block().condition = condition;
    block().then = inside;
    block().otherwise = after;
    block().position = {line_, 1};
    at_ = inside;
    exits_.push_back(after);
    body();
    exits_.pop_back();
    jump(head);
    at_ = after;
}

void Builder::leave() {
    jump(exits_.back());
    at_ = new_block(); // not reached
}

void Builder::give() {
    block().end = Block::End::give;
    block().position = {++line_, 1};
    at_ = new_block();
    block().end = Block::End::stop;
}

void Builder::give(const Expression& value) {
    block().result = value;
    give();
}

} // namespace ggsnn::verify::build
