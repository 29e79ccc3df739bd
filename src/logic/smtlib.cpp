// SMT-LIB commands and formulas to clauses; see smtlib.hpp. What is well-formed but not understood is thrown
// as Unsupported and becomes the reason of `unknown`.
#include "ggsnn/logic/smtlib.hpp"

#include "ggsnn/logic/induct/induct.hpp"
#include "ggsnn/logic/smtlib_parts.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ggsnn::logic {

namespace {

class FileReader {
  public:
    FileReader(std::string_view text, Budget& budget)
        : budget_(budget), commands_(parse_sexprs(text, budget)) {}

    SmtProblem run() {
        std::size_t last_check = commands_.size();
        for (std::size_t i = 0; i < commands_.size(); ++i) {
            const auto& items = list(commands_[i], "a command");
            if (items.empty()) wrong(commands_[i], "a command");
            symbol(items[0], "the name of a command");
            if (commands_[i].is_call("check-sat")) last_check = i;
        }
        if (last_check == commands_.size()) {
            const Sexpr nowhere{false, "the end", {}, commands_.empty() ? 1 : commands_.back().line, 1};
            throw SyntaxError(nowhere.line, nowhere.column, "found no (check-sat), expected one");
        }
        try {
            for (const Sexpr& command : commands_) declare(command);
            left_ = {nothing(static_cast<int>(result_.problem.names.size()), false)};
            for (const auto& [name, function] : functions_) define(function);
            for (std::size_t i = 0; i < last_check; ++i)
                if (commands_[i].is_call("assert")) assertion(commands_[i]);
            finish();
            spend(0);
        } catch (const Unsupported& reason) {
            result_.unsupported = reason.reason;
        } catch (const OutOfBudget& out) {
            result_.unsupported = out.reason;
        }
        return std::move(result_);
    }

  private:
    void spend(std::size_t work) {
        if (!budget_.spend(work)) throw Unsupported{budget_.reason()};
    }

    void reserve(std::size_t bytes) {
        if (!budget_.reserve(bytes)) throw Unsupported{budget_.reason()};
    }

    struct Constructor {
        std::vector<int> fields;
        std::vector<char> number; // by field: an integer
    };
    struct Function {
        int definition = 0;
        std::vector<std::pair<std::string, int>> parameters;
        const Sexpr* body = nullptr;
    };

    // ---- declarations

    void declare(const Sexpr& command) {
        spend(1 + command.items.size());
        const std::string& name = command.items[0].text;
        static const std::map<std::string, void (FileReader::*)(const Sexpr&)> known{
            {"set-info", &FileReader::set_info},
            {"declare-sort", &FileReader::declare_sort},
            {"declare-datatypes", &FileReader::declare_datatypes},
            {"declare-datatype", &FileReader::declare_datatype},
            {"declare-const", &FileReader::declare_const},
            {"declare-fun", &FileReader::declare_fun},
            {"define-fun-rec", &FileReader::define_fun},
            {"define-fun", &FileReader::define_fun},
            {"define-funs-rec", &FileReader::define_funs}};
        if (const auto found = known.find(name); found != known.end()) {
            (this->*found->second)(command);
            return;
        }
        static const std::vector<std::string> ignored{"set-logic",  "set-option", "declare-heap", "check-sat",
                                                      "assert",     "exit",       "get-model",    "get-info",
                                                      "get-option", "echo"};
        if (std::find(ignored.begin(), ignored.end(), name) != ignored.end()) return;
        static const std::vector<std::string> other{"push",
                                                    "pop",
                                                    "reset",
                                                    "define-sort",
                                                    "check-sat-assuming",
                                                    "get-value",
                                                    "get-unsat-core",
                                                    "reset-assertions"};
        if (std::find(other.begin(), other.end(), name) != other.end())
            unsupported(command, fmt::format("command {} is not supported", name));
        wrong(command.items[0], "a command of SMT-LIB");
    }

    void set_info(const Sexpr& command) {
        if (command.items.size() == 3 && command.items[1].is(":status"))
            result_.status = command.items[2].text;
    }

    void declare_sort(const Sexpr& command) {
        require_size(command, 3, "(declare-sort name 0)");
        const std::string& name = symbol(command.items[1], "the name of a sort");
        if (!command.items[2].is("0")) wrong(command.items[2], "0");
        sorts_.emplace(name, static_cast<int>(sorts_.size()) + 1);
    }

