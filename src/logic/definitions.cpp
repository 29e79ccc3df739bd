// The table of the predicates of formulas, and what is read off it.
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace ggsnn::logic {

const std::vector<Predicate>& predicates() {
    using Kind = Atom::Kind;
    static const std::vector<Predicate> table{
        {Kind::list,
         "ls",
         {"x", "y"},
         true,
         {"x", "NULL"},
         {"x = y", //
          "exists u . x != y * x |-> {next: u} * ls(u, y)"}},
        {Kind::tree,
         "tree",
         {"x"},
         true,
         {"x"},
         {"x = NULL", //
          "exists l, r . x |-> {left: l, right: r} * tree(l) * tree(r)"}},
        {Kind::dll,
         "dll",
         {"x", "last", "before", "y"},
         false,
         {"x", "l", "NULL", "NULL"},
         {"x = y * last = before", //
          "exists u . x != y * x |-> {next: u, prev: before} * dll(u, last, x, y)"}},
        {Kind::ptree,
         "ptree",
         {"x", "up"},
         false,
         {"x", "NULL"},
         {"x = NULL", //
          "exists l, r . x |-> {left: l, right: r, parent: up} * ptree(l, x) * ptree(r, x)"},
         false},
        {Kind::treeseg,
         "treeseg",
         {"x", "y"},
         false,
         {"x", "y"},
         {"x = y", //
          "exists l, r . x != y * x |-> {left: l, right: r} * treeseg(l, y) * tree(r)",
          "exists l, r . x != y * x |-> {left: l, right: r} * tree(l) * treeseg(r, y)"},
         false},
        {Kind::ptreeseg,
         "ptreeseg",
         {"x", "up", "y", "over"},
         false,
         {"x", "NULL", "y", "over"},
         {"x = y * up = over", //
          "exists l, r . x != y * x |-> {left: l, right: r, parent: up} * ptreeseg(l, x, y, over) * "
          "ptree(r, x)",
          "exists l, r . x != y * x |-> {left: l, right: r, parent: up} * ptree(l, x) * "
          "ptreeseg(r, x, y, over)"},
         false},
    };
    return table;
}

namespace {

std::size_t number_of(Atom::Kind kind) {
    const auto& table = predicates();
    const auto at = std::find_if(table.begin(), table.end(), [&](const auto& p) { return p.kind == kind; });
    GGSNN_ASSERT(at != table.end());
    return static_cast<std::size_t>(at - table.begin());
}

// ---- from text to rules

Clause rule_of(const std::string& text, const Predicate& predicate, Problem& problem) {
    const Formula formula = parse_formula(text, Reading::program);
    GGSNN_ASSERT(formula.heaps.size() == 1);
    const SymbolicHeap& heap = formula.heaps[0];
    Clause rule;
    std::map<std::string, TermId> scope{{null_name, null_term}};
    for (const std::string& parameter : predicate.parameters) scope[parameter] = rule.fresh();
    for (const std::string& local : heap.exists) scope[local] = rule.fresh();
    for (const Pure& pure : heap.pure)
        (pure.equal ? rule.equal : rule.distinct).emplace_back(scope.at(pure.left), scope.at(pure.right));
    for (const Atom& atom : heap.atoms) {
        if (atom.kind == Atom::Kind::cell) {
            rule.cells.push_back({scope.at(atom.root()), {}});
            for (const auto& [field, value] : atom.links)
                rule.cells.back().links.push_back({problem.field(field), scope.at(value)});
        } else {
            GGSNN_ASSERT(is_structure(atom) && !atom.strict && !atom.body);
            rule.calls.push_back({static_cast<int>(number_of(atom.kind)), {}});
            for (const std::string& name : atom.arguments)
                rule.calls.back().arguments.push_back(scope.at(name));
        }
    }
    return rule;
}

// ---- what the rules say

std::vector<Clause> strict_rules(const Definition& definition) {
    std::vector<Clause> rules;
    for (const Clause& rule : definition.rules) {
        if (rule.cells.empty()) continue;
        rules.push_back(rule);
        rules.back().distinct.clear();
    }
    return rules;
}

// P(x, last, before, y) from its end is P(x, p, before, last) with the step's cell at last, p before it and y
// behind it. The guards of the step say that neither the first nor the last cell is y.
std::optional<Clause> back_rule(const Definition& definition) {
    if (!definition.segment || definition.segment->last < 0) return std::nullopt;
    const Segment& s = *definition.segment;
    const Clause& step = definition.rules[static_cast<std::size_t>(s.step_rule)];
    const Call& self = step.calls[static_cast<std::size_t>(s.self_call)];
    const TermId next = self.arguments[static_cast<std::size_t>(s.root - 1)], previous = step.terms;
    const auto moved = [&](TermId term) {
        return term == s.root ? s.last : term == s.before ? previous : term == next ? s.out : term;
    };
    Clause rule;
    rule.terms = step.terms + 1;
    rule.distinct = step.distinct;
    for (const auto& [a, b] : step.distinct) rule.distinct.emplace_back(moved(a), moved(b));
    for (CellAtom cell : step.cells) {
        cell.root = moved(cell.root);
        for (Link& link : cell.links) link.value = moved(link.value);
        rule.cells.push_back(std::move(cell));
    }
    for (std::size_t c = 0; c < step.calls.size(); ++c) {
        Call call = step.calls[c];
        if (static_cast<int>(c) == s.self_call) {
            std::iota(call.arguments.begin(), call.arguments.end(), 1);
            call.arguments[static_cast<std::size_t>(s.last - 1)] = previous;
            call.arguments[static_cast<std::size_t>(s.out - 1)] = s.last;
        } else {
            for (TermId& argument : call.arguments) argument = moved(argument);
        }
        rule.calls.push_back(std::move(call));
    }
    return rule;
}

// Which names of the rules stand for the same kind of place: parameters, and then the locals of each rule.
class Places {
  public:
    Places(const Definition& definition, int number) : parameters_(definition.parameters) {
        for (const Clause& rule : definition.rules) {
            offsets_.push_back(static_cast<int>(parent_.size()) - (offsets_.empty() ? 0 : parameters_ + 1));
            while (static_cast<int>(parent_.size()) < offsets_.back() + rule.terms)
                parent_.push_back(static_cast<int>(parent_.size()));
        }
        for (std::size_t r = 0; r < definition.rules.size(); ++r) {
            for (const auto& [a, b] : definition.rules[r].equal) join(at(r, a), at(r, b));
            for (const Call& call : definition.rules[r].calls)
                for (int p = 1; p <= parameters_ && call.definition == number; ++p)
                    join(p, at(r, call.arguments[static_cast<std::size_t>(p - 1)]));
        }
    }

    bool alike(std::size_t rule, TermId a, TermId b) const { return find(at(rule, a)) == find(at(rule, b)); }

  private:
    int at(std::size_t rule, TermId term) const { return term <= parameters_ ? term : offsets_[rule] + term; }
    int find(int i) const {
        while (parent_[static_cast<std::size_t>(i)] != i) i = parent_[static_cast<std::size_t>(i)];
        return i;
    }
    void join(int a, int b) { // NULL is any kind of place
        if (a != null_term && b != null_term) parent_[static_cast<std::size_t>(find(a))] = find(b);
    }

    int parameters_;
    std::vector<int> offsets_, parent_;
};

void find_roles(Meaning& meaning, int number, const std::vector<std::string>& fields) {
    const Definition& d = meaning.definition;
    const Places places(d, number);
    for (int p = 1; p <= d.parameters; ++p)
        if (places.alike(0, 1, p)) meaning.own.push_back(p - 1);
    for (std::size_t r = 0; r < d.rules.size(); ++r)
        for (const CellAtom& cell : d.rules[r].cells)
            for (const Link& link : cell.links) {
                const std::string& field = fields[static_cast<std::size_t>(link.field)];
                auto role = std::find_if(meaning.roles.begin(), meaning.roles.end(),
                                         [&](const Role& known) { return known.field == field; });
                if (role == meaning.roles.end()) role = meaning.roles.insert(role, {field, false, false});
                role->own |= places.alike(r, 1, link.value);
                for (const Call& call : d.rules[r].calls)
                    role->onward |= call.definition == number && call.arguments[0] == link.value;
            }
}

void find_end(Meaning& meaning) {
    for (const Clause& rule : meaning.definition.rules)
        for (const auto& [a, b] : rule.equal)
            if (rule.cells.empty() && (a == 1 || b == 1)) meaning.end = a == 1 ? b : a;
}

// The link back of a rule's cell leads to a parameter; the case without cells says which parameter is the
// same where nothing is left: ls: none; dll: last = before.
Ends find_ends(const Meaning& meaning, const std::vector<std::string>& fields) {
    Ends ends;
    if (meaning.end && *meaning.end != null_term) ends.end = *meaning.end - 1;
    const Clause& step = meaning.strict.front();
    for (const Link& link : step.cells.at(0).links) {
        const std::string& field = fields[static_cast<std::size_t>(link.field)];
        const bool leads_back =
            std::any_of(meaning.roles.begin(), meaning.roles.end(),
                        [&](const Role& role) { return role.field == field && role.own && !role.onward; });
        if (!leads_back) continue;
        ends.back_field = field;
        if (link.value != null_term && link.value <= meaning.definition.parameters)
            ends.back = link.value - 1;
    }
    for (const Clause& rule : meaning.definition.rules)
        for (const auto& [a, b] : rule.equal)
            if (rule.cells.empty() && ends.back >= 0 && (a == ends.back + 1 || b == ends.back + 1))
                ends.last = (a == ends.back + 1 ? b : a) - 1;
    return ends;
}

struct BuiltIn {
    std::vector<std::string> fields;
    std::vector<Meaning> meanings;
    std::vector<Ends> ends;
};

BuiltIn read_table() {
    Problem problem;
    for (const Predicate& predicate : predicates()) {
        Definition definition;
        definition.name = predicate.word;
        definition.parameters = static_cast<int>(predicate.parameters.size());
        for (const std::string& text : predicate.cases)
            definition.rules.push_back(rule_of(text, predicate, problem));
        problem.definitions.push_back(std::move(definition));
    }
    std::vector<Definition> analysed = problem.definitions;
    const std::string trouble = analyse(analysed);
    GGSNN_ASSERT(trouble.empty());
    BuiltIn result;
    result.fields = problem.fields;
    for (std::size_t i = 0; i < problem.definitions.size(); ++i) {
        Meaning meaning;
        meaning.definition = problem.definitions[i]; // its rules as they are written
        meaning.definition.root = analysed[i].root;
        meaning.definition.segment = analysed[i].segment;
        GGSNN_ASSERT(meaning.definition.root == 1);
        meaning.strict = strict_rules(meaning.definition);
        meaning.back = back_rule(meaning.definition);
        meaning.entries = {0};
        if (meaning.back) meaning.entries.push_back(meaning.definition.segment->last - 1);
        find_roles(meaning, static_cast<int>(i), problem.fields);
        find_end(meaning);
        result.ends.push_back(find_ends(meaning, problem.fields));
        result.meanings.push_back(std::move(meaning));
    }
    result.fields.push_back("val");
    return result;
}

const BuiltIn& built_in() {
    static const BuiltIn read = read_table();
    return read;
}

} // namespace

const Predicate* predicate_called(std::string_view word) {
    for (const Predicate& predicate : predicates())
        if (predicate.word == word) return &predicate;
    return nullptr;
}

const Predicate& predicate(Atom::Kind kind) {
    return predicates()[number_of(kind)];
}

const Meaning& meaning(Atom::Kind kind) {
    return built_in().meanings[number_of(kind)];
}

const Ends& ends_of(Atom::Kind kind) {
    return built_in().ends[number_of(kind)];
}

const std::vector<std::string>& built_in_fields() {
    return built_in().fields;
}

const std::vector<Clause>& cases(const Atom& structure) {
    const Meaning& m = meaning(structure.kind);
    return structure.strict ? m.strict : m.definition.rules;
}

SymbolicHeap unfold(const Atom& structure, const Clause& rule, const std::function<std::string()>& fresh) {
    std::vector<std::string> names{null_name};
    names.insert(names.end(), structure.arguments.begin(), structure.arguments.end());
    while (static_cast<int>(names.size()) < rule.terms) names.push_back(fresh());
    const auto name = [&](TermId term) { return names[static_cast<std::size_t>(term)]; };
    SymbolicHeap heap;
    for (const auto& [a, b] : rule.equal) heap.pure.push_back({true, name(a), name(b)});
    for (const auto& [a, b] : rule.distinct) heap.pure.push_back({false, name(a), name(b)});
    for (const CellAtom& cell : rule.cells) {
        Atom atom;
        atom.arguments = {name(cell.root)};
        for (const Link& link : cell.links)
            atom.links.emplace_back(built_in_fields()[static_cast<std::size_t>(link.field)] + structure.tag,
                                    name(link.value));
        heap.atoms.push_back(std::move(atom));
    }
    const std::size_t own = number_of(structure.kind);
    for (const Call& call : rule.calls) {
        Atom atom;
        atom.kind = predicates()[static_cast<std::size_t>(call.definition)].kind;
        atom.tag = structure.tag;
        if (static_cast<std::size_t>(call.definition) == own) atom.body = structure.body;
        for (const TermId term : call.arguments) atom.arguments.push_back(name(term));
        heap.atoms.push_back(std::move(atom));
    }
    if (!structure.body || rule.cells.empty()) return heap;
    std::map<std::string, std::string> terms{{structure.body->parameter, fresh()}};
    heap.atoms[0].links.emplace_back("val" + structure.tag, terms.begin()->second);
    SymbolicHeap body = structure.body->heap;
    for (const std::string& local : body.exists) terms[local] = fresh();
    body.exists.clear();
    body = substitute(body, terms);
    heap.pure.insert(heap.pure.end(), body.pure.begin(), body.pure.end());
    heap.atoms.insert(heap.atoms.end(), body.atoms.begin(), body.atoms.end());
    return heap;
}

SymbolicHeap one_cell(const Atom& structure) {
    GGSNN_ASSERT(!structure.body);
    SymbolicHeap result;
    const auto fresh = [&] { return result.exists.emplace_back(fmt::format("?{}", result.exists.size())); };
    const auto add = [&](const SymbolicHeap& part) {
        result.pure.insert(result.pure.end(), part.pure.begin(), part.pure.end());
        for (const Atom& atom : part.atoms) {
            const std::vector<Clause>& rules = meaning(structure.kind).definition.rules;
            const auto empty = std::find_if(rules.begin(), rules.end(),
                                            [](const Clause& rule) { return rule.cells.empty(); });
            if (atom.kind != structure.kind || atom.strict || empty == rules.end()) {
                result.atoms.push_back(atom);
                continue;
            }
            const SymbolicHeap nothing = unfold(atom, *empty, fresh);
            result.pure.insert(result.pure.end(), nothing.pure.begin(), nothing.pure.end());
        }
    };
    add(unfold(structure, meaning(structure.kind).strict[0], fresh));
    return canonical(Formula{{std::move(result)}}).heaps[0];
}

int Problem::field(const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i] == name) return static_cast<int>(i);
    fields.push_back(name);
    return static_cast<int>(fields.size()) - 1;
}

