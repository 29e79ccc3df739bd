// The checker's own reader of SL-COMP's dialect of SMT-LIB. It understands less than the prover's on purpose:
// what it does not know is Rejected.
#include "ggsnn/checker/clause.hpp"

#include <algorithm>
#include <cctype>

namespace ggsnn::checker {

namespace {

struct Tree {
    std::string text; // a symbol or numeral; empty for a list
    bool list = false;
    std::vector<Tree> items;

    const std::string& head() const {
        static const std::string none;
        return list && !items.empty() && !items[0].list ? items[0].text : none;
    }
};

constexpr std::size_t deepest = 500, most_disjuncts = 256;

// All trees of the text, as the items of one.
Tree parse(const std::string& text) {
    std::vector<Tree> open(1);
    open[0].list = true;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
        } else if (c == ';') {
            while (at < text.size() && text[at] != '\n') ++at;
        } else if (c == '(') {
            if (open.size() > deepest) throw Rejected("brackets are nested too deep");
            open.push_back({"", true, {}});
            ++at;
        } else if (c == ')') {
            if (open.size() == 1) throw Rejected("a bracket is closed that was not opened");
            Tree done = std::move(open.back());
            open.pop_back();
            open.back().items.push_back(std::move(done));
            ++at;
        } else if (c == '|' || c == '"') {
            const std::size_t end = text.find(c, at + 1);
            if (end == std::string::npos) throw Rejected(std::string("no end of a text in ") + c);
            // A text in quotes is no symbol: it keeps one.
            open.back().items.push_back(
                {text.substr(c == '|' ? at + 1 : at, end - at - (c == '|' ? 1 : 0)), false, {}});
            at = end + 1;
        } else {
            const std::size_t end = std::min(text.find_first_of(" \t\r\n\f\v();|\"", at), text.size());
            open.back().items.push_back({text.substr(at, end - at), false, {}});
            at = end;
        }
    }
    if (open.size() > 1) throw Rejected("a bracket is not closed");
    return std::move(open[0]);
}

struct Part {
    Clause clause;
    bool spatial = false;
};
using Parts = std::vector<Part>;
using Scope = std::map<std::string, std::pair<Term, bool>>; // name -> term, whether it is an integer

using Fields = std::vector<std::pair<std::string, bool>>; // of a cell: name, whether it is an integer

class Reader {
  public:
    explicit Reader(const std::string& text) : file_(parse(text)) {}

    Problem run() {
        std::size_t last = file_.items.size();
        for (std::size_t i = 0; i < file_.items.size(); ++i) {
            declare(file_.items[i]);
            if (file_.items[i].head() == "check-sat") last = i;
        }
        if (last == file_.items.size()) throw Rejected("there is no (check-sat)");
        for (const auto& [name, heading] : headings_) define(name, heading);
        left_ = {Part{}};
        for (std::size_t i = 0; i < last; ++i)
            if (file_.items[i].head() == "assert") assertion(size(file_.items[i], 2).items[1], false);
        if (!std::all_of(left_.begin(), left_.end(), [](const Part& part) { return part.spatial; }))
            throw Rejected("no assertion describes the heap of the left side");
        for (Part& part : left_) problem_.left.push_back(std::move(part.clause));
        return std::move(problem_);
    }

  private:
    struct Heading {
        std::vector<std::pair<std::string, bool>> parameters; // name, whether it is an integer
        const Tree* body = nullptr;
    };

    static const Tree& size(const Tree& tree, std::size_t items) {
        if (!tree.list || tree.items.size() != items)
            throw Rejected("expected a list of " + std::to_string(items) + " after '" + tree.head() + "'");
        return tree;
    }

    static std::string name_of(const Tree& tree) {
        if (tree.list || tree.text.empty() || tree.text[0] == '"' || tree.text[0] == ':' ||
            tree.text[0] == '$' || tree.text[0] == '#' || tree.text == nil)
            throw Rejected("'" + tree.text + "' where a name is expected");
        return tree.text;
    }

    bool is_number_sort(const Tree& tree) const {
        if (tree.text == "Int") return true;
        if (tree.list || !sorts_.contains(tree.text)) throw Rejected("unknown sort '" + tree.text + "'");
        return false;
    }