    int sort(const Sexpr& expression) {
        if (expression.is("Int")) return number_sort;
        if (expression.is("Bool")) unsupported(expression, "data of sort Bool");
        const auto found = sorts_.find(symbol(expression, "a sort"));
        if (found == sorts_.end()) wrong(expression, "a declared sort");
        return found->second;
    }

    // ((T 0) ..) (((constructor (field sort) ..) ..) ..)
    void declare_datatypes(const Sexpr& command) {
        require_size(command, 3, "(declare-datatypes ((name 0) ..) (constructors ..))");
        const auto& names = list(command.items[1], "names of datatypes");
        const auto& bodies = list(command.items[2], "constructors of datatypes");
        if (names.size() != bodies.size()) wrong(command.items[2], "constructors for each datatype");
        for (const Sexpr& name : names) require_size(name, 2, "(name 0)");
        for (const Sexpr& body : bodies) constructors(body);
    }

    void declare_datatype(const Sexpr& command) {
        require_size(command, 3, "(declare-datatype name (constructors ..))");
        constructors(command.items[2]);
    }

    // One constructor for each datatype and no field of two: a cell is its fields, and others may be there.
    void constructors(const Sexpr& body) {
        if (list(body, "a list of constructors").size() > 1)
            unsupported(body, "a datatype with more than one constructor");
        for (const Sexpr& one : body.items) {
            const auto& items = list(one, "(constructor (field sort) ..)");
            if (items.empty()) wrong(one, "(constructor (field sort) ..)");
            Constructor constructor;
            for (std::size_t i = 1; i < items.size(); ++i) {
                require_size(items[i], 2, "(field sort)");
                const std::string& field = symbol(items[i].items[0], "the name of a field");
                if (!selectors_.insert(field).second)
                    unsupported(items[i], fmt::format("two fields of the name {}", field));
                constructor.fields.push_back(result_.problem.field(field));
                constructor.number.push_back(items[i].items[1].is("Int"));
                result_.problem.number_fields.resize(result_.problem.fields.size(), 0);
                result_.problem.number_fields[static_cast<std::size_t>(constructor.fields.back())] =
                    constructor.number.back();
            }
            if (!constructors_.emplace(symbol(items[0], "the name of a constructor"), constructor).second)
                wrong(items[0], "a name that is not declared yet");
        }
    }

    // A name that a file gives to something of its own. (as nil S) would be ambiguous if it were nil.
    // A constant is a term of its own, whatever its name. In models NULL and what then collides get a prime.
    void constant(const Sexpr& name, const Sexpr& sort_name) {
        const std::string& text = own_name(name, "the name of a constant");
        if (constants_.contains(text)) wrong(name, "a name that is not declared yet");
        Problem& problem = result_.problem;
        problem.sorts.push_back(sort(sort_name));
        std::string shown = text;
        while (!shown_.insert(shown).second) shown += '\'';
        constants_[text] = {static_cast<TermId>(problem.names.size()), problem.sorts.back() == number_sort};
        problem.names.push_back(std::move(shown));
    }

    void declare_const(const Sexpr& command) {
        require_size(command, 3, "(declare-const name sort)");
        constant(command.items[1], command.items[2]);
    }

    void declare_fun(const Sexpr& command) {
        require_size(command, 4, "(declare-fun name () sort)");
        if (!list(command.items[2], "()").empty()) unsupported(command, "a function with arguments");
        constant(command.items[1], command.items[3]);
    }

