// What can be found out about a definition from the form of its rules alone: whether unfolding ends, at which
// parameter its cells begin, whether it is a segment (definitions.hpp), and whether a definition with one
// cell as its base can be rewritten over a segment that may be empty.
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <map>

namespace ggsnn::logic {

namespace {

int self_calls(const Clause& rule, int number) {
    return static_cast<int>(std::count_if(rule.calls.begin(), rule.calls.end(),
                                          [&](const Call& call) { return call.definition == number; }));
}

using Graph = std::vector<std::vector<std::size_t>>;

// Whether unfolding ends: no definition leads to a call of itself without a cell on the way.
bool ends(const std::vector<Definition>& definitions, std::string& culprit) {
    const std::size_t n = definitions.size();
    Graph next(n);
    for (std::size_t d = 0; d < n; ++d)
        for (const Clause& rule : definitions[d].rules)
            if (rule.cells.empty())
                for (const Call& call : rule.calls)
                    next[d].push_back(static_cast<std::size_t>(call.definition));
    // Depth first; what is open stands on the path, and an edge back to it closes a cycle.
    enum : char { fresh, open, done };
    std::vector<char> mark(n, fresh);
    std::vector<std::pair<std::size_t, std::size_t>> path; // definition, edges of it followed
    for (std::size_t start = 0; start < n; ++start) {
        if (mark[start] != fresh) continue;
        mark[start] = open;
        path.emplace_back(start, 0);
        while (!path.empty()) {
            auto& [at, followed] = path.back();
            if (followed == next[at].size()) {
                mark[at] = done;
                path.pop_back();
                continue;
            }
            const std::size_t to = next[at][followed++];
            if (mark[to] == open) {
                culprit = definitions[to].name;
                return false;
            }
            if (mark[to] == fresh) {
                mark[to] = open;
                path.emplace_back(to, 0);
            }
        }
    }
    return true;
}

// Whether every definition has heaps: some rule calls only definitions that have.
bool grounded(const std::vector<Definition>& definitions, std::string& culprit) {
    struct Rule {
        std::size_t definition, missing; // calls of definitions that are not known to have heaps
    };
    std::vector<Rule> rules;
    Graph used(definitions.size()); // by definition: the rules that call it, once for each call
    std::vector<char> known(definitions.size(), 0);
    std::vector<std::size_t> fresh;
    const auto learn = [&](std::size_t d) {
        if (!known[d]) fresh.push_back(d);
        known[d] = 1;
    };
    for (std::size_t d = 0; d < definitions.size(); ++d)
        for (const Clause& rule : definitions[d].rules) {
            for (const Call& call : rule.calls)
                used[static_cast<std::size_t>(call.definition)].push_back(rules.size());
            rules.push_back({d, rule.calls.size()});
            if (rule.calls.empty()) learn(d);
        }
    while (!fresh.empty()) {
        const std::size_t d = fresh.back();
        fresh.pop_back();
        for (const std::size_t r : used[d])
            if (--rules[r].missing == 0) learn(rules[r].definition);
    }
    for (std::size_t d = 0; d < definitions.size(); ++d)
        if (!known[d]) culprit = definitions[d].name;
    return culprit.empty();
}

bool same_pair(const std::pair<TermId, TermId>& a, TermId x, TermId y) {
    return (a.first == x && a.second == y) || (a.first == y && a.second == x);
}

void find_root(Definition& definition) {
    const auto parameters = static_cast<std::size_t>(definition.parameters);
    std::vector<int> count(parameters + 1, 0); // rules with a cell at this parameter
    int rules = 0;
    for (const Clause& rule : definition.rules) {
        if (rule.cells.empty() && rule.calls.empty()) continue;
        ++rules;
        std::vector<char> root(static_cast<std::size_t>(rule.terms), 0);
        for (const CellAtom& cell : rule.cells) root[static_cast<std::size_t>(cell.root)] = 1;
        std::vector<char> here = root;
        for (const auto& [a, b] : rule.equal) {
            here[static_cast<std::size_t>(a)] |= root[static_cast<std::size_t>(b)];
            here[static_cast<std::size_t>(b)] |= root[static_cast<std::size_t>(a)];
        }
        for (std::size_t p = 1; p <= parameters; ++p) count[p] += here[p];
    }
    for (std::size_t p = 1; p <= parameters && rules > 0; ++p)
        if (count[p] == rules) {
            definition.root = static_cast<int>(p);
            return;
        }
}

bool mentions(const Clause& rule, TermId term, int except_call) {
    bool found = false;
    for (const CellAtom& cell : rule.cells) {
        found |= cell.root == term;
        for (const Link& link : cell.links) found |= link.value == term;
    }
    for (std::size_t c = 0; c < rule.calls.size(); ++c) {
        if (static_cast<int>(c) == except_call) continue;
        for (const TermId argument : rule.calls[c].arguments) found |= argument == term;
    }
    for (const TermId t : rule.dangling) found |= t == term;
    return found;
}

// The parameters of a segment, read off its base (equalities) and its step (the recursive call).
std::optional<Segment> roles(const Definition& definition, const Clause& base, const Clause& step,
                             const Call& self) {
    const auto argument = [&](int p) { return self.arguments[static_cast<std::size_t>(p - 1)]; };
    Segment segment;
    segment.root = definition.root;
    for (const auto& [a, b] : base.equal) {
        if (a == b) return std::nullopt;
        if (a == segment.root || b == segment.root) {
            if (segment.out >= 0) return std::nullopt;
            segment.out = a == segment.root ? b : a;
        } else {
            if (segment.last >= 0) return std::nullopt;
            segment.before = a > 0 && argument(a) == segment.root ? a : b;
            segment.last = segment.before == a ? b : a;
        }
    }
    if (segment.out <= 0 || segment.last == null_term || segment.before == null_term) return std::nullopt;
    if (argument(segment.root) <= definition.parameters) return std::nullopt;
    for (int p = 1; p <= definition.parameters; ++p) {
        const TermId expected = p == segment.before ? segment.root : p;
        if (p != segment.root && argument(p) != expected) return std::nullopt;
    }
    for (const auto& pair : step.distinct) {
        if (same_pair(pair, segment.root, segment.out))
            segment.out_guarded = true;
        else if (segment.last > 0 && same_pair(pair, segment.last, segment.before))
            segment.last_guarded = true;
        else if (pair.first == segment.out || pair.second == segment.out || pair.first == segment.last ||
                 pair.second == segment.last)
            return std::nullopt;
    }
    return segment;
}

void find_segment(Definition& definition, int number) {
    if (definition.rules.size() != 2 || definition.root < 0) return;
    const int base_at = self_calls(definition.rules[0], number) == 0 ? 0 : 1;
    const Clause& base = definition.rules[static_cast<std::size_t>(base_at)];
    const Clause& step = definition.rules[static_cast<std::size_t>(1 - base_at)];
    if (!base.cells.empty() || !base.calls.empty() || !base.distinct.empty() || !base.dangling.empty())
        return;
    if (self_calls(step, number) != 1 || !step.equal.empty() || base.equal.empty() || base.equal.size() > 2)
        return;
    int self = 0;
    while (step.calls[static_cast<std::size_t>(self)].definition != number) ++self;
    std::optional<Segment> segment =
        roles(definition, base, step, step.calls[static_cast<std::size_t>(self)]);
    if (!segment) return;
    if (mentions(step, segment->out, self) || (segment->last > 0 && mentions(step, segment->last, self)))
        return;
    segment->base_rule = base_at;
    segment->step_rule = 1 - base_at;
    segment->self_call = self;
    definition.segment = segment;
}

// ---- P = cell | cell * P

// Whether two clauses are the same up to the names of locals (terms above `parameters`). Parts are compared
// in the order they are written.
class SameClause {
  public:
    SameClause(const Clause& a, const Clause& b, int parameters) : a_(a), b_(b), parameters_(parameters) {}