    void declare(const Tree& command) {
        const std::string& head = command.head();
        static const std::set<std::string> without_meaning{"set-logic", "set-info",  "set-option",
                                                           "check-sat", "assert",    "declare-heap",
                                                           "exit",      "get-model", "echo"};
        if (without_meaning.contains(head)) return;
        if (head == "declare-sort") {
            sorts_.insert(name_of(size(command, 3).items[1]));
        } else if (head == "declare-datatypes") {
            for (const Tree& body : size(command, 3).items[2].items) constructor(body);
        } else if (head == "declare-const" || head == "declare-fun") {
            const bool fun = head == "declare-fun";
            size(command, fun ? 4 : 3);
            if (fun && (!command.items[2].list || !command.items[2].items.empty()))
                throw Rejected("a function with arguments");
            const std::string name = name_of(command.items[1]);
            if (!constants_.emplace(name, std::pair(name, is_number_sort(command.items.back()))).second)
                throw Rejected(name + " is declared twice");
        } else if (head == "define-fun-rec" || head == "define-fun") {
            size(command, 5);
            heading(command.items[1], command.items[2], command.items[3], command.items[4]);
        } else if (head == "define-funs-rec") {
            const auto &heads = size(command, 3).items[1].items, &bodies = command.items[2].items;
            if (heads.size() != bodies.size()) throw Rejected("as many bodies as definitions are expected");
            for (std::size_t i = 0; i < heads.size(); ++i)
                heading(size(heads[i], 3).items[0], heads[i].items[1], heads[i].items[2], bodies[i]);
        } else {
            throw Rejected("command '" + head + "'");
        }
    }

    // A datatype has one constructor, with fields that no other has: a cell is known by its fields.
    void constructor(const Tree& body) {
        const Tree& one = size(body, 1).items[0];
        const auto [at, added] = constructors_.emplace(name_of(one.items.at(0)), Fields{});
        if (!added) throw Rejected("two constructors of one name");
        Fields& fields = at->second;
        for (std::size_t i = 1; i < one.items.size(); ++i) {
            fields.emplace_back(name_of(size(one.items[i], 2).items[0]), one.items[i].items[1].text == "Int");
            if (!selectors_.insert(fields.back().first).second)
                throw Rejected("two fields of the name " + fields.back().first);
        }
    }

    void heading(const Tree& name, const Tree& parameters, const Tree& range, const Tree& body) {
        if (range.text != "Bool") throw Rejected("a definition of another sort than Bool");
        Heading one;
        one.body = &body;
        for (const Tree& parameter : parameters.items)
            one.parameters.emplace_back(name_of(size(parameter, 2).items[0]),
                                        is_number_sort(parameter.items[1]));
        static const std::set<std::string> words{"and", "sep", "or", "exists", "=",        "not",  "pto",
                                                 "emp", "<=",  "<",  ">=",     "distinct", "true", ">",
                                                 "+",   "-",   "*",  "_",      "as",       "false"};
        if (words.contains(name_of(name)) || !headings_.emplace(name.text, one).second)
            throw Rejected("the name '" + name.text + "' of a definition");
        problem_.definitions[name.text].parameters = static_cast<int>(one.parameters.size());
    }

    void define(const std::string& name, const Heading& heading) {
        Scope scope;
        for (std::size_t i = 0; i < heading.parameters.size(); ++i)
            scope[heading.parameters[i].first] = {"$" + std::to_string(i + 1), heading.parameters[i].second};
        first_local_ = static_cast<int>(heading.parameters.size()) + 1;
        for (Part& part : formula(*heading.body, scope))
            problem_.definitions[name].rules.push_back(std::move(part.clause));
    }

    // ---- formulas. Every part numbers its locals from first_local_ on; joining moves those of the second.

    Part joined(const Part& a, const Part& b, int shared) const {
        Part result = a;
        Names names;
        for (int l = shared; l < b.clause.locals; ++l)
            names["$" + std::to_string(first_local_ + l)] =
                "$" + std::to_string(first_local_ + a.clause.locals + l - shared);
        append(result.clause, renamed(b.clause, names));
        result.clause.locals += b.clause.locals - shared;
        result.spatial |= b.spatial;
        return result;
    }

    Part nothing(bool spatial) const {
        Part part;
        part.clause.locals = bound_;
        part.spatial = spatial;
        return part;
    }

    Parts formula(const Tree& e, const Scope& scope) {
        const std::string& head = e.list ? e.head() : e.text;
        if (head == "true" && !e.list) return {nothing(false)};
        if (head == "false" && !e.list) return {};
        if ((head == "emp" && !e.list) || (head == "_" && e.items.size() > 1 && e.items[1].text == "emp"))
            return {nothing(true)};
        if (head == "and" || head == "sep") return product(e, scope, head == "sep");
        if (head == "or") {
            Parts all;
            for (std::size_t i = 1; i < e.items.size(); ++i)
                for (Part& part : formula(e.items[i], scope)) all.push_back(std::move(part));
            return all;
        }
        if (head == "exists") return quantified(e, scope);
        if (head == "pto") return {points_to(e, scope)};
        if (const auto found = headings_.find(head); found != headings_.end())
            return {call(e, *found, scope)};
        Part part = nothing(false);
        const bool negated = head == "not";
        pure(negated ? size(e, 2).items[1] : e, negated, scope, part.clause);
        return {part};
    }

