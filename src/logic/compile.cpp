// From formulas to clauses and definitions: each shape of structure (its predicate, its tag and its body)
// becomes one definition, made from that of its predicate; a strict one becomes its first cell and plain
// calls.
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ggsnn::logic {

namespace {

using Scope = std::map<std::string, TermId>;

class Compiler {
  public:
    Compiler(Problem& problem, Budget* budget) : problem_(problem), budget_(budget) {
        for (std::size_t i = 0; i < problem.names.size(); ++i)
            names_.emplace(problem.names[i], static_cast<TermId>(i));
        for (std::size_t i = 0; i < problem.fields.size(); ++i)
            fields_.emplace(problem.fields[i], static_cast<int>(i));
        for (std::size_t i = 0; i < problem.definitions.size(); ++i)
            if (problem.definitions[i].shape)
                definitions_.emplace(*problem.definitions[i].shape, static_cast<int>(i));
    }

    void declare(const std::set<std::string>& names) {
        for (const std::string& name : names) {
            if (!names_.emplace(name, static_cast<TermId>(problem_.names.size())).second) continue;
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

    static TermId term(const Scope& scope, const std::string& name) {
        return name == null_name ? null_term : scope.at(name);
    }

    void add(const SymbolicHeap& heap, Scope scope, Clause& into) {
        for (const std::string& name : heap.exists) scope[name] = into.fresh();
        for (const Pure& pure : heap.pure)
            (pure.equal ? into.equal : into.distinct)
                .emplace_back(term(scope, pure.left), term(scope, pure.right));
        for (const Atom& atom : heap.atoms) add(atom, scope, into);
    }

    // A body as definitions know it: in canonical form, its free names called $0, $1, .. in order of their
    // names.
    struct Body {
        std::shared_ptr<const Lambda> shape; // null: it says nothing
        std::vector<std::string> outer;      // its free names: further arguments of the definition
    };

    static std::shared_ptr<const Lambda> canonical_body(const std::shared_ptr<const Lambda>& body) {
        Atom around;
        around.kind = Atom::Kind::list;
        around.arguments = {null_name, null_name};
        around.body = body;
        SymbolicHeap heap;
        heap.atoms.push_back(std::move(around));
        return canonical(Formula{{std::move(heap)}}).heaps[0].atoms[0].body;
    }

    // About the bytes of its text.
    static std::size_t weight(const SymbolicHeap& heap) {
        std::size_t bytes = 8 * heap.exists.size() + 16 * heap.pure.size();
        for (const Atom& atom : heap.atoms)
            bytes += 8 + 8 * atom.arguments.size() + 16 * atom.links.size() +
                     (atom.body ? weight(atom.body->heap) : 0);
        return bytes;
    }

    const Body& known_body(const std::shared_ptr<const Lambda>& written) {
        const auto [at, fresh] = bodies_.emplace(*written, Body{});
        Body& body = at->second;
        if (!fresh) return body;
        body.shape = canonical_body(written);
        require(2000, 2 * weight(written->heap));
        if (!body.shape) return body;
        std::set<std::string> names = free_names(body.shape->heap);
        names.erase(body.shape->parameter);
        body.outer.assign(names.begin(), names.end());
        if (names.empty()) return body;
        std::map<std::string, std::string> positions;
        for (std::size_t i = 0; i < body.outer.size(); ++i) positions[body.outer[i]] = fmt::format("${}", i);
        body.shape = canonical_body(std::make_shared<const Lambda>(
            Lambda{body.shape->parameter, substitute(body.shape->heap, positions)}));
        return body;
    }

    void add(const Atom& atom, const Scope& scope, Clause& into) {
        require(20 + atom.links.size());
        std::vector<TermId> arguments;
        for (const std::string& name : atom.arguments) arguments.push_back(term(scope, name));
        if (atom.kind == Atom::Kind::none) {
            into.dangling.push_back(arguments[0]);
        } else if (atom.kind == Atom::Kind::cell) {
            CellAtom cell{arguments[0], {}};
            for (const auto& [name, value] : atom.links)
                cell.links.push_back({field(tagged_field(name, atom.tag)), term(scope, value)});
            into.cells.push_back(std::move(cell));
        } else {
            Atom shape;
            shape.kind = atom.kind;
            shape.tag = atom.tag;
            shape.strict = atom.strict && meaning(atom.kind).strict.size() > 1;
            for (std::size_t i = 0; i < atom.arguments.size(); ++i)
                shape.arguments.push_back(fmt::format("#{}", i));
            if (atom.body) {
                const Body& body = known_body(atom.body);
                shape.body = body.shape;
                for (const std::string& name : body.outer) arguments.push_back(term(scope, name));
            }
            const int outer = static_cast<int>(arguments.size() - atom.arguments.size());
            const int definition = define(shape, outer);
            if (atom.strict && !shape.strict) // its one case, which calls the plain definition
                instantiate(rule_for(shape, outer, meaning(atom.kind).strict[0]), arguments, into);
            else
                into.calls.push_back({definition, std::move(arguments)});
        }
    }

    // The definition of a shape, whose body has so many free names.
    int define(const Atom& shape, int outer) {
        const int number = static_cast<int>(problem_.definitions.size());
        if (const auto [at, fresh] = definitions_.emplace(shape, number); !fresh) return at->second;
        const std::string name =
            fmt::format("{}{}{}", predicate(shape.kind).word, shape.strict ? "+" : "", shape.tag);
        const int parameters = static_cast<int>(shape.arguments.size()) + outer;
        problem_.definitions.push_back(
            {name, parameters, {}, std::make_shared<const Atom>(shape), -1, std::nullopt});
        std::vector<Clause> rules;
        for (const Clause& rule : cases(shape)) {
            rules.push_back(rule_for(shape, outer, rule));
            require(1, bytes(rules.back()));
        }
        problem_.definitions[static_cast<std::size_t>(number)].rules = std::move(rules);
        return number;
    }

    // A rule of the predicate as one of this shape: with its tag, its body, and further parameters for the
    // free names of that.
    Clause rule_for(const Atom& shape, int outer, const Clause& rule) {
        const int own = static_cast<int>(shape.arguments.size());
        const auto moved = [&](TermId term) { return term <= own ? term : term + outer; };
        Clause result;
        result.terms = rule.terms + outer;
        for (const auto& [a, b] : rule.equal) result.equal.emplace_back(moved(a), moved(b));
        for (const auto& [a, b] : rule.distinct) result.distinct.emplace_back(moved(a), moved(b));
        for (const CellAtom& cell : rule.cells) {
            result.cells.push_back({moved(cell.root), {}});
            for (const Link& link : cell.links)
                result.cells.back().links.push_back(
                    {field(built_in_fields()[static_cast<std::size_t>(link.field)] + shape.tag),
                     moved(link.value)});
        }
        for (const Call& call : rule.calls) {
            const Predicate& called = predicates()[static_cast<std::size_t>(call.definition)];
            Atom inner = shape;
            inner.strict = false;
            if (called.kind != shape.kind) { // has no body
                inner.kind = called.kind;
                inner.body = nullptr;
                inner.arguments.clear();
                for (std::size_t i = 0; i < called.parameters.size(); ++i)
                    inner.arguments.push_back(fmt::format("#{}", i));
            }
            result.calls.push_back({define(inner, inner.body ? outer : 0), {}});
            for (const TermId term : call.arguments) result.calls.back().arguments.push_back(moved(term));
            for (int i = 0; inner.body && i < outer; ++i)
                result.calls.back().arguments.push_back(own + 1 + i);
        }
        if (shape.body && !result.cells.empty()) {
            const TermId value = result.fresh();
            result.cells[0].links.push_back({field("val" + shape.tag), value});
            Scope scope;
            for (int i = 0; i < outer; ++i) scope[fmt::format("${}", i)] = own + 1 + i;
            scope[shape.body->parameter] = value;
            add(shape.body->heap, scope, result);
        }
        return result;
    }

    Problem& problem_;
    Budget* budget_;
    std::unordered_map<std::string, TermId> names_;
    std::unordered_map<std::string, int> fields_;
    std::unordered_map<Atom, int, FormulaHash> definitions_; // by shape
    std::unordered_map<Lambda, Body, FormulaHash> bodies_;   // as they are written
};

} // namespace

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
