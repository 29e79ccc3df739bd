#include "ggsnn/verify/read/defined.hpp"

#include "ggsnn/logic/statements.hpp"
#include "ggsnn/logic/statements_parts.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

namespace stated = logic::statements;

// Clauses as one text, whose lines know where they come from.
class Joined {
  public:
    void add(const std::string& before, const Clause& clause, const std::string& after) {
        for (std::size_t i = 0; i < clause.lines.size(); ++i) {
            std::string line = clause.lines[i].text;
            if (i + 1 == clause.lines.size())
                while (!line.empty() && (is_space(line.back()) || line.back() == ';')) line.pop_back();
            const std::string prefix = i == 0 ? before : "";
            text_ += prefix + line + (i + 1 == clause.lines.size() ? after : "") + "\n";
            lines_.push_back({clause.lines[i].spot, static_cast<int>(prefix.size())});
        }
    }
    void add(const std::string& text, const Spot& at) {
        text_ += text + "\n";
        lines_.push_back({at, static_cast<int>(text.size())});
    }

    stated::Text parse() const {
        try {
            logic::read_statements(text_); // numbers of arguments, sorts of names
            return stated::parse(text_);
        } catch (const logic::SyntaxError& error) {
            const auto line = std::min(static_cast<std::size_t>(std::max(error.line, 1)), lines_.size()) - 1;
            Spot at = lines_[line].spot;
            at.column += std::max(error.column - 1 - lines_[line].shift, 0);
            wrong(at, error.detail);
        }
    }

    Spot spot(stated::Place place) const {
        const auto line = std::min(static_cast<std::size_t>(place.line), lines_.size()) - 1;
        Spot at = lines_[line].spot;
        at.column += std::max(place.column - 1 - lines_[line].shift, 0);
        return at;
    }

  private:
    struct Line {
        Spot spot;
        int shift = 0; // of columns
    };
    std::string text_;
    std::vector<Line> lines_;
};

// From what was read to assertions. A cell is all of its record: fields that are not named hold anything.
class Translator {
  public:
    Translator(const stated::Text& text, const Joined& source, const Program& program)
        : text_(text), source_(source), program_(program) {}

    Assertion assertion(const std::vector<stated::Heap>& heaps) {
        Assertion all;
        for (const stated::Heap& heap : heaps) {
            AssertionCase& one = all.cases.emplace_back();
            for (const int variable : heap.exists) one.exists.push_back(name(variable));
            for (const stated::Part& part : heap.parts) add(part, one);
        }
        return all;
    }

    // Bound names are told apart from each other and from all others. A parameter is its value at the call.
    std::string name(int variable) const {
        const std::string& text = text_.variables[static_cast<std::size_t>(variable)].text;
        if (text == "\\result") return "__return";
        if (text.starts_with("\\old(")) return text.substr(5, text.size() - 6);
        return bound_.contains(variable) ? fmt::format("{}'{}", text, variable) : text;
    }

    void bind(const std::vector<stated::Heap>& heaps) {
        for (const stated::Heap& heap : heaps) bound_.insert(heap.exists.begin(), heap.exists.end());
    }

  private:
    using Kind = AssertionAtom::Kind;

    Term term(const stated::Value& value) const {
        if (value.null) return {Term::Kind::number, "", 0, nullptr};
        if (value.bare() >= 0) return {Term::Kind::name, name(value.bare()), 0, nullptr};
        if (value.sum.terms.empty()) return {Term::Kind::number, "", value.sum.constant, nullptr};
        wrong(source_.spot(value.at),
              "found a sum, expected a name or a number: contracts have no other terms");
    }

    void add(const stated::Part& part, AssertionCase& into) {
        AssertionAtom atom;
        switch (part.kind) {
        case stated::Part::Kind::cell:
            return add_cell(part, into);
        case stated::Part::Kind::call:
            atom.kind = Kind::predicate;
            atom.name = part.name;
            for (const stated::Value& value : part.values) atom.args.push_back(term(value));
            break;
        case stated::Part::Kind::equal:
        case stated::Part::Kind::different:
        case stated::Part::Kind::at_most:
            atom.kind = part.kind == stated::Part::Kind::equal       ? Kind::equal
                        : part.kind == stated::Part::Kind::different ? Kind::not_equal
                                                                     : Kind::less_equal;
            atom.a = term(part.values[0]);
            atom.b = term(part.values[1]);
        }
        into.atoms.push_back(std::move(atom));
    }

    static bool called(const RecordType::Field& field, const std::string& name) {
        return field.name == name || field.role == name;
    }

