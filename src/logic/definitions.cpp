// From formulas to clauses and definitions: each shape of ls, tree or dll atom (its kind and its body)
// becomes one definition; a strict atom becomes its first cell and a plain call.
#include "logic/definitions.hpp"

#include <algorithm>
#include <map>

namespace ggsnn::logic {

namespace {

using Scope = std::map<std::string, Term>;

class Compiler {
  public:
    explicit Compiler(Problem& problem) : problem_(problem) {}

    Clause clause(const SymbolicHeap& heap) {
        Clause result;
        Scope scope;
        for (const std::string& name : free_names(heap)) scope[name] = problem_.name(name);
        result.terms = static_cast<int>(problem_.names.size());
        add(heap, scope, result);
        return result;
    }

  private:
    static Term term(const Scope& scope, const std::string& name) {
        return name == null_name ? null_term : scope.at(name);
    }

    void add(const SymbolicHeap& heap, Scope scope, Clause& into) {
        for (const std::string& name : heap.exists) scope[name] = into.fresh();
        for (const Pure& pure : heap.pure)
            (pure.equal ? into.equal : into.distinct)
                .emplace_back(term(scope, pure.left), term(scope, pure.right));
        for (const Atom& atom : heap.atoms) add(atom, scope, into);
    }

    // A body in canonical form, so that equal bodies share a definition and empty ones vanish.
    static Atom with_canonical_body(const Atom& atom) {
        if (!atom.body) return atom;
        SymbolicHeap heap;
        heap.atoms.push_back(atom);
        return canonical(Formula{{std::move(heap)}}).heaps[0].atoms[0];
    }

    void add(const Atom& written, const Scope& scope, Clause& into) {
        const Atom atom = with_canonical_body(written);
        std::vector<Term> arguments;
        for (const std::string& name : atom.arguments) arguments.push_back(term(scope, name));
        if (atom.kind == Atom::Kind::none) {
            into.dangling.push_back(arguments[0]);
        } else if (atom.kind == Atom::Kind::cell) {
            CellAtom cell{arguments[0], {}};
            for (const auto& [field, value] : atom.links)
                cell.links.push_back({problem_.field(field), term(scope, value)});
            into.cells.push_back(std::move(cell));
        } else {
            for (const std::string& name : outer_names(atom)) arguments.push_back(term(scope, name));
            const int definition = define(atom);
            if (!atom.strict) {
                into.calls.push_back({definition, std::move(arguments)});
                return;
            }
            // ls+ is one step of ls without its guard root != out; a tree's step has no guard.
            Clause step = problem_.definitions[static_cast<std::size_t>(definition)].rules[1];
            step.distinct.clear();
            instantiate(step, arguments, into);
        }
    }

    // Free names of the body: further parameters of the definition.
    static std::vector<std::string> outer_names(const Atom& atom) {
        if (!atom.body) return {};
        std::set<std::string> names = free_names(atom.body->heap);
        names.erase(atom.body->parameter);
        return {names.begin(), names.end()};
    }

    // The atom with its own names replaced by positions.
    static Atom shape_of(const Atom& atom) {
        Atom shape = atom;
        shape.strict = false;
        const std::vector<std::string> outer = outer_names(atom);
        if (atom.body) {
            std::map<std::string, std::string> positions;
            for (std::size_t i = 0; i < outer.size(); ++i) positions[outer[i]] = fmt::format("${}", i);
            shape.body = std::make_shared<const Lambda>(
                Lambda{atom.body->parameter, substitute(atom.body->heap, positions)});
        }
        for (std::size_t i = 0; i < shape.arguments.size(); ++i) shape.arguments[i] = fmt::format("#{}", i);
        return shape;
    }

    static std::string key(const Atom& shape) {
        SymbolicHeap heap;
        heap.atoms.push_back(shape);
        return print(canonical(Formula{{std::move(heap)}}), Reading::program);
    }

    int define(const Atom& atom) {
        Atom shape = shape_of(atom);
        const std::string name = key(shape);
        for (std::size_t i = 0; i < problem_.definitions.size(); ++i)
            if (problem_.definitions[i].name == name) return static_cast<int>(i);
        const int number = static_cast<int>(problem_.definitions.size());
        problem_.definitions.push_back(
            {name, 0, {}, std::make_shared<const Atom>(std::move(shape)), -1, std::nullopt});
        const std::vector<std::string> outer = outer_names(atom);
        const int own = static_cast<int>(atom.arguments.size());
        const int parameters = own + static_cast<int>(outer.size());
        std::vector<Clause> rules = atom.kind == Atom::Kind::list   ? list_rules(number, parameters)
                                    : atom.kind == Atom::Kind::tree ? tree_rules(number, parameters)
                                                                    : dll_rules(number, parameters);
        if (atom.body) {
            Clause& step = rules[1];
            const Term value = step.fresh();
            step.cells[0].links.push_back({problem_.field("val"), value});
            Scope scope;
            for (std::size_t i = 0; i < outer.size(); ++i) scope[outer[i]] = own + 1 + static_cast<int>(i);
            scope[atom.body->parameter] = value;
            add(atom.body->heap, scope, step);
        }
        Definition& definition = problem_.definitions[static_cast<std::size_t>(number)];
        definition.parameters = parameters;
        definition.rules = std::move(rules);
        return number;
    }

