#include "verify/program_print.hpp"

#include <fmt/format.h>

namespace ggsnn::verify {

namespace {

std::string type_text(const Program& program, Type type) {
    if (type.kind == Type::Kind::none) return "none";
    if (type.kind == Type::Kind::data) return "data";
    return program.records[static_cast<std::size_t>(type.record)].name + " *";
}

class Printer {
  public:
    Printer(const Program& program, const Function& function) : program_(program), function_(function) {}

    std::string expression(const Expression& e) const {
        switch (e.kind) {
        case Expression::Kind::null:
            return "NULL";
        case Expression::Kind::number:
            return fmt::format("{}", e.number);
        case Expression::Kind::variable:
            return name(e.variable);
        case Expression::Kind::unknown:
            return "?";
        case Expression::Kind::unary:
            return e.symbol + operand(e.operands[0]);
        case Expression::Kind::binary:
            return fmt::format("{} {} {}", operand(e.operands[0]), e.symbol, operand(e.operands[1]));
        }
        return "";
    }

    std::string instruction(const Instruction& i) const {
        switch (i.kind) {
        case Instruction::Kind::assign:
            return fmt::format("{} = {}", name(i.target), expression(i.value));
        case Instruction::Kind::load:
            return fmt::format("{} = {}->{}", name(i.target), name(i.base), field(i));
        case Instruction::Kind::store:
            return fmt::format("{}->{} = {}", name(i.base), field(i), expression(i.value));
        case Instruction::Kind::allocate:
            return fmt::format("{} = new {}{}{}", name(i.target), record(i.record).name,
                               i.zeroed ? " zeroed" : "", i.boxed ? " boxed" : "");
        case Instruction::Kind::release:
            return fmt::format("free {}{}", expression(i.value), i.boxed ? " boxed" : "");
        case Instruction::Kind::call: {
            std::string text;
            for (const Expression& a : i.arguments) text += (text.empty() ? "" : ", ") + expression(a);
            return fmt::format("{}{}({})", i.target < 0 ? "" : name(i.target) + " = ",
                               program_.functions[static_cast<std::size_t>(i.callee)].name, text);
        }
        case Instruction::Kind::forget:
            return "forget " + name(i.target);
        }
        return "";
    }

    std::string end(const Block& block) const {
        switch (block.end) {
        case Block::End::jump:
            return fmt::format("goto {}", block.then);
        case Block::End::branch:
            return fmt::format("if {} goto {} else {}", expression(block.condition), block.then,
                               block.otherwise);
        case Block::End::give:
            return block.result ? "return " + expression(*block.result) : "return";
        case Block::End::stop:
            return "stop";
        }
        return "";
    }

    std::string whole() const {
        std::string text, list;
        for (int v = 0; v < function_.parameters; ++v)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ",
                                type_text(program_, function_.variables[static_cast<std::size_t>(v)].type),
                                name(v));
        text =
            fmt::format("function {} {}({})\n", type_text(program_, function_.result), function_.name, list);
        if (function_.requires_) text += "  requires " + formula(*function_.requires_);
        if (function_.ensures) text += "  ensures " + formula(*function_.ensures);
        for (const auto& refusal : function_.refusals)
            text += fmt::format("  refused {}:{}: {}\n", refusal.position.line, refusal.position.column,
                                refusal.reason);
        for (const Loop& loop : function_.loops) {
            list.clear();
            for (const int v : loop.variables) list += " " + name(v);
            text += fmt::format("  loop {}:{} at {}:{}\n", loop.position.line, loop.position.column,
                                loop.head, list);
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
    const std::string& name(int v) const { return program_.variable(function_, v).name; }
    const Record& record(int r) const { return program_.records[static_cast<std::size_t>(r)]; }
    const std::string& field(const Instruction& i) const {
        return record(i.record).fields[static_cast<std::size_t>(i.field)].name;
    }
    std::string operand(const Expression& e) const {
        const bool whole = e.kind == Expression::Kind::binary || e.kind == Expression::Kind::unary;
        return whole ? "(" + expression(e) + ")" : expression(e);
    }

    const Program& program_;
    const Function& function_;
};

} // namespace

std::string print(const Program& program, const Function& function, const Expression& expression) {
    return Printer(program, function).expression(expression);
}

std::string print(const Program& program, const Function& function) {
    return Printer(program, function).whole();
}

std::string print(const Program& program) {
    std::string text;
    for (const Record& record : program.records) {
        text += "record " + record.name + ":";
        for (const auto& field : record.fields)
            text += fmt::format(" {} {}{},", type_text(program, field.type), field.name,
                                field.role == field.name ? "" : " as " + field.role);
        text.back() = '\n';
    }
    for (const Variable& global : program.globals)
        text += fmt::format("global {} {}\n", type_text(program, global.type), global.name);
    for (const Function& function : program.functions) text += print(program, function);
    return text;
}

} // namespace ggsnn::verify
