#include "ggsnn/shapes/shape_predict.hpp"

#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/shapes/summary.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace ggsnn::shapes {

using logic::Atom;
using logic::Formula;
using logic::Heap;
using logic::SymbolicHeap;

namespace {

constexpr std::size_t piece_groups = 32; // groups that go through the networks together
constexpr logic::SatisfyLimits check_limits{2'000'000};

std::shared_ptr<const logic::Lambda> weakened_body(const std::shared_ptr<const logic::Lambda>& body) {
    if (!body) return nullptr;
    return std::make_shared<const logic::Lambda>(logic::Lambda{body->parameter, weakened(body->heap)});
}

SearchOptions search_options(const ShapeOptions& options, int width) {
    return {width, options.trace};
}

} // namespace

SymbolicHeap weakened(const SymbolicHeap& shape) {
    SymbolicHeap out = shape;
    for (Atom& atom : out.atoms) {
        const int end = logic::is_structure(atom) ? logic::ends_of(atom.kind).end : -1;
        const bool cycle = end >= 0 && atom.root() == atom.arguments[static_cast<std::size_t>(end)];
        if (!cycle) atom.strict = false;
        atom.body = weakened_body(atom.body);
    }
    // A name of which nothing is said describes no cell.
    std::erase_if(out.atoms, [](const Atom& atom) { return atom.kind == Atom::Kind::none; });
    return out;
}

SymbolicHeap without_cuts(const SymbolicHeap& shape) {
    SymbolicHeap out = shape;
    for (Atom& atom : out.atoms)
        if (atom.body)
            atom.body = std::make_shared<const logic::Lambda>(
                logic::Lambda{atom.body->parameter, without_cuts(atom.body->heap)});
    const auto same_body = [](const Atom& a, const Atom& b) {
        Atom p = a, q = b;
        p.arguments = q.arguments = {"x", "y"};
        return logic::canonically_equal({{{{}, {}, {p}}}}, {{{{}, {}, {q}}}});
    };
    for (const std::string& e : shape.exists) {
        std::vector<std::size_t> starts, ends;
        for (std::size_t i = 0; i < out.atoms.size(); ++i) {
            const Atom& atom = out.atoms[i];
            if (atom.root() == e) starts.push_back(i);
            if (atom.kind == Atom::Kind::list && atom.arguments[1] == e) ends.push_back(i);
        }
        if (starts.size() != 1 || ends.size() != 1 || starts == ends) continue;
        const Atom second = out.atoms[starts[0]];
        Atom& first = out.atoms[ends[0]];
        if (second.kind != Atom::Kind::list || !same_body(first, second)) continue;
        first.arguments[1] = second.arguments[1];
        out.atoms.erase(out.atoms.begin() + static_cast<std::ptrdiff_t>(starts[0]));
        std::erase(out.exists, e);
    }
    return out;
}

bool holds_in_all(const SymbolicHeap& shape, const Group& group) {
    const logic::Checker checker({{shape}});
    return std::all_of(group.begin(), group.end(),
                       [&](const Heap* heap) { return checker(*heap, check_limits) == logic::Truth::yes; });
}

ShapePredictor::ShapePredictor(const Decider& decider, const ShapeOptions& options)
    : options_(options),
      back_links_(decider.grammar().wide),
      greedy_(decider, search_options(options, 1)),
      wide_(decider, search_options(options, std::max(1, options.width))) {}

std::vector<ShapeAnswer> ShapePredictor::predict(const std::vector<Group>& groups, ThreadPool& pool) const {
    std::vector<ShapeAnswer> out(groups.size());
    pool.run((groups.size() + piece_groups - 1) / piece_groups, [&](std::size_t i, int) {
        predict_piece(groups, i * piece_groups, std::min(groups.size(), (i + 1) * piece_groups), out);
    });
    return out;
}