    // The self call over all parameters, with some replaced.
    static Call self(int number, int parameters, std::initializer_list<std::pair<int, Term>> changes) {
        Call call{number, {}};
        for (int i = 1; i <= parameters; ++i) call.arguments.push_back(i);
        for (const auto& [parameter, value] : changes)
            call.arguments[static_cast<std::size_t>(parameter - 1)] = value;
        return call;
    }

    static std::vector<Clause> rules_of(int parameters) {
        Clause empty;
        empty.terms = parameters + 1;
        return {empty, empty};
    }

    // ls(x, y): x = y, emp  |  x != y, x |-> {next: u} * ls(u, y)
    std::vector<Clause> list_rules(int number, int parameters) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, 2}};
        const Term next = rules[1].fresh();
        rules[1].distinct = {{1, 2}};
        rules[1].cells = {{1, {{problem_.field("next"), next}}}};
        rules[1].calls = {self(number, parameters, {{1, next}})};
        return rules;
    }

    // tree(x): x = NULL, emp  |  x |-> {left: l, right: r} * tree(l) * tree(r)
    std::vector<Clause> tree_rules(int number, int parameters) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, null_term}};
        const Term left = rules[1].fresh(), right = rules[1].fresh();
        rules[1].cells = {{1, {{problem_.field("left"), left}, {problem_.field("right"), right}}}};
        rules[1].calls = {self(number, parameters, {{1, left}}), self(number, parameters, {{1, right}})};
        return rules;
    }

    // dll(x, last, before, y): x = y, last = before, emp
    //                        | x != y, x |-> {next: u, prev: before} * dll(u, last, x, y)
    std::vector<Clause> dll_rules(int number, int parameters) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, 4}, {2, 3}};
        const Term next = rules[1].fresh();
        rules[1].distinct = {{1, 4}};
        rules[1].cells = {{1, {{problem_.field("next"), next}, {problem_.field("prev"), 3}}}};
        rules[1].calls = {self(number, parameters, {{1, next}, {3, 1}})};
        return rules;
    }

    Problem& problem_;
};

} // namespace

int Problem::field(const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i] == name) return static_cast<int>(i);
    fields.push_back(name);
    return static_cast<int>(fields.size()) - 1;
}

Term Problem::name(const std::string& text, int sort) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text) return static_cast<Term>(i);
    names.push_back(text);
    sorts.push_back(sort);
    return static_cast<Term>(names.size()) - 1;
}

Atom atom_of(const Definition& definition, const std::vector<std::string>& names) {
    GGSNN_ASSERT(definition.shape && names.size() == static_cast<std::size_t>(definition.parameters));
    const std::size_t own = definition.shape->arguments.size();
    std::map<std::string, std::string> terms;
    for (std::size_t i = 0; i < names.size(); ++i)
        terms[i < own ? definition.shape->arguments[i] : fmt::format("${}", i - own)] = names[i];
    // As an atom of a heap, so that a parameter of the body that would capture a name is renamed.
    SymbolicHeap heap;
    heap.atoms.push_back(*definition.shape);
    return substitute(heap, terms).atoms[0];
}

void instantiate(const Clause& rule, const std::vector<Term>& arguments, Clause& into) {
    const int parameters = static_cast<int>(arguments.size());
    const int first_local = into.terms;
    into.terms += rule.terms - 1 - parameters;
    const auto moved = [&](Term term) {
        return term == null_term    ? null_term
               : term <= parameters ? arguments[static_cast<std::size_t>(term - 1)]
                                    : first_local + term - parameters - 1;
    };
    for (const auto& [a, b] : rule.equal) into.equal.emplace_back(moved(a), moved(b));
    for (const auto& [a, b] : rule.distinct) into.distinct.emplace_back(moved(a), moved(b));
    for (const Term term : rule.dangling) into.dangling.push_back(moved(term));
    for (const CellAtom& cell : rule.cells) {
        into.cells.push_back({moved(cell.root), cell.links});
        for (Link& link : into.cells.back().links) link.value = moved(link.value);
    }
    for (const Call& call : rule.calls) {
        into.calls.push_back(call);
        for (Term& argument : into.calls.back().arguments) argument = moved(argument);
    }
}

std::vector<Clause> compile(const Formula& formula, Problem& problem) {
    // All names first: the existentials of a clause are numbered after every free name.
    for (const std::string& name : free_names(formula)) problem.name(name);
    std::vector<Clause> clauses;
    for (const SymbolicHeap& heap : formula.heaps) clauses.push_back(Compiler(problem).clause(heap));
    return clauses;
}

Problem compile(const Formula& left, const Formula& right) {
    Problem problem;
    for (const Formula* formula : {&left, &right})
        for (const std::string& name : free_names(*formula)) problem.name(name);
    problem.left = compile(left, problem);
    problem.right = compile(right, problem);
    const std::string trouble = analyse(problem.definitions);
    GGSNN_ASSERT(trouble.empty());
    return problem;
}

} // namespace ggsnn::logic