    Parts product(const Tree& e, const Scope& scope, bool separate) {
        const int shared = bound_;
        Parts all{nothing(separate)};
        for (std::size_t i = 1; i < e.items.size(); ++i) {
            Parts next;
            for (const Part& b : formula(e.items[i], scope))
                if (separate && !b.spatial) throw Rejected("a formula without a spatial part under sep");
            for (const Part& a : all)
                for (const Part& b : formula(e.items[i], scope)) {
                    if (!separate && a.spatial && b.spatial)
                        throw Rejected("a conjunction of two spatial formulas");
                    next.push_back(joined(a, b, shared));
                    if (next.size() > most_disjuncts) throw Rejected("too many disjuncts");
                }
            all = std::move(next);
        }
        return all;
    }

    Parts quantified(const Tree& e, Scope scope) {
        const int before = bound_;
        for (const Tree& one : size(e, 3).items[1].items)
            scope[name_of(size(one, 2).items[0])] = {"$" + std::to_string(first_local_ + bound_++),
                                                     is_number_sort(one.items[1])};
        Parts parts = formula(e.items[2], scope);
        bound_ = before;
        return parts;
    }

    Part points_to(const Tree& e, const Scope& scope) {
        Part part = nothing(true);
        const Tree& held = size(e, 3).items[2];
        const auto found = constructors_.find(held.head());
        if (found == constructors_.end()) throw Rejected("no constructor '" + held.head() + "'");
        if (found->second.empty()) throw Rejected("a cell without fields");
        Cell cell{location(e.items[1], scope), {}};
        size(held, found->second.size() + 1);
        for (std::size_t i = 0; i < found->second.size(); ++i)
            cell.fields[found->second[i].first] =
                value(held.items[i + 1], scope, found->second[i].second, part);
        part.clause.cells.push_back(std::move(cell));
        return part;
    }

    Part call(const Tree& e, const std::pair<const std::string, Heading>& of, const Scope& scope) {
        Part part = nothing(true);
        const auto& parameters = of.second.parameters;
        if ((e.list ? e.items.size() - 1 : 0) != parameters.size())
            throw Rejected(of.first + " with another number of arguments");
        Call one{of.first, {}};
        for (std::size_t i = 0; i < parameters.size(); ++i)
            one.arguments.push_back(value(e.items[i + 1], scope, parameters[i].second, part));
        part.clause.calls.push_back(std::move(one));
        return part;
    }

    const std::pair<Term, bool>* find(const Tree& e, const Scope& scope) const {
        if (e.list) return nullptr;
        if (const auto found = scope.find(e.text); found != scope.end()) return &found->second;
        const auto found = constants_.find(e.text);
        return in_assertion_ && found != constants_.end() ? &found->second : nullptr;
    }

    Term location(const Tree& e, const Scope& scope) {
        if (e.head() == "as" && e.items.size() == 3 && e.items[1].text == "nil") return nil;
        if (!e.list && e.text == "nil") return nil;
        const auto* found = find(e, scope);
        if (!found || found->second) throw Rejected("'" + e.text + "' where a location is expected");
        return found->first;
    }

    bool is_number(const Tree& e, const Scope& scope) {
        if (e.list) return e.head() == "+" || e.head() == "-" || e.head() == "*";
        if (const auto* found = find(e, scope)) return found->second;
        return !e.text.empty() && std::isdigit(static_cast<unsigned char>(e.text[0])) != 0;
    }

    static void add(Linear& into, const Linear& from, std::int64_t factor) {
        const auto fits = [](std::int64_t n) { return n > -(1LL << 31) && n < (1LL << 31); };
        const auto times = [&](std::int64_t n) {
            if (!fits(n) || !fits(factor)) throw Rejected("a number is too large");
            return n * factor;
        };
        for (const auto& [term, coefficient] : from.sum)
            if ((into.sum[term] += times(coefficient)) == 0) into.sum.erase(term);
        into.constant += times(from.constant);
    }