    void signature(const Sexpr& name, const Sexpr& parameters, const Sexpr& range, const Sexpr& body) {
        if (!range.is("Bool")) unsupported(range, "a definition of a sort other than Bool");
        Function function;
        function.body = &body;
        function.definition = static_cast<int>(result_.problem.definitions.size());
        for (const Sexpr& parameter : list(parameters, "a list of parameters")) {
            require_size(parameter, 2, "(parameter sort)");
            function.parameters.emplace_back(own_name(parameter.items[0], "the name of a parameter"),
                                             sort(parameter.items[1]));
        }
        Definition definition;
        definition.name = symbol(name, "the name of a definition");
        static const std::set<std::string> reserved{
            "true",     "false",    "emp", "sep.emp", "_",    "and", "sep",    "or",  "exists",  "=",
            "not",      "distinct", "pto", "nil",     "wand", "=>",  "forall", "let", "sep.nil", "ite",
            "septract", "+",        "-",   "*",       "<=",   "<",   ">=",     ">"};
        if (reserved.contains(definition.name))
            unsupported(name, fmt::format("{} as the name of a definition", definition.name));
        definition.parameters = static_cast<int>(function.parameters.size());
        for (std::size_t i = 0; i < function.parameters.size(); ++i)
            if (function.parameters[i].second == number_sort)
                definition.numbers.push_back(static_cast<TermId>(i) + 1);
        if (!functions_.emplace(definition.name, function).second)
            wrong(name, "a name that is not defined yet");
        result_.problem.definitions.push_back(definition);
    }

    void define_fun(const Sexpr& command) {
        require_size(command, 5, "(define-fun-rec name (parameters) Bool body)");
        signature(command.items[1], command.items[2], command.items[3], command.items[4]);
    }

    void define_funs(const Sexpr& command) {
        require_size(command, 3, "(define-funs-rec (signatures) (bodies))");
        const auto& heads = list(command.items[1], "a list of signatures");
        const auto& bodies = list(command.items[2], "a list of bodies");
        if (heads.size() != bodies.size()) wrong(command.items[2], "one body for each signature");
        for (std::size_t i = 0; i < heads.size(); ++i) {
            require_size(heads[i], 3, "(name (parameters) Bool)");
            signature(heads[i].items[0], heads[i].items[1], heads[i].items[2], bodies[i]);
        }
    }

    void define(const Function& function) {
        Scope scope;
        for (std::size_t i = 0; i < function.parameters.size(); ++i)
            scope[function.parameters[i].first] = {static_cast<TermId>(i) + 1,
                                                   function.parameters[i].second == number_sort};
        Clause start;
        start.terms = static_cast<int>(function.parameters.size()) + 1;
        Definition& definition = result_.problem.definitions[static_cast<std::size_t>(function.definition)];
        for (Disjunct& part : formula(*function.body, scope, start.terms))
            definition.rules.push_back(std::move(part.clause));
        for (const Clause& rule : definition.rules) reserve(bytes(rule));
    }

    // ---- formulas. `terms` is the number of terms in use; locals are numbered from there, by clause.

    const Named* find_name(const Sexpr& expression, const Scope& scope) const {
        if (expression.is_list) return nullptr;
        if (const auto found = scope.find(expression.text); found != scope.end()) return &found->second;
        const auto found = constants_.find(expression.text);
        return found != constants_.end() && scope_is_open_ ? &found->second : nullptr;
    }

    // A location.
    TermId term(const Sexpr& expression, const Scope& scope) {
        if (expression.is_call("as") && expression.items.size() == 3 &&
            (expression.items[1].is("nil") || expression.items[1].is("sep.nil")))
            return null_term;
        if (expression.is("nil") || expression.is("sep.nil")) return null_term;
        if (expression.is_list) unsupported(expression, fmt::format("the term {}", brief(expression)));
        symbol(expression, "a name or nil");
        const Named* named = find_name(expression, scope);
        if (!named) wrong(expression, "a declared name or nil");
        if (named->number) wrong(expression, "a location, not an integer");
        return named->term;
    }

    bool is_number(const Sexpr& e, const Scope& scope) const {
        if (e.is_list) return e.is_call("+") || e.is_call("-") || e.is_call("*");
        if (const Named* named = find_name(e, scope)) return named->number;
        return !e.text.empty() && e.text[0] >= '0' && e.text[0] <= '9';
    }

    // A linear sum.
    Linear number(const Sexpr& e, const Scope& scope) {
        spend(1 + e.items.size());
        Linear sum;
        if (!e.is_list) {
            if (const Named* named = find_name(e, scope)) {
                if (!named->number) wrong(e, "an integer");
                add_term(sum, named->term, 1);
                return sum;
            }
            if (e.text.empty() || e.text.find_first_not_of("0123456789") != std::string::npos)
                wrong(e, "an integer or the name of one");
            if (e.text.size() > 11) unsupported(e, fmt::format("the large number {}", e.text));
            sum.constant = std::stoll(e.text);
            return sum;
        }
        if (!is_number(e, scope)) unsupported(e, fmt::format("the term {}", brief(e)));
        if (e.items.size() < 2) wrong(e, "at least one term");
        if (e.is_call("*")) return product(e, scope);
        const bool minus = e.is_call("-");
        for (std::size_t i = 1; i < e.items.size(); ++i)
            add(sum, number(e.items[i], scope), minus && (i > 1 || e.items.size() == 2) ? -1 : 1);
        return sum;
    }

