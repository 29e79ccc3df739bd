// From formulas to clauses and definitions: each shape of ls, tree or dll atom (its kind, its tag and
// its body) becomes one definition; a strict atom becomes its first cell and a plain call.
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ggsnn::logic {

namespace {

using Scope = std::map<std::string, Term>;

class Compiler {
  public:
    Compiler(Problem& problem, Budget* budget) : problem_(problem), budget_(budget) {
        for (std::size_t i = 0; i < problem.names.size(); ++i)
            names_.emplace(problem.names[i], static_cast<Term>(i));
        for (std::size_t i = 0; i < problem.fields.size(); ++i)
            fields_.emplace(problem.fields[i], static_cast<int>(i));
        for (std::size_t i = 0; i < problem.definitions.size(); ++i)
            definitions_.emplace(problem.definitions[i].name, static_cast<int>(i));
    }

    void declare(const std::set<std::string>& names) {
        for (const std::string& name : names) {
            if (!names_.emplace(name, static_cast<Term>(problem_.names.size())).second) continue;
            problem_.names.push_back(name);
            problem_.sorts.push_back(0);
        }
    }

    // REQUIRES that the free names of the heap are declared.
    Clause clause(const SymbolicHeap& heap) {
        Clause result;
        Scope scope;
        for (const std::string& name : free_names(heap)) scope[name] = names_.at(name);
        result.terms = static_cast<int>(problem_.names.size());
        add(heap, scope, result);
        require(1, bytes(result));
        return result;
    }

  private:
    void require(std::size_t work, std::size_t memory = 0) {
        if (budget_) budget_->require(work, memory);
    }

    int field(const std::string& name) {
        const auto [at, fresh] = fields_.emplace(name, static_cast<int>(problem_.fields.size()));
        if (fresh) problem_.fields.push_back(name);
        return at->second;
    }

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
    Atom with_canonical_body(const Atom& atom) {
        Atom result = atom;
        if (!atom.body) return result;
        const std::string text = atom.body->parameter + "\n" + print_tagged(atom.body->heap);
        const auto [at, fresh] = bodies_.emplace(text, nullptr);
        if (fresh) {
            Atom alone = atom; // the body does not see the arguments
            std::fill(alone.arguments.begin(), alone.arguments.end(), null_name);
            SymbolicHeap heap;
            heap.atoms.push_back(std::move(alone));
            at->second = canonical(Formula{{std::move(heap)}}).heaps[0].atoms[0].body;
            require(2000, 2 * text.size());
        }
        result.body = at->second;
        return result;
    }

    void add(const Atom& written, const Scope& scope, Clause& into) {
        require(20 + written.links.size());
        const Atom atom = with_canonical_body(written);
        std::vector<Term> arguments;
        for (const std::string& name : atom.arguments) arguments.push_back(term(scope, name));
        if (atom.kind == Atom::Kind::none) {
            into.dangling.push_back(arguments[0]);
        } else if (atom.kind == Atom::Kind::cell) {
            CellAtom cell{arguments[0], {}};
            for (const auto& [name, value] : atom.links)
                cell.links.push_back({field(tagged_field(name, atom.tag)), term(scope, value)});
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
        return print_tagged(canonical(Formula{{std::move(heap)}}));
    }

    int define(const Atom& atom) {
        Atom shape = shape_of(atom);
        const std::string name = key(shape);
        const int number = static_cast<int>(problem_.definitions.size());
        if (const auto [at, fresh] = definitions_.emplace(name, number); !fresh) return at->second;
        problem_.definitions.push_back(
            {name, 0, {}, std::make_shared<const Atom>(std::move(shape)), -1, std::nullopt});
        const std::vector<std::string> outer = outer_names(atom);
        const int own = static_cast<int>(atom.arguments.size());
        const int parameters = own + static_cast<int>(outer.size());
        std::vector<Clause> rules = atom.kind == Atom::Kind::list   ? list_rules(number, parameters, atom.tag)
                                    : atom.kind == Atom::Kind::tree ? tree_rules(number, parameters, atom.tag)
                                                                    : dll_rules(number, parameters, atom.tag);
        if (atom.body) {
            Clause& step = rules[1];
            const Term value = step.fresh();
            step.cells[0].links.push_back({field("val" + atom.tag), value});
            Scope scope;
            for (std::size_t i = 0; i < outer.size(); ++i) scope[outer[i]] = own + 1 + static_cast<int>(i);
            scope[atom.body->parameter] = value;
            add(atom.body->heap, scope, step);
        }
        for (const Clause& rule : rules) require(1, bytes(rule));
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
    std::vector<Clause> list_rules(int number, int parameters, const std::string& tag) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, 2}};
        const Term next = rules[1].fresh();
        rules[1].distinct = {{1, 2}};
        rules[1].cells = {{1, {{field("next" + tag), next}}}};
        rules[1].calls = {self(number, parameters, {{1, next}})};
        return rules;
    }

    // tree(x): x = NULL, emp  |  x |-> {left: l, right: r} * tree(l) * tree(r)
    std::vector<Clause> tree_rules(int number, int parameters, const std::string& tag) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, null_term}};
        const Term left = rules[1].fresh(), right = rules[1].fresh();
        rules[1].cells = {{1, {{field("left" + tag), left}, {field("right" + tag), right}}}};
        rules[1].calls = {self(number, parameters, {{1, left}}), self(number, parameters, {{1, right}})};
        return rules;
    }

    // dll(x, last, before, y): x = y, last = before, emp
    //                        | x != y, x |-> {next: u, prev: before} * dll(u, last, x, y)
    std::vector<Clause> dll_rules(int number, int parameters, const std::string& tag) {
        std::vector<Clause> rules = rules_of(parameters);
        rules[0].equal = {{1, 4}, {2, 3}};
        const Term next = rules[1].fresh();
        rules[1].distinct = {{1, 4}};
        rules[1].cells = {{1, {{field("next" + tag), next}, {field("prev" + tag), 3}}}};
        rules[1].calls = {self(number, parameters, {{1, next}, {3, 1}})};
        return rules;
    }

    Problem& problem_;
    Budget* budget_;
    std::unordered_map<std::string, Term> names_;
    std::unordered_map<std::string, int> fields_, definitions_;
    std::unordered_map<std::string, std::shared_ptr<const Lambda>> bodies_; // canonical, by their text
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