TermId Problem::name(const std::string& text, int sort) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text) return static_cast<TermId>(i);
    names.push_back(text);
    sorts.push_back(sort);
    return static_cast<TermId>(names.size()) - 1;
}

bool has_numbers(const Problem& problem) {
    const auto in_clauses = [](const std::vector<Clause>& clauses) {
        return std::any_of(clauses.begin(), clauses.end(),
                           [](const Clause& c) { return !c.numbers.empty() || !c.linear.empty(); });
    };
    return std::find(problem.sorts.begin(), problem.sorts.end(), number_sort) != problem.sorts.end() ||
           std::any_of(problem.definitions.begin(), problem.definitions.end(),
                       [&](const Definition& d) { return !d.numbers.empty() || in_clauses(d.rules); }) ||
           in_clauses(problem.left) || in_clauses(problem.right);
}

std::size_t bytes(const Clause& clause) {
    std::size_t size = sizeof(Clause) + clause.dangling.size() * sizeof(TermId) +
                       (clause.equal.size() + clause.distinct.size()) * sizeof(std::pair<TermId, TermId>);
    for (const CellAtom& cell : clause.cells) size += sizeof cell + cell.links.size() * sizeof(Link);
    for (const Linear& one : clause.linear) size += sizeof one + one.terms.size() * sizeof one.terms[0];
    for (const Call& call : clause.calls) size += sizeof call + call.arguments.size() * sizeof(TermId);
    return size;
}

