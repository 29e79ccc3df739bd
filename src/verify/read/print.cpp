#include "ggsnn/verify/read/print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ggsnn::verify {

namespace {

const char* name_of(Operator op) {
    static constexpr const char* names[] = {
        "add",  "sub", "mul", "udiv", "sdiv", "urem",     "srem",        "shl",         "lshr",
        "ashr", "and", "or",  "xor",  "==",   "!=",       "ult",         "ule",         "ugt",
        "uge",  "slt", "sle", "sgt",  "sge",  "truncate", "zero_extend", "sign_extend", "same"};
    return names[static_cast<std::size_t>(op)];
}

template <class Items, class Text>
std::string list(const Items& items, Text text) {
    std::string all;
    for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
    return all;
}

class Printer {
  public:
    Printer(const Program& program, const Function& function) : program_(program), function_(function) {}

    std::string operand(const Operand& o) const {
        switch (o.kind) {
        case Operand::Kind::none:
            return "none";
        case Operand::Kind::variable:
            return variable(o.index);
        case Operand::Kind::number:
            return fmt::format("{}", o.number);
        case Operand::Kind::global: {
            const std::string& name = program_.globals[static_cast<std::size_t>(o.index)].name;
            return o.number == 0 ? "&" + name : fmt::format("&{}{:+}", name, o.number);
        }
        case Operand::Kind::function:
            return "&" + (o.index < 0 ? o.name : program_.functions[static_cast<std::size_t>(o.index)].name);
        case Operand::Kind::unknown:
            return "?";
        }
        return "";
    }

    std::string instruction(const Instruction& i) const {
        using Kind = Instruction::Kind;
        switch (i.kind) {
        case Kind::copy:
            return into(i.target) + operand(i.a);
        case Kind::compute:
            return into(i.target) + compute(i);
        case Kind::choose:
            return fmt::format("{}{} ? {} : {}", into(i.target), operand(i.a), operand(i.b), operand(i.c));
        case Kind::offset:
            return into(i.target) + place(i);
        case Kind::load:
            return fmt::format("{}{}load {} at {}", into(i.target), i.is_volatile ? "volatile " : "",
                               print(program_, i.type), operand(i.a));
        case Kind::store:
            return fmt::format("{}store {} {} at {}", i.is_volatile ? "volatile " : "",
                               print(program_, i.type), operand(i.b), operand(i.a));
        case Kind::move:
            return fmt::format("move {} bytes from {} to {}{}", operand(i.c), operand(i.b), operand(i.a),
                               i.may_overlap ? ", may overlap" : "");
        case Kind::fill:
            return fmt::format("fill {} bytes at {} with {}", operand(i.c), operand(i.a), operand(i.b));
        case Kind::local:
            return fmt::format("{}local {}{}", into(i.target), object(i.object),
                               i.c.kind == Operand::Kind::none ? "" : ", " + operand(i.c) + " bytes");
        case Kind::end_local:
            return "end " + object(i.object);
        case Kind::forget:
            return "forget " + variable(i.target);
        case Kind::call:
            return results(i) + program_.functions[static_cast<std::size_t>(i.callee)].name + arguments(i);
        case Kind::library:
            return results(i) + "library " + i.name + arguments(i);
        case Kind::external:
            return results(i) + "external " + i.name + arguments(i);
        case Kind::indirect:
            return results(i) + "(*" + operand(i.a) + ")" + arguments(i);
        case Kind::refuse:
            return "refuse: " + i.name;
        }
        return "";
    }

    std::string end(const Block& block) const {
        switch (block.end) {
        case Block::End::jump:
            return fmt::format("goto {}", block.then);
        case Block::End::branch:
            return fmt::format("if {} goto {} else {}", operand(block.condition), block.then,
                               block.otherwise);
        case Block::End::choice: {
            std::string text = fmt::format("switch {}:", operand(block.condition));
            for (const auto& [number, target] : block.cases)
                text += fmt::format(" {} goto {},", number, target);
            return text + fmt::format(" else {}", block.otherwise);
        }
        case Block::End::returns:
            return block.results.empty()
                       ? "return"
                       : "return " + list(block.results, [&](const Operand& o) { return operand(o); });
        case Block::End::stop:
            return block.unreachable ? "unreachable" : "stop";
        }
        return "";
    }

    std::string whole() const {
        std::string parameters;
        for (int v = 0; v < function_.parameters; ++v) {
            const Variable& p = function_.variables[static_cast<std::size_t>(v)];
            parameters += (v > 0 ? ", " : "") + print(program_, p.type) + " " + p.name;
        }
        std::string text = fmt::format("function {} {}({}{})\n", print(program_, function_.result),
                                       function_.name, parameters, function_.variadic ? ", ..." : "");
        if (function_.requires_) text += "  requires " + formula(*function_.requires_);
        if (function_.ensures) text += "  ensures " + formula(*function_.ensures);
        for (const Loop& loop : function_.loops) {
            text += fmt::format("  loop {}:{} at {}:", loop.position.line, loop.position.column, loop.head);
            for (const int v : loop.variables) text += " " + variable(v);
            for (const int o : loop.objects) text += " [" + object(o) + "]";
            text += "\n";
            if (loop.invariant) text += "    invariant " + formula(*loop.invariant);
        }
        for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
            text += fmt::format(" {}:\n", b);
            for (const Instruction& i : function_.blocks[b].instructions)
                text += "    " + instruction(i) + "\n";
            text += "    " + end(function_.blocks[b]) + "\n";
        }
        return text;
    }