    Linear product(const Sexpr& e, const Scope& scope) {
        Linear result;
        result.constant = 1;
        for (std::size_t i = 1; i < e.items.size(); ++i) {
            Linear factor = number(e.items[i], scope);
            if (!factor.terms.empty() && !result.terms.empty())
                unsupported(e, "a product of two terms that are not constant");
            if (!factor.terms.empty()) std::swap(factor, result);
            Linear next;
            add(next, result, factor.constant);
            result = next;
        }
        return result;
    }

    // What stands in the place of an argument or a field: a sum that is not a name becomes a local.
    TermId value(const Sexpr& e, const Scope& scope, bool numeric, Clause& clause) {
        if (!numeric) return term(e, scope);
        Linear sum = number(e, scope);
        if (sum.terms.size() == 1 && sum.terms[0].second == 1 && sum.constant == 0) return sum.terms[0].first;
        const TermId local = clause.fresh();
        clause.numbers.push_back(local);
        add_term(sum, local, -1);
        clause.linear.push_back(std::move(sum));
        return local;
    }

    Disjuncts formula(const Sexpr& e, const Scope& scope, int terms) {
        spend(1 + e.items.size());
        if (e.is("true")) return {nothing(terms, false)};
        if (e.is("false")) return {};
        if (e.is("emp") || e.is("sep.emp")) return {nothing(terms, true)};
        if (!e.is_list) {
            if (functions_.contains(e.text)) return call(e, e.text, {}, scope, terms);
            wrong(e, "a formula");
        }
        if (e.items.empty()) wrong(e, "a formula");
        const std::string& head = symbol(e.items[0], "a connective, pto, sep or the name of a definition");
        if (head == "_" && e.items.size() >= 2 && e.items[1].is("emp")) return {nothing(terms, true)};
        if (head == "and") return conjunction(e, scope, terms);
        if (head == "sep") return separation(e, scope, terms);
        if (head == "or") return disjunction(e, scope, terms);
        if (head == "exists") return quantified(e, scope, terms);
        if (head == "=" || head == "distinct") return {pure(e, head == "=", scope, terms)};
        if (head == "<=" || head == "<" || head == ">=" || head == ">")
            return {order(e, false, scope, terms)};
        if (head == "not") return negation(e, scope, terms);
        if (head == "pto") return {points_to(e, scope, terms)};
        if (functions_.contains(head))
            return call(e, head, {e.items.begin() + 1, e.items.end()}, scope, terms);
        if (head == "wand" || head == "=>" || head == "forall" || head == "let" || head == "ite" ||
            head == "septract")
            unsupported(e, fmt::format("{} inside a formula", head));
        wrong(e.items[0], "a connective, pto, sep or the name of a definition");
    }

    Disjunct pure(const Sexpr& e, bool equal, const Scope& scope, int terms) {
        if (e.items.size() < 3) wrong(e, "at least two terms");
        Disjunct part = nothing(terms, false);
        if (is_number(e.items[1], scope) || is_number(e.items[2], scope)) {
            numeric(e, equal, scope, part.clause);
            return part;
        }
        std::vector<TermId> values;
        for (std::size_t i = 1; i < e.items.size(); ++i) values.push_back(term(e.items[i], scope));
        for (std::size_t i = 0; equal && i + 1 < values.size(); ++i)
            part.clause.equal.emplace_back(values[i], values[i + 1]);
        for (std::size_t i = 0; !equal && i < values.size(); ++i) {
            spend(values.size() - i);
            reserve((values.size() - i) * sizeof(std::pair<TermId, TermId>));
            for (std::size_t k = i + 1; k < values.size(); ++k)
                part.clause.distinct.emplace_back(values[i], values[k]);
        }
        return part;
    }