void instantiate(const Clause& rule, const std::vector<TermId>& arguments, Clause& into) {
    const int parameters = static_cast<int>(arguments.size());
    const int first_local = into.terms;
    into.terms += rule.terms - 1 - parameters;
    const auto moved = [&](TermId term) {
        return term == null_term    ? null_term
               : term <= parameters ? arguments[static_cast<std::size_t>(term - 1)]
                                    : first_local + term - parameters - 1;
    };
    for (const auto& [a, b] : rule.equal) into.equal.emplace_back(moved(a), moved(b));
    for (const auto& [a, b] : rule.distinct) into.distinct.emplace_back(moved(a), moved(b));
    for (const TermId term : rule.dangling) into.dangling.push_back(moved(term));
    for (const TermId term : rule.numbers) into.numbers.push_back(moved(term));
    for (const Linear& condition : rule.linear) {
        Linear& one = into.linear.emplace_back();
        one.constant = condition.constant;
        one.relation = condition.relation;
        for (const auto& [term, coefficient] : condition.terms) add_term(one, moved(term), coefficient);
    }
    for (const CellAtom& cell : rule.cells) {
        into.cells.push_back({moved(cell.root), cell.links});
        for (Link& link : into.cells.back().links) link.value = moved(link.value);
    }
    for (const Call& call : rule.calls) {
        into.calls.push_back(call);
        for (TermId& argument : into.calls.back().arguments) argument = moved(argument);
    }
}

} // namespace ggsnn::logic