void ShapePredictor::predict_piece(const std::vector<Group>& groups, std::size_t begin, std::size_t end,
                                   std::vector<ShapeAnswer>& out) const {
    const auto holds = [&](const Candidate& candidate, const Group& group) {
        return holds_in_all(
            options_.reading == logic::Reading::shape ? candidate.shape : weakened(candidate.shape), group);
    };
    std::vector<Group> piece(groups.begin() + static_cast<std::ptrdiff_t>(begin),
                             groups.begin() + static_cast<std::ptrdiff_t>(end));
    auto runs = greedy_.run(piece);
    std::vector<Group> open;
    std::vector<std::size_t> open_at;
    for (std::size_t i = 0; i < piece.size(); ++i) {
        ShapeAnswer& answer = out[begin + i];
        if (runs[i].empty()) continue;
        answer.alone = std::move(runs[i][0]);
        answer.alone_holds = holds(answer.alone, piece[i]);
        answer.checked = answer.alone;
        answer.checked.shape = without_cuts(answer.alone.shape);
        answer.checked_holds = answer.alone_holds;
        if (options_.trace)
            for (const Heap* heap : piece[i]) answer.seen.push_back(*heap);
        if (options_.width <= 0 || (answer.alone_holds && options_.keep == 0)) continue;
        open.push_back(piece[i]);
        open_at.push_back(begin + i);
    }
    if (open.empty()) return;
    std::deque<Heap> summaries;
    SummaryLimits limits;
    limits.back = back_links_;
    std::vector<Group> searched = open;
    for (Group& group : searched)
        for (const Heap*& heap : group)
            if (auto summary = summarise(*heap, limits)) heap = &summaries.emplace_back(std::move(*summary));
    auto wider = wide_.run(searched);
    for (std::size_t i = 0; i < open.size(); ++i) {
        ShapeAnswer& answer = out[open_at[i]];
        for (Candidate& candidate : wider[i]) {
            if (answer.checked_holds && static_cast<int>(answer.others.size()) >= options_.keep) break;
            candidate.shape = without_cuts(candidate.shape);
            if (!holds(candidate, open[i])) continue;
            if (!answer.checked_holds) {
                answer.checked = std::move(candidate);
                answer.checked_holds = true;
                answer.seen.clear();
                if (options_.trace)
                    for (const Heap* heap : searched[i]) answer.seen.push_back(*heap);
            } else if (!logic::canonically_equal({{candidate.shape}}, {{answer.checked.shape}})) {
                answer.others.push_back(std::move(candidate));
            }
        }
    }
}

Batches batches(const std::vector<LabelledHeap>& heaps, std::size_t batch) {
    Batches out;
    Group current;
    const logic::Formula* formula = nullptr;
    for (const LabelledHeap& item : heaps) {
        if (item.formula.get() != formula) current.clear();
        formula = item.formula.get();
        current.push_back(&item.heap);
        if (current.size() < batch) continue;
        out.groups.push_back(std::move(current));
        out.labels.push_back(formula);
        current.clear();
    }
    return out;
}

OrderedJson ShapeScore::to_json() const {
    const auto ratio = [&](long part) {
        return count > 0 ? static_cast<double>(part) / static_cast<double>(count) : 0;
    };
    OrderedJson json{{"count", count},
                     {"accuracy", ratio(alone)},
                     {"accuracy_equivalent", ratio(equivalent)},
                     {"accuracy_checked", ratio(checked)}};
    if (determined >= 0) json["ceiling"] = ratio(determined);
    if (determined > 0)
        json["checked_of_determined"] =
            static_cast<double>(checked_determined) / static_cast<double>(determined);
    return json;
}

ShapeScore score(const Batches& batches, const std::vector<ShapeAnswer>& answers,
                 const std::vector<Formula>& space, ThreadPool& pool) {
    const std::vector<Group>& groups = batches.groups;
    struct Judged {
        bool alone = false, checked = false, equivalent = false, determined = false;
    };
    std::vector<logic::Checker> checkers;
    for (const Formula& formula : space) checkers.emplace_back(formula);
    std::vector<Judged> judged(groups.size());
    pool.run(groups.size(), [&](std::size_t i, int) {
        const Formula& label = *batches.labels[i];
        Judged& j = judged[i];
        const Formula alone{{answers[i].alone.shape}};
        j.alone = logic::canonically_equal(alone, label);
        j.checked = logic::canonically_equal({{answers[i].checked.shape}}, label);
        j.equivalent = j.alone || (logic::prove(alone, label, {0.2}).verdict == logic::Validity::valid &&
                                   logic::prove(label, alone, {0.2}).verdict == logic::Validity::valid);
        int satisfied = 0;
        for (const logic::Checker& checker : checkers) {
            if (satisfied > 1) break;
            satisfied += std::all_of(groups[i].begin(), groups[i].end(),
                                     [&](const Heap* heap) { return checker(*heap) == logic::Truth::yes; })
                             ? 1
                             : 0;
        }
        j.determined = satisfied == 1;
    });
    ShapeScore total;
    if (!space.empty()) total.determined = 0;
    for (const Judged& j : judged) {
        ++total.count;
        total.alone += j.alone ? 1 : 0;
        total.checked += j.checked ? 1 : 0;
        total.equivalent += j.equivalent ? 1 : 0;
        if (!space.empty()) total.determined += j.determined ? 1 : 0;
        total.checked_determined += j.determined && j.checked ? 1 : 0;
    }
    return total;
}

} // namespace ggsnn::shapes