    // (= a b ..) and (distinct a b ..) of integers.
    void numeric(const Sexpr& e, bool equal, const Scope& scope, Clause& clause) {
        std::vector<Linear> sums;
        for (std::size_t i = 1; i < e.items.size(); ++i) sums.push_back(number(e.items[i], scope));
        for (std::size_t i = 0; i < sums.size(); ++i)
            for (std::size_t k = i + 1; k < (equal ? std::min(i + 2, sums.size()) : sums.size()); ++k) {
                spend(1 + sums[k].terms.size());
                Linear& condition = clause.linear.emplace_back(sums[i]);
                condition.relation = equal ? Linear::Relation::zero : Linear::Relation::nonzero;
                add(condition, sums[k], -1);
            }
    }

    // (<= a b ..) and its like, or its negation.
    Disjunct order(const Sexpr& e, bool negated, const Scope& scope, int terms) {
        if (e.items.size() < 3) wrong(e, "at least two terms");
        if (negated && e.items.size() > 3) unsupported(e, "a negated chain of comparisons");
        Disjunct part = nothing(terms, false);
        const bool less = e.is_call("<=") || e.is_call("<"), strict = e.is_call("<") || e.is_call(">");
        for (std::size_t i = 1; i + 1 < e.items.size(); ++i) {
            Linear condition = number(e.items[i], scope); // a - b <= 0, or b - a, or with + 1
            add(condition, number(e.items[i + 1], scope), -1);
            Linear signed_condition;
            signed_condition.relation = Linear::Relation::at_most_zero;
            logic::add(signed_condition, condition, less ? 1 : -1);
            signed_condition.constant += strict ? 1 : 0;
            part.clause.linear.push_back(negated ? logic::negation(signed_condition) : signed_condition);
        }
        return part;
    }

    Disjuncts negation(const Sexpr& e, const Scope& scope, int terms) {
        require_size(e, 2, "(not formula)");
        const Sexpr& inner = e.items[1];
        if (inner.is_call("<=") || inner.is_call("<") || inner.is_call(">=") || inner.is_call(">"))
            return {order(inner, true, scope, terms)};
        const bool equal = inner.is_call("="), distinct = inner.is_call("distinct");
        if ((!equal && !distinct) || inner.items.size() != 3) unsupported(e, "a negation inside a formula");
        return {pure(inner, distinct, scope, terms)};
    }

    Disjunct points_to(const Sexpr& e, const Scope& scope, int terms) {
        require_size(e, 3, "(pto term (constructor terms ..))");
        Disjunct part = nothing(terms, true);
        CellAtom cell{term(e.items[1], scope), {}};
        const Sexpr& held = e.items[2];
        if (!held.is_list || held.is_call("as")) {
            const auto constructor = constructors_.find(held.text);
            const bool variable = scope.contains(held.text) || constants_.contains(held.text);
            if (held.is_list || variable || constructor == constructors_.end())
                cell.links.push_back({result_.problem.field("data"), term(held, scope)});
            else if (!constructor->second.fields.empty())
                wrong(held, fmt::format("{} arguments", constructor->second.fields.size()).c_str());
        } else {
            if (held.items.empty()) wrong(held, "(constructor terms ..)");
            const auto found = constructors_.find(symbol(held.items[0], "a constructor"));
            if (found == constructors_.end()) wrong(held.items[0], "a declared constructor");
            const auto& [fields, numbers] = found->second;
            if (held.items.size() != fields.size() + 1)
                wrong(held, fmt::format("{} arguments", fields.size()).c_str());
            for (std::size_t i = 0; i < fields.size(); ++i)
                cell.links.push_back(
                    {fields[i], value(held.items[i + 1], scope, numbers[i] != 0, part.clause)});
        }
        part.clause.cells.push_back(std::move(cell));
        return part;
    }

    Disjuncts call(const Sexpr& e, const std::string& name, const std::vector<Sexpr>& arguments,
                   const Scope& scope, int terms) {
        const Function& function = functions_.at(name);
        if (arguments.size() != function.parameters.size())
            wrong(e, fmt::format("{} with {} arguments", name, function.parameters.size()).c_str());
        Disjunct part = nothing(terms, true);
        Call call{function.definition, {}};
        for (std::size_t i = 0; i < arguments.size(); ++i)
            call.arguments.push_back(
                value(arguments[i], scope, function.parameters[i].second == number_sort, part.clause));
        part.clause.calls.push_back(std::move(call));
        return {part};
    }