  private:
    static std::string formula(const logic::Formula& f) {
        return logic::print(f, logic::Reading::program) + "\n";
    }
    const std::string& variable(int v) const { return function_.variables[static_cast<std::size_t>(v)].name; }
    const std::string& object(int o) const { return function_.objects[static_cast<std::size_t>(o)].name; }
    std::string into(int target) const { return target < 0 ? "" : variable(target) + " = "; }

    std::string results(const Instruction& i) const {
        bool used = false;
        for (const int target : i.targets) used = used || target >= 0;
        if (!used) return "";
        return list(i.targets, [&](int v) { return v < 0 ? std::string("_") : variable(v); }) + " = ";
    }
    std::string arguments(const Instruction& i) const {
        return "(" + list(i.arguments, [&](const Operand& o) { return operand(o); }) + ")";
    }
    std::string compute(const Instruction& i) const {
        if (i.op >= Operator::truncate)
            return fmt::format("{} {} to {} {}", name_of(i.op), i.from_bits, i.bits, operand(i.a));
        return fmt::format("{} {} {} {}", name_of(i.op), i.bits, operand(i.a), operand(i.b));
    }
    std::string place(const Instruction& i) const {
        std::string text = operand(i.a);
        for (const auto& [index, scale] : i.terms) text += fmt::format(" + {} * {}", operand(index), scale);
        if (i.number != 0 || i.terms.empty()) text += fmt::format(" + {}", i.number);
        return text + (i.inbounds ? "" : " anywhere");
    }

    const Program& program_;
    const Function& function_;
};

std::string print(const Program& program, const Global& global) {
    std::string text = fmt::format("global {} ({} bytes)", global.name, global.size);
    if (global.type.kind != Type::Kind::none) text += " " + print(program, global.type);
    if (global.constant) text += " constant";
    if (global.visible) text += " visible";
    if (!global.defined) text += " elsewhere";
    if (global.thread_local_) text += " thread_local";
    for (const Piece& piece : global.contents) {
        text += fmt::format(" {}:", piece.offset);
        if (piece.kind == Piece::Kind::number) text += fmt::format("{}", piece.number);
        if (piece.kind == Piece::Kind::data) text += fmt::format("?{}", piece.bytes);
        if (piece.kind == Piece::Kind::global)
            text += fmt::format("&{}{:+}", program.globals[static_cast<std::size_t>(piece.index)].name,
                                piece.number);
        if (piece.kind == Piece::Kind::function)
            text += piece.index < 0 ? "&outside"
                                    : "&" + program.functions[static_cast<std::size_t>(piece.index)].name;
    }
    return text + "\n";
}

} // namespace

std::string print(const Program& program, const Type& type) {
    switch (type.kind) {
    case Type::Kind::none:
        return "none";
    case Type::Kind::integer:
        return fmt::format("int{}", type.bits);
    case Type::Kind::data:
        return fmt::format("data{}", type.bits);
    case Type::Kind::pointer:
        return (type.record < 0 ? "void" : program.records[static_cast<std::size_t>(type.record)].name) +
               " *";
    }
    return "";
}

std::string print(const Program& program, const Function& function, const Operand& operand) {
    return Printer(program, function).operand(operand);
}

std::string print(const Program& program, const Function& function, const Instruction& instruction) {
    return Printer(program, function).instruction(instruction);
}

std::string print(const Program& program, const Function& function) {
    return Printer(program, function).whole();
}

std::string print(const Program& program) {
    std::string text;
    for (const std::string& refusal : program.refusals) text += "refused: " + refusal + "\n";
    for (const RecordType& record : program.records) {
        text += fmt::format("record {} ({} bytes):", record.name, record.size);
        for (const auto& field : record.fields)
            text += fmt::format(" {} {} at {}{},", print(program, field.type), field.name, field.offset,
                                field.role == field.name ? "" : " as " + field.role);
        text.back() = text.back() == ',' ? '\n' : text.back();
        if (text.back() != '\n') text += '\n';
    }
    for (const Global& global : program.globals) text += print(program, global);
    const auto names = [&](const char* what, const std::vector<int>& functions) {
        if (functions.empty()) return;
        text += what;
        for (const int f : functions) text += " " + program.functions[static_cast<std::size_t>(f)].name;
        text += "\n";
    };
    names("constructors:", program.constructors);
    names("destructors:", program.destructors);
    for (const Function& function : program.functions) text += print(program, function);
    return text;
}

} // namespace ggsnn::verify
