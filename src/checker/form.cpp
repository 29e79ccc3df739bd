#include "ggsnn/checker/form.hpp"

namespace ggsnn::checker {

namespace {

// Only this of what an object may hold is looked at, so nothing else may stand there.
void allow(const Json& json, const std::set<std::string>& keys) {
    for (const auto& [key, value] : json.items())
        if (!keys.contains(key)) throw Rejected("the proof has '" + key + "' where it means nothing");
}

std::vector<std::pair<Term, Term>> read_pairs(const Json& json) {
    std::vector<std::pair<Term, Term>> pairs;
    for (const Json& pair : json) pairs.push_back(read_pair(pair));
    return pairs;
}

std::vector<Linear> read_conditions(const Json& json) {
    std::vector<Linear> conditions;
    for (const Json& one : json) conditions.push_back(read_linear(one));
    return conditions;
}

std::map<std::string, Term> read_fields(const Json& json) {
    std::map<std::string, Term> fields;
    for (const auto& [field, value] : json.items()) fields[field] = read_term(value);
    return fields;
}

Clause read_clause(const Json& json, const Problem& problem) {
    allow(json, {"cells", "calls", "equal", "distinct", "numbers"});
    const auto part = [&](const char* key) { return json.contains(key) ? json.at(key) : Json::array(); };
    Clause clause;
    for (const Json& cell : part("cells"))
        clause.cells.push_back({read_term(cell.at(0)), read_fields(cell.at(1))});
    for (const Json& json_call : part("calls")) {
        Call call{json_call.at(0).get<std::string>(), {}};
        for (std::size_t i = 1; i < json_call.size(); ++i)
            call.arguments.push_back(read_term(json_call.at(i)));
        const auto found = problem.definitions.find(call.definition);
        if (found == problem.definitions.end() ||
            found->second.parameters != static_cast<int>(call.arguments.size()))
            throw Rejected("no definition " + call.definition + " with so many arguments");
        clause.calls.push_back(std::move(call));
    }
    clause.equal = read_pairs(part("equal"));
    clause.distinct = read_pairs(part("distinct"));
    clause.linear = read_conditions(part("numbers"));
    return clause;
}

// Of summaries, where parameters are $1, $2, ..
std::vector<std::pair<Term, Term>> read_parameter_pairs(const Json& json) {
    return json.get<std::vector<std::pair<Term, Term>>>();
}

std::vector<Linear> read_parameter_conditions(const Json& json) {
    std::vector<Linear> conditions;
    for (const Json& one : json) {
        Linear condition =
            read_linear({{"sum", Json::object()}, {"constant", one.at("constant")}, {"is", one.at("is")}});
        condition.sum = one.at("sum").get<std::map<Term, std::int64_t>>();
        conditions.push_back(std::move(condition));
    }
    return conditions;
}

// A summary speaks of parameters, and its conditions of the size ($0), too.
void require_parameters(const Summary& summary, int count) {
    std::set<Term> known{nil};
    for (int p = 1; p <= count; ++p) known.insert("$" + std::to_string(p));
    const auto look = [&](const Term& term) {
        if (!known.contains(term)) throw Rejected("a summary speaks of " + term);
    };
    for (const Summary::Case& one : summary.cases) {
        for (const auto* pairs : {&one.equal, &one.distinct})
            for (const auto& [a, b] : *pairs) look(a), look(b);
        for (const Term& term : one.allocated) look(term);
    }
    known.insert("$0");
    for (const auto* conditions : {&summary.empty, &summary.nonempty})
        for (const Linear& one : *conditions)
            for (const auto& [term, coefficient] : one.sum) look(term);
}

} // namespace

Term read_term(const Json& json) {
    const Term term = json.get<Term>();
    if (term.empty() || term[0] == '$') throw Rejected("'" + term + "' as the name of a term");
    return term;
}

std::pair<Term, Term> read_pair(const Json& json) {
    if (json.size() != 2) throw Rejected("a pair has two terms");
    return {read_term(json.at(0)), read_term(json.at(1))};
}

Linear read_linear(const Json& json) {
    Linear result;
    if (json.is_string()) {
        if (const Term term = read_term(json); term != nil) result.sum[term] = 1;
        return result;
    }
    allow(json, {"sum", "constant", "is"});
    for (const auto& [name, coefficient] : json.at("sum").items())
        result.sum[read_term(name)] = coefficient.get<std::int64_t>();
    result.constant = json.at("constant").get<std::int64_t>();
    const std::string is = json.contains("is") ? json.at("is").get<std::string>() : "=";
    if (is != "=" && is != "!=" && is != "<=") throw Rejected("the relation " + is);
    result.relation = is == "=" ? '=' : is == "!=" ? '#' : '<';
    return result;
}

Sequent read_sequent(const Json& json, const Problem& problem) {
    allow(json, {"left", "right", "exists"});
    Sequent sequent{read_clause(json.at("left"), problem), read_clause(json.at("right"), problem), {}};
    for (const Json& name : json.at("exists")) sequent.exists.insert(read_term(name));
    for (const Term& term : terms_of(sequent.left))
        if (sequent.exists.contains(term)) throw Rejected(term + " is existential, but stands on the left");
    if (sequent.exists.contains(nil)) throw Rejected("nil is existential");
    return sequent;
}

std::map<std::string, Summary> read_summaries(const Json& json, const Problem& problem) {
    std::map<std::string, Summary> summaries;
    for (const auto& [name, one] : json.items()) {
        allow(one, {"cases", "empty", "nonempty"});
        Summary& summary = summaries[name];
        for (const Json& json_case : one.at("cases")) {
            allow(json_case, {"equal", "distinct", "allocated", "cells"});
            summary.cases.push_back(
                {read_parameter_pairs(json_case.at("equal")), read_parameter_pairs(json_case.at("distinct")),
                 json_case.at("allocated").get<std::vector<Term>>(), json_case.at("cells").get<bool>()});
        }
        summary.empty = read_parameter_conditions(one.at("empty"));
        summary.nonempty = read_parameter_conditions(one.at("nonempty"));
        require_parameters(summary, problem.definitions.at(name).parameters);
    }
    return summaries;
}

std::vector<std::pair<Term, Linear>> read_choices(const Json& node) {
    std::vector<std::pair<Term, Linear>> choices;
    if (!node.contains("chosen")) return choices;
    for (const Json& one : node.at("chosen"))
        choices.emplace_back(read_term(one.at(0)), read_linear(one.at(1)));
    return choices;
}

} // namespace ggsnn::checker