    // Both at once: b's locals (from `terms` on) are moved behind a's.
    Disjunct joined(const Disjunct& a, const Disjunct& b, int terms) {
        spend(static_cast<std::size_t>(terms) + (bytes(a.clause) + bytes(b.clause)) / 16);
        Disjunct result = a;
        std::vector<TermId> outer;
        for (TermId t = 1; t < terms; ++t) outer.push_back(t);
        instantiate(b.clause, outer, result.clause);
        result.spatial |= b.spatial;
        return result;
    }

    Disjuncts conjunction(const Sexpr& e, const Scope& scope, int terms) {
        Disjuncts all{nothing(terms, false)};
        for (std::size_t i = 1; i < e.items.size(); ++i) {
            const Disjuncts next = formula(e.items[i], scope, terms);
            Disjuncts product;
            for (const Disjunct& a : all)
                for (const Disjunct& b : next) {
                    if (a.spatial && b.spatial)
                        unsupported(e.items[i], "a conjunction of two spatial formulas");
                    add(product, joined(a, b, terms), e);
                }
            all = bounded(std::move(product));
        }
        return all;
    }

    Disjuncts separation(const Sexpr& e, const Scope& scope, int terms) {
        Disjuncts all{nothing(terms, true)};
        for (std::size_t i = 1; i < e.items.size(); ++i) {
            const Disjuncts next = formula(e.items[i], scope, terms);
            Disjuncts product;
            for (const Disjunct& a : all)
                for (const Disjunct& b : next) {
                    if (!b.spatial) unsupported(e.items[i], "a formula without a spatial part under sep");
                    add(product, joined(a, b, terms), e);
                }
            all = bounded(std::move(product));
        }
        return all;
    }

    Disjuncts disjunction(const Sexpr& e, const Scope& scope, int terms) {
        Disjuncts all;
        for (std::size_t i = 1; i < e.items.size(); ++i)
            for (Disjunct& part : formula(e.items[i], scope, terms)) add(all, std::move(part), e);
        return bounded(std::move(all));
    }

    // Disjuncts that would exceed the memory limit are refused before they are combined further.
    Disjuncts bounded(Disjuncts parts) {
        std::size_t total = 0;
        for (const Disjunct& part : parts) total += bytes(part.clause);
        reserve(total);
        budget_.release(total);
        return parts;
    }

    Disjuncts quantified(const Sexpr& e, const Scope& scope, int terms) {
        require_size(e, 3, "(exists ((name sort) ..) formula)");
        spend(10 * scope.size());
        Scope inner = scope;
        std::vector<TermId> numbers;
        for (const Sexpr& bound : list(e.items[1], "a list of names with sorts")) {
            require_size(bound, 2, "(name sort)");
            const bool numeric = sort(bound.items[1]) == number_sort;
            if (numeric) numbers.push_back(terms);
            inner[own_name(bound.items[0], "a name")] = {terms++, numeric};
        }
        Disjuncts parts = formula(e.items[2], inner, terms);
        for (Disjunct& part : parts)
            part.clause.numbers.insert(part.clause.numbers.end(), numbers.begin(), numbers.end());
        return parts;
    }

    // ---- assertions

    void assertion(const Sexpr& command) {
        require_size(command, 2, "(assert formula)");
        scope_is_open_ = true;
        assert_formula(command.items[1], false);
        scope_is_open_ = false;
    }

    void assert_formula(const Sexpr& e, bool negated) {
        if (e.is_call("not") && e.items.size() == 2) {
            assert_formula(e.items[1], !negated);
            return;
        }
        if (negated && e.is_call("=>") && e.items.size() == 3) {
            assert_formula(e.items[1], false);
            assert_formula(e.items[2], true);
            return;
        }
        const int terms = static_cast<int>(result_.problem.names.size());
        Disjuncts parts = formula(e, {}, terms);
        if (negated) {
            for (Disjunct& part : parts) {
                part.clause.any_rest = !part.spatial;
                result_.problem.right.push_back(std::move(part.clause));
            }
            return;
        }
        Disjuncts product;
        for (const Disjunct& a : left_)
            for (const Disjunct& b : parts) {
                if (a.spatial && b.spatial) unsupported(e, "two spatial assertions");
                add(product, joined(a, b, terms), e);
            }
        left_ = bounded(std::move(product));
    }