    Linear number(const Tree& e, const Scope& scope) {
        Linear result;
        if (const auto* found = find(e, scope)) {
            if (!found->second) throw Rejected("'" + e.text + "' where an integer is expected");
            result.sum[found->first] = 1;
            return result;
        }
        if (!e.list) {
            if (e.text.empty() || e.text.size() > 9 ||
                e.text.find_first_not_of("0123456789") != std::string::npos)
                throw Rejected("'" + e.text + "' where a number is expected");
            result.constant = std::stoll(e.text);
            return result;
        }
        if (!is_number(e, scope) || e.items.size() < 2) throw Rejected("the term '" + e.head() + "'");
        if (e.head() != "*") {
            const bool minus = e.head() == "-";
            for (std::size_t i = 1; i < e.items.size(); ++i)
                add(result, number(e.items[i], scope), minus && (i > 1 || e.items.size() == 2) ? -1 : 1);
            return result;
        }
        result.constant = 1;
        for (std::size_t i = 1; i < e.items.size(); ++i) {
            Linear factor = number(e.items[i], scope), next;
            if (!factor.sum.empty()) std::swap(factor, result);
            if (!factor.sum.empty()) throw Rejected("a product of two terms");
            add(next, result, factor.constant);
            result = next;
        }
        return result;
    }

    // A sum that is not a name becomes a local.
    Term value(const Tree& e, const Scope& scope, bool numeric, Part& part) {
        if (!numeric) return location(e, scope);
        Linear sum = number(e, scope);
        if (sum.sum.size() == 1 && sum.sum.begin()->second == 1 && sum.constant == 0)
            return sum.sum.begin()->first;
        const Term fresh = "$" + std::to_string(first_local_ + part.clause.locals++);
        sum.sum[fresh] = -1;
        part.clause.linear.push_back(std::move(sum));
        return fresh;
    }

    // =, distinct, <=, <, >=, > between neighbours (distinct: all), or the negation of one.
    void pure(const Tree& e, bool negated, const Scope& scope, Clause& clause) {
        const std::string& head = e.head();
        static const std::set<std::string> known{"=", "distinct", "<=", "<", ">=", ">"};
        if (!known.contains(head) || e.items.size() < 3 || (negated && e.items.size() > 3))
            throw Rejected("the formula '" + (e.list ? head : e.text) + "'");
        const bool same = (head == "=") != negated;
        for (std::size_t i = 1; i < e.items.size(); ++i)
            for (std::size_t k = i + 1; k < e.items.size(); ++k) {
                if (k > i + 1 && head != "distinct") break;
                const Tree &a = e.items[i], &b = e.items[k];
                if (head == "=" || head == "distinct") {
                    if (!is_number(e.items[1], scope) && !is_number(e.items[2], scope)) {
                        (same ? clause.equal : clause.distinct)
                            .emplace_back(location(a, scope), location(b, scope));
                        continue;
                    }
                    clause.linear.push_back(difference(a, b, scope, same ? '=' : '#'));
                    continue;
                }
                // a <= b is a - b <= 0; its negation is b - a + 1 <= 0
                const bool less = (head[0] == '<') != negated, strict = (head.size() == 1) != negated;
                clause.linear.push_back(less ? difference(a, b, scope, '<') : difference(b, a, scope, '<'));
                clause.linear.back().constant += strict ? 1 : 0;
            }
    }

    Linear difference(const Tree& a, const Tree& b, const Scope& scope, char relation) {
        Linear result = number(a, scope);
        add(result, number(b, scope), -1);
        result.relation = relation;
        return result;
    }

    // ---- assertions

    void assertion(const Tree& e, bool negated) {
        if (e.head() == "not") {
            assertion(size(e, 2).items[1], !negated);
            return;
        }
        if (negated && e.head() == "=>") {
            assertion(size(e, 3).items[1], false);
            assertion(e.items[2], true);
            return;
        }
        in_assertion_ = true;
        first_local_ = 1;
        Parts parts = formula(e, {}), product;
        in_assertion_ = false;
        if (negated) {
            for (Part& part : parts) {
                if (!part.spatial) throw Rejected("a right side that leaves the heap open");
                problem_.right.push_back(std::move(part.clause));
            }
            return;
        }
        for (const Part& a : left_)
            for (const Part& b : parts) {
                if (a.spatial && b.spatial) throw Rejected("two spatial assertions");
                product.push_back(joined(a, b, 0));
            }
        left_ = std::move(product);
    }

    Tree file_;
    Problem problem_;
    std::set<std::string> sorts_, selectors_;
    std::map<std::string, Fields> constructors_;
    std::map<std::string, Heading> headings_;
    Parts left_;
    Scope constants_;
    int first_local_ = 1, bound_ = 0; // bound_: locals of quantifiers around
    bool in_assertion_ = false;
};

} // namespace

Problem read_problem(const std::string& text) {
    return Reader(text).run();
}

} // namespace ggsnn::checker