    const RecordType& record_of(const stated::Part& part) const {
        const RecordType* found = nullptr;
        for (const RecordType& record : program_.records) {
            const bool all =
                record.structure && std::all_of(part.links.begin(), part.links.end(), [&](const auto& link) {
                    return std::any_of(record.fields.begin(), record.fields.end(),
                                       [&](const auto& field) { return called(field, link.first); });
                });
            if (!all) continue;
            if (found)
                wrong(source_.spot(part.at),
                      "found a cell that may be of several structs, expected fields that tell them apart");
            found = &record;
        }
        if (!found) wrong(source_.spot(part.at), "found a cell with fields that no struct has");
        return *found;
    }

    void add_cell(const stated::Part& part, AssertionCase& into) {
        const Term root = term(part.values[0]);
        for (const RecordType::Field& field : record_of(part).fields) {
            AssertionAtom atom;
            atom.kind = Kind::cell;
            atom.a = {Term::Kind::field_address, field.name, 0, std::make_shared<Term>(root)};
            const auto given = std::find_if(part.links.begin(), part.links.end(),
                                            [&](const auto& link) { return called(field, link.first); });
            if (given != part.links.end()) {
                atom.b = term(given->second);
            } else {
                into.exists.push_back(fmt::format("{}'{}'", field.name, ++fresh_));
                atom.b = {Term::Kind::name, into.exists.back(), 0, nullptr};
            }
            into.atoms.push_back(std::move(atom));
        }
    }

    const stated::Text& text_;
    const Joined& source_;
    const Program& program_;
    std::set<int> bound_;
    int fresh_ = 0;
};

std::string one_line(const std::vector<const Clause*>& clauses) {
    std::string text;
    for (const Clause* clause : clauses) {
        text += (text.empty() ? "" : " ") + clause->keyword;
        for (const Clause::Line& line : clause->lines) text += line.text;
    }
    return text;
}

} // namespace

Defined::Defined(const std::vector<Clause>& clauses, Program& program) : program_(program) {
    Joined source;
    for (const Clause& clause : clauses) {
        if (clause.keyword != "define") continue;
        definitions_.push_back(&clause);
        source.add("define", clause, ";");
    }
    if (definitions_.empty()) return;
    const stated::Text text = source.parse();
    for (const stated::WrittenDefinition& one : text.definitions) {
        Translator translator(text, source, program);
        translator.bind(one.body);
        Definition made;
        made.name = one.name;
        for (const int parameter : one.parameters)
            made.parameters.push_back(text.variables[static_cast<std::size_t>(parameter)].text);
        made.body = translator.assertion(one.body);
        program.definitions.push_back(std::move(made));
    }
}

bool Defined::uses(const std::vector<const Clause*>& clauses) const {
    if (definitions_.empty()) return false;
    for (const Clause* clause : clauses) try {
            parse(*clause, {});
        } catch (const Error&) {
            return true;
        }
    return false;
}

void Defined::contract(const std::vector<const Clause*>& clauses, WrittenContract prototype) {
    const auto is_ensures = [](const Clause* clause) { return clause->keyword == "ensures"; };
    if (std::none_of(clauses.begin(), clauses.end(), is_ensures))
        wrong(clauses[0]->spot,
              "found no ensures beside it, expected one: a contract with definitions is proved as a whole");
    for (const std::string& parameter : prototype.parameters)
        if (parameter == "nil" || parameter == "null")
            wrong(clauses[0]->spot,
                  fmt::format("found a parameter '{}', which means NULL beside definitions; expected "
                              "another name",
                              parameter));
    Joined source;
    for (const Clause* definition : definitions_) source.add("define", *definition, ";");
    for (const char* keyword : {"requires", "ensures"}) {
        source.add("emp", clauses[0]->spot);
        for (const Clause* clause : clauses)
            if (clause->keyword == keyword) source.add(" * (", *clause, ")");
        if (keyword[0] == 'r') source.add("|-", clauses[0]->spot);
    }
    const stated::Text text = source.parse();
    if (text.questions.size() != 1) wrong(clauses[0]->spot, "found several formulas, expected one");
    const stated::WrittenQuestion& question = text.questions[0];
    Translator translator(text, source, program_);
    translator.bind(question.left);
    translator.bind(question.right);
    for (const int variable : question.names) {
        const std::string name = translator.name(variable);
        const auto& parameters = prototype.parameters;
        if (name != "__return" && std::find(parameters.begin(), parameters.end(), name) == parameters.end())
            wrong(source.spot(text.variables[static_cast<std::size_t>(variable)].at),
                  fmt::format(
                      "'{}' is not a parameter; contracts with definitions speak of parameters ({}) and "
                      "\\result",
                      name, parameters.empty() ? "none" : fmt::format("{}", fmt::join(parameters, ", "))));
    }
    prototype.requires_ = translator.assertion(question.left);
    prototype.ensures = translator.assertion(question.right);
    prototype.text = one_line(clauses);
    program_.contracts.push_back(std::move(prototype));
}

} // namespace ggsnn::verify