    void finish() {
        const bool open_left =
            std::any_of(left_.begin(), left_.end(), [](const Disjunct& p) { return !p.spatial; });
        const std::vector<Clause>& right = result_.problem.right;
        if (open_left && !std::all_of(right.begin(), right.end(), [](const Clause& c) { return c.any_rest; }))
            throw Unsupported{"no assertion describes the heap of the left side"};
        for (Disjunct& part : left_) result_.problem.left.push_back(std::move(part.clause));
        Problem& problem = result_.problem;
        problem.written = problem.definitions;
        for (const Definition& definition : problem.written)
            for (const Clause& rule : definition.rules) reserve(bytes(rule));
        if (has_numbers(problem)) problem.beyond_lists = "data of sort Int";
        if (problem.beyond_lists.empty()) problem.beyond_lists = analyse(problem.definitions, &budget_);
    }

    Budget& budget_;
    std::vector<Sexpr> commands_;
    SmtProblem result_;
    std::map<std::string, int> sorts_;
    std::map<std::string, Constructor> constructors_;
    std::set<std::string> selectors_;
    std::map<std::string, Function> functions_;
    Scope constants_;
    std::set<std::string> shown_{null_name}; // names of constants in models
    Disjuncts left_;
    bool scope_is_open_ = false; // declared constants may be used (assertions, not definitions)
};

} // namespace

SmtProblem read_smtlib(std::string_view text, const ProverLimits& limits) {
    Budget budget(limits);
    SmtProblem result;
    try {
        result = FileReader(text, budget).run();
    } catch (const OutOfBudget& out) {
        result.unsupported = out.reason;
    }
    result.seconds = budget.elapsed() - limits.spent;
    return result;
}

namespace {

// Units of work of the first try by lists: more than any problem of the list divisions needs.
constexpr std::uint64_t list_work = 500'000;
constexpr double share_of_induction = 0.8; // of the time that is left then

// The prover of lists first, then induction; if both were cut short, lists with what is left.
Answer solve_understood(const Problem& problem, const ProverLimits& limits, bool write_proof) {
    if (!problem.beyond_lists.empty())
        return prove_by_induction(problem, limits, Pursue::proofs_and_models, write_proof);
    const Budget clock(limits);
    ProverLimits some = limits;
    some.work = std::min(limits.work, list_work);
    const Answer lists = prove(problem, some);
    if (lists.verdict == Validity::valid && write_proof && !problem.right.empty()) {
        some = limits;
        some.spent = clock.elapsed();
        const Answer proved = prove_by_induction(problem, some, Pursue::proofs, true);
        return proved.verdict == Validity::valid ? proved : lists;
    }
    if (lists.verdict != Validity::unknown) return lists;
    const bool cut = lists.reason.find("units of work") != std::string::npos;
    some = limits;
    some.spent = clock.elapsed();
    if (cut) some.seconds = some.spent + share_of_induction * (limits.seconds - some.spent);
    const Answer induction = prove_by_induction(problem, some, Pursue::proofs_and_models, write_proof);
    if (induction.verdict != Validity::unknown || !cut) return induction;
    some = limits;
    some.spent = clock.elapsed();
    return prove(problem, some);
}

Answer solve_or_say_why(const SmtProblem& problem, const ProverLimits& limits, bool write_proof) {
    if (problem.unsupported.empty()) {
        ProverLimits left = limits;
        left.spent += problem.seconds;
        return solve_understood(problem.problem, left, write_proof);
    }
    Answer answer;
    answer.reason = problem.unsupported;
    return answer;
}

} // namespace

Answer solve(const SmtProblem& problem, const ProverLimits& limits) {
    return solve_or_say_why(problem, limits, false);
}

Answer solve_with_proof(const SmtProblem& problem, const ProverLimits& limits) {
    return solve_or_say_why(problem, limits, true);
}

const char* smt_word(Validity verdict) {
    return verdict == Validity::valid ? "unsat" : verdict == Validity::invalid ? "sat" : "unknown";
}

} // namespace ggsnn::logic