    bool check() {
        if (a_.cells.size() != b_.cells.size() || a_.calls.size() != b_.calls.size() ||
            a_.dangling.size() != b_.dangling.size())
            return false;
        for (std::size_t i = 0; i < a_.cells.size(); ++i)
            if (!same(a_.cells[i], b_.cells[i])) return false;
        for (std::size_t i = 0; i < a_.calls.size(); ++i) {
            if (a_.calls[i].definition != b_.calls[i].definition) return false;
            for (std::size_t k = 0; k < a_.calls[i].arguments.size(); ++k)
                if (!same(a_.calls[i].arguments[k], b_.calls[i].arguments[k])) return false;
        }
        for (std::size_t i = 0; i < a_.dangling.size(); ++i)
            if (!same(a_.dangling[i], b_.dangling[i])) return false;
        return covers(a_, b_, false) && covers(b_, a_, true);
    }

  private:
    bool same(TermId x, TermId y) {
        if (x <= parameters_ || y <= parameters_) return x == y;
        const auto [there, fresh] = forth_.emplace(x, y);
        const auto [back, fresh_back] = back_.emplace(y, x);
        return there->second == y && back->second == x;
    }

    bool same(const CellAtom& x, const CellAtom& y) {
        if (!same(x.root, y.root) || x.links.size() != y.links.size()) return false;
        for (const Link& link : x.links) {
            const auto other = std::find_if(y.links.begin(), y.links.end(),
                                            [&](const Link& l) { return l.field == link.field; });
            if (other == y.links.end() || !same(link.value, other->value)) return false;
        }
        return true;
    }

    // Each disequality of x stands in y.
    bool covers(const Clause& x, const Clause& y, bool swapped) {
        const auto map = [&](TermId t) {
            const auto& names = swapped ? back_ : forth_;
            const auto found = names.find(t);
            return found == names.end() ? t : found->second;
        };
        return std::all_of(x.distinct.begin(), x.distinct.end(), [&](const auto& pair) {
            return std::any_of(y.distinct.begin(), y.distinct.end(), [&](const auto& p) {
                return same_pair(p, map(pair.first), map(pair.second));
            });
        });
    }

