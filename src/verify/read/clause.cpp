#include "ggsnn/verify/read/clause.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <memory>

namespace ggsnn::verify {

namespace {

// a * b, as the parser does it.
logic::Formula star(const logic::Formula& a, const logic::Formula& b) {
    const auto reading = logic::Reading::program;
    std::set<std::string> names = logic::free_names(a);
    names.merge(logic::free_names(b));
    return logic::parse_formula(
        fmt::format("({}) * ({})", logic::print(a, reading), logic::print(b, reading)), reading, names);
}

void add(std::optional<logic::Formula>& place, logic::Formula formula) {
    place = place ? star(*place, formula) : std::move(formula);
}

} // namespace

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string first_word(const std::string& text, std::size_t& begin) {
    begin = 0;
    while (begin < text.size() && is_space(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() &&
           (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
    return text.substr(begin, end - begin);
}

bool is_keyword(const std::string& word) {
    return word == "requires" || word == "ensures" || word == "invariant";
}

[[noreturn]] void wrong(const Spot& at, const std::string& message) {
    fail("{}:{}:{}: {}", at.file, at.line, at.column, message);
}

// Its lines are kept apart so that a mistake is found where it stands.
logic::Formula parse(const Clause& clause, const std::set<std::string>& known) {
    std::string text;
    for (std::size_t i = 0; i < clause.lines.size(); ++i) {
        std::string line = clause.lines[i].text;
        if (i + 1 == clause.lines.size()) // some end a clause with a semicolon
            while (!line.empty() && (is_space(line.back()) || line.back() == ';')) line.pop_back();
        text += (i > 0 ? "\n" : "") + line;
    }
    try {
        return logic::parse_formula(text, logic::Reading::program, known);
    } catch (const logic::SyntaxError& error) {
        const auto line =
            std::min(static_cast<std::size_t>(std::max(error.line, 1)), clause.lines.size()) - 1;
        Spot at = clause.lines[line].spot;
        at.column += error.column - 1;
        wrong(at, error.detail);
    }
}

FieldNames::FieldNames(const Program& program) {
    for (const RecordType& record : program.records)
        for (const auto& field : record.fields) roles_.insert(field.role);
    for (const bool pointers : {true, false})
        for (const RecordType& record : program.records)
            for (const auto& field : record.fields)
                if ((field.type.kind == Type::Kind::pointer) == pointers && !roles_.contains(field.name))
                    by_name_.try_emplace(field.name, field.role);
}

void FieldNames::rename(logic::SymbolicHeap& heap) const {
    for (logic::Atom& atom : heap.atoms) {
        for (auto& [field, term] : atom.links)
            if (const auto role = by_name_.find(field); role != by_name_.end()) field = role->second;
        if (atom.body == nullptr) continue;
        auto body = std::make_shared<logic::Lambda>(*atom.body);
        rename(body->heap);
        atom.body = std::move(body);
    }
}

void Attach::contract(int function, const Clause& clause) {
    Function& f = program_.functions[static_cast<std::size_t>(function)];
    const bool after = clause.keyword == "ensures";
    std::set<std::string> known;
    for (int v = 0; v < f.parameters; ++v) {
        const Variable& parameter = f.variables[static_cast<std::size_t>(v)];
        if (parameter.type.kind == Type::Kind::pointer) known.insert(parameter.name);
    }
    note_globals(known);
    if (after) note_first_values(f, known);
    if (after && f.result.kind != Type::Kind::none) known.insert("\\result");
    add(after ? f.ensures : f.requires_, read(clause, known));
}

void Attach::invariant(int function, int loop, const Clause& clause) {
    Function& f = program_.functions[static_cast<std::size_t>(function)];
    Loop& l = f.loops[static_cast<std::size_t>(loop)];
    std::set<std::string> known;
    // Data too: a formula may say that a flag is 0, which is NULL, or not.
    for (const int v : l.variables) known.insert(f.variables[static_cast<std::size_t>(v)].name);
    for (const int o : l.objects) known.insert(f.objects[static_cast<std::size_t>(o)].name);
    note_globals(known);
    note_first_values(f, known);
    add(l.invariant, read(clause, known));
}

void Attach::note_globals(std::set<std::string>& known) const {
    for (const Global& global : program_.globals)
        if (global.type.kind == Type::Kind::pointer) known.insert(global.name);
}
void Attach::note_first_values(const Function& f, std::set<std::string>& known) const {
    for (int v = 0; v < f.parameters; ++v)
        known.insert(fmt::format("\\old({})", f.variables[static_cast<std::size_t>(v)].name));
    for (const Global& global : program_.globals)
        if (global.type.kind != Type::Kind::none) known.insert(fmt::format("\\old({})", global.name));
}

logic::Formula Attach::read(const Clause& clause, const std::set<std::string>& known) const {
    logic::Formula formula = parse(clause, known);
    for (const std::string& name : logic::free_names(formula))
        if (!known.contains(name)) {
            std::string list;
            for (const std::string& k : known) list += (list.empty() ? "" : ", ") + k;
            wrong(clause.lines[0].spot, fmt::format("'{}' is not a pointer known here; known: {}", name,
                                                    list.empty() ? "none" : list));
        }
    for (logic::SymbolicHeap& heap : formula.heaps) names_.rename(heap);
    return formula;
}

} // namespace ggsnn::verify