std::size_t bytes(const Clause& clause) {
    std::size_t size = sizeof(Clause) + clause.dangling.size() * sizeof(Term) +
                       (clause.equal.size() + clause.distinct.size()) * sizeof(std::pair<Term, Term>);
    for (const CellAtom& cell : clause.cells) size += sizeof cell + cell.links.size() * sizeof(Link);
    for (const Call& call : clause.calls) size += sizeof call + call.arguments.size() * sizeof(Term);
    return size;
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

std::vector<Clause> compile(const Formula& formula, Problem& problem, Budget* budget) {
    Compiler compiler(problem, budget);
    // All names first: the existentials of a clause are numbered after every free name.
    compiler.declare(free_names(formula));
    std::vector<Clause> clauses;
    for (const SymbolicHeap& heap : formula.heaps) clauses.push_back(compiler.clause(heap));
    return clauses;
}

Problem compile(const Formula& left, const Formula& right, Budget* budget) {
    Problem problem;
    Compiler compiler(problem, budget);
    compiler.declare(free_names(left));
    compiler.declare(free_names(right));
    for (const SymbolicHeap& heap : left.heaps) problem.left.push_back(compiler.clause(heap));
    for (const SymbolicHeap& heap : right.heaps) problem.right.push_back(compiler.clause(heap));
    const std::string trouble = analyse(problem.definitions, budget);
    GGSNN_ASSERT(trouble.empty());
    return problem;
}

} // namespace ggsnn::logic