    const Clause &a_, &b_;
    int parameters_;
    std::map<TermId, TermId> forth_, back_;
};

Clause replaced(Clause clause, TermId from, TermId to) {
    const auto change = [&](TermId& term) { term = term == from ? to : term; };
    for (auto& [a, b] : clause.equal) change(a), change(b);
    for (auto& [a, b] : clause.distinct) change(a), change(b);
    for (TermId& term : clause.dangling) change(term);
    for (CellAtom& cell : clause.cells) {
        change(cell.root);
        for (Link& link : cell.links) change(link.value);
    }
    for (Call& call : clause.calls)
        for (TermId& argument : call.arguments) change(argument);
    return clause;
}

// base (one cell) is the step with its recursive call empty, that is, under `empty`: root = out and,
// for doubly-linked lists, last = before. Fills `empty` for a fitting out.
bool base_is_step(const Definition& d, const Clause& base, const Clause& step, const Call& self, TermId out,
                  Clause& empty) {
    const auto argument = [&](int p) { return self.arguments[static_cast<std::size_t>(p - 1)]; };
    const TermId next = argument(d.root);
    if (next <= d.parameters || (out > 0 && argument(out) != out)) return false;
    empty = Clause{};
    empty.terms = d.parameters + 1;
    empty.equal.emplace_back(d.root, out);
    Clause a = base, b = step;
    std::erase_if(b.calls, [&](const Call& call) {
        return call.arguments == self.arguments && call.definition == self.definition;
    });
    b = replaced(std::move(b), next, out);
    for (const auto& [x, y] : base.equal) { // fr = bk: last is the root, whose successor has before = root
        const TermId last = x == d.root ? y : y == d.root ? x : null_term;
        if (last <= 0 || last > d.parameters || argument(last) != last) return false;
        int before = 1;
        while (before <= d.parameters && argument(before) != d.root) ++before;
        if (before > d.parameters) return false;
        empty.equal.emplace_back(last, before);
        a = replaced(std::move(a), last, d.root);
        b = replaced(std::move(b), last, d.root);
    }
    return SameClause(a, b, d.parameters).check();
}

constexpr std::size_t max_rewritten = 500; // parts of a rule: comparing two is more than linear

std::size_t parts(const Clause& clause) {
    std::size_t count = clause.equal.size() + clause.distinct.size() + clause.dangling.size();
    for (const CellAtom& cell : clause.cells) count += 1 + cell.links.size();
    for (const Call& call : clause.calls) count += 1 + call.arguments.size();
    return count;
}

void rewrite_one_cell_base(std::vector<Definition>& definitions, int number, Budget* budget) {
    const Definition& given = definitions[static_cast<std::size_t>(number)];
    if (given.rules.size() != 2 || given.root < 0) return;
    if (parts(given.rules[0]) + parts(given.rules[1]) > max_rewritten) return;
    const Definition d = given;
    const int base_at = self_calls(d.rules[0], number) == 0 ? 0 : 1;
    const Clause& base = d.rules[static_cast<std::size_t>(base_at)];
    const Clause& step = d.rules[static_cast<std::size_t>(1 - base_at)];
    if (base.cells.empty() || self_calls(base, number) != 0 || self_calls(step, number) != 1 ||
        !step.equal.empty())
        return;
    const Call self = *std::find_if(step.calls.begin(), step.calls.end(),
                                    [&](const Call& call) { return call.definition == number; });
    for (TermId out = 0; out <= d.parameters; ++out) {
        if (budget) budget->require(parts(base) + parts(step));
        Clause empty;
        if (out == d.root || !base_is_step(d, base, step, self, out, empty)) continue;
        Clause inner = step;
        for (Call& call : inner.calls)
            if (call.definition == number) call.definition = static_cast<int>(definitions.size());
        definitions[static_cast<std::size_t>(number)].rules = {inner};
        definitions.push_back({d.name + "?", d.parameters, {empty, inner}, nullptr, -1, std::nullopt});
        return;
    }
}

} // namespace

std::string analyse(std::vector<Definition>& definitions, Budget* budget) {
    const auto look_at = [&](const Definition& definition) {
        if (!budget) return;
        for (const Clause& rule : definition.rules) budget->require(1 + parts(rule));
    };
    std::string culprit;
    if (!ends(definitions, culprit))
        return fmt::format("definition {} calls itself without a cell in between", culprit);
    if (!grounded(definitions, culprit)) return fmt::format("definition {} has no base case", culprit);
    const std::size_t given = definitions.size();
    for (std::size_t d = 0; d < given; ++d) {
        look_at(definitions[d]);
        find_root(definitions[d]);
        rewrite_one_cell_base(definitions, static_cast<int>(d), budget);
    }
    for (std::size_t d = 0; d < definitions.size(); ++d) {
        look_at(definitions[d]);
        find_root(definitions[d]);
        find_segment(definitions[d], static_cast<int>(d));
    }
    return "";
}

} // namespace ggsnn::logic
