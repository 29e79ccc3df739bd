#include "ggsnn/verify/infer/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace ggsnn::verify {

using logic::Heap;
using logic::SymbolicHeap;
using shapes::Candidate;
using shapes::Group;
using shapes::ShapeAnswer;

namespace {

// Heaps with fewer parts are what the networks know, and are shown to them whole.
constexpr std::size_t least_parts = 4;
constexpr std::size_t most_known = 20'000;

// Sets of numbers that are joined.
class Unions {
  public:
    explicit Unions(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

  private:
    std::vector<std::size_t> parent_;
};

// By node, what hangs together; NULL hangs on nothing.
Unions hanging_together(const Heap& heap) {
    Unions together(heap.nodes.size());
    for (std::size_t n = 1; n < heap.nodes.size(); ++n)
        for (const auto& [field, target] : heap.nodes[n].links)
            if (target > 0) together.join(n, static_cast<std::size_t>(target));
    return together;
}

// Whether every cell hangs together with a name.
bool all_named(const Heap& heap, Unions& together) {
    std::vector<char> named(heap.nodes.size(), 0);
    for (const auto& [name, node] : heap.variables)
        if (node > 0) named[together.find(static_cast<std::size_t>(node))] = 1;
    for (std::size_t n = 1; n < heap.nodes.size(); ++n)
        if (named[together.find(n)] == 0) return false;
    return true;
}

// What hangs together with these names alone.
Heap part_of(const Heap& heap, Unions& together, const std::vector<std::string>& names) {
    std::set<std::size_t> wanted;
    for (const std::string& name : names)
        if (const int node = heap.variable(name); node > 0)
            wanted.insert(together.find(static_cast<std::size_t>(node)));
    Heap part;
    part.fields = heap.fields;
    std::vector<int> number(heap.nodes.size(), 0);
    for (std::size_t n = 1; n < heap.nodes.size(); ++n)
        if (wanted.contains(together.find(n))) {
            number[n] = static_cast<int>(part.nodes.size());
            part.nodes.push_back(heap.nodes[n]);
        }
    for (Heap::Node& node : part.nodes)
        for (auto& [field, target] : node.links) target = number[static_cast<std::size_t>(target)];
    for (const std::string& name : names)
        part.variables.emplace_back(name, number[static_cast<std::size_t>(heap.variable(name))]);
    return part;
}

// Names that keep their order.
std::string placeholder(std::size_t number) {
    return fmt::format("{:04}'", number);
}

std::vector<Heap> with_placeholders(const std::vector<Heap>& heaps) {
    std::vector<Heap> out = heaps;
    for (Heap& heap : out)
        for (std::size_t v = 0; v < heap.variables.size(); ++v) heap.variables[v].first = placeholder(v);
    return out;
}

// Networks: those that are asked.
std::string question_of(const std::string& networks, const std::vector<Heap>& heaps) {
    std::string text = networks;
    for (const Heap& heap : heaps) {
        text += "\n";
        for (const std::string& field : heap.fields) text += field + ",";
        for (const Heap::Node& node : heap.nodes) {
            text += node.allocated ? ";" : ".";
            for (const auto& [field, target] : node.links) text += fmt::format("{}>{} ", field, target);
        }
        for (const auto& [name, node] : heap.variables) text += fmt::format(" {}", node);
    }
    return text;
}

// Each once, small ones first: what else the whole heap holds is not seen any more.
std::vector<Heap> distinct(const std::vector<Heap>& heaps) {
    std::map<std::pair<std::size_t, std::string>, const Heap*> order;
    for (const Heap& heap : heaps)
        order.emplace(std::pair(heap.nodes.size(), question_of("", {heap})), &heap);
    std::vector<Heap> out;
    for (const auto& [key, heap] : order) out.push_back(*heap);
    return out;
}

// A shape over placeholders, over names.
SymbolicHeap with_names(const SymbolicHeap& shape, const std::vector<std::string>& names) {
    std::map<std::string, std::string> real;
    for (std::size_t v = 0; v < names.size(); ++v) real[placeholder(v)] = names[v];
    return logic::substitute(shape, real);
}

// The separating conjunction. Bound names are given new ones, which no variable has.
class Conjunction {
  public:
    explicit Conjunction(const Heap& heap) {
        for (const auto& variable : heap.variables) taken_.insert(variable.first);
    }
    void add(const Candidate& part) {
        std::map<std::string, std::string> renamed;
        for (const std::string& bound : part.shape.exists) {
            std::string name;
            do name = fmt::format("e{}", ++count_);
            while (taken_.contains(name));
            renamed[bound] = name;
            whole_.shape.exists.push_back(name);
        }
        SymbolicHeap open = part.shape;
        open.exists.clear();
        open = logic::substitute(open, renamed);
        whole_.shape.pure.insert(whole_.shape.pure.end(), open.pure.begin(), open.pure.end());
        whole_.shape.atoms.insert(whole_.shape.atoms.end(), open.atoms.begin(), open.atoms.end());
        whole_.score += part.score;
    }
    void add_null(const std::string& name) { whole_.shape.pure.push_back({true, name, logic::null_name}); }
    Candidate take() { return std::move(whole_); }

  private:
    std::set<std::string> taken_;
    int count_ = 0;
    Candidate whole_;
};

// One candidate a part.
Candidate joined(const Heap& heap, const std::vector<std::string>& nulls,
                 const std::vector<const Candidate*>& parts) {
    Conjunction all(heap);
    for (const std::string& name : nulls) all.add_null(name);
    for (const Candidate* part : parts) all.add(*part);
    return all.take();
}

} // namespace

bool KnownShapes::find(const std::string& question, ShapeAnswer& answer) const {
    const std::lock_guard lock(mutex_);
    const auto known = answers_.find(question);
    if (known == answers_.end()) return false;
    answer = known->second;
    return true;
}

void KnownShapes::keep(const std::string& question, const ShapeAnswer& answer) {
    const std::lock_guard lock(mutex_);
    if (answers_.size() < most_known) answers_.emplace(question, answer);
}

std::vector<HeapPart> parts_of(const Group& group, std::vector<std::string>& nulls) {
    const Heap& first = *group[0];
    Unions names(first.variables.size());
    std::vector<char> null(first.variables.size(), 1);
    std::vector<Unions> together;
    bool apart = true;
    for (const Heap* heap : group) {
        together.push_back(hanging_together(*heap));
        apart = apart && all_named(*heap, together.back());
        std::map<std::size_t, std::size_t> name_at;
        for (std::size_t v = 0; v < heap->variables.size(); ++v) {
            if (heap->variables[v].second == 0) continue;
            null[v] = 0;
            const std::size_t at = together.back().find(static_cast<std::size_t>(heap->variables[v].second));
            names.join(v, name_at.emplace(at, v).first->second);
        }
    }
    std::vector<HeapPart> parts;
    std::map<std::size_t, std::size_t> part_at;
    for (std::size_t v = 0; v < first.variables.size(); ++v) {
        if (apart && null[v] != 0) {
            nulls.push_back(first.variables[v].first);
            continue;
        }
        const auto [at, added] = part_at.emplace(apart ? names.find(v) : 0, parts.size());
        if (added) parts.emplace_back();
        parts[at->second].names.push_back(first.variables[v].first);
    }
    if (!apart || parts.empty()) {
        nulls.clear();
        parts.assign(1, {});
        for (const auto& variable : first.variables) parts[0].names.push_back(variable.first);
        for (const Heap* heap : group) parts[0].heaps.push_back(*heap);
        return parts;
    }
    for (HeapPart& part : parts)
        for (std::size_t h = 0; h < group.size(); ++h)
            part.heaps.push_back(part_of(*group[h], together[h], part.names));
    return parts;
}

PartPredictor::PartPredictor(const shapes::Decider& decider, const shapes::ShapeOptions& options,
                             KnownShapes& known)
    : decider_(decider), options_(options), predictor_(decider, options), known_(known) {}

// Of heaps that are not taken apart any more. What is to be traced is asked under its own names.
ShapeAnswer PartPredictor::ask(const std::vector<Heap>& heaps) const {
    ThreadPool one(1);
    const auto asked = [&](const std::vector<Heap>& some) {
        Group group;
        for (const Heap& heap : some) group.push_back(&heap);
        return predictor_.predict({group}, one)[0];
    };
    if (options_.trace) return asked(heaps);
    const std::vector<Heap> nameless = with_placeholders(heaps);
    const std::string question = question_of(decider_.grammar().wide ? "wide"
                                             : decider_.nested()     ? "nested"
                                                                     : "flat",
                                             nameless);
    ShapeAnswer answer;
    if (!known_.find(question, answer)) {
        answer = asked(nameless);
        known_.keep(question, answer);
    }
    std::vector<std::string> names;
    for (const auto& variable : heaps[0].variables) names.push_back(variable.first);
    answer.alone.shape = with_names(answer.alone.shape, names);
    answer.checked.shape = with_names(answer.checked.shape, names);
    for (Candidate& other : answer.others) other.shape = with_names(other.shape, names);
    return answer;
}

ShapeAnswer PartPredictor::whole(const Group& group) const {
    std::vector<std::string> nulls;
    const std::vector<HeapPart> parts = parts_of(group, nulls);
    if (parts.size() < least_parts) {
        std::vector<Heap> heaps;
        for (const Heap* heap : group) heaps.push_back(*heap);
        return ask(heaps);
    }
    std::vector<ShapeAnswer> answers;
    for (const HeapPart& part : parts) answers.push_back(ask(distinct(part.heaps)));
    std::vector<const Candidate*> alone, best;
    ShapeAnswer all;
    all.alone_holds = all.checked_holds = true;
    for (const ShapeAnswer& answer : answers) {
        alone.push_back(&answer.alone);
        best.push_back(&answer.checked);
        all.alone_holds = all.alone_holds && answer.alone_holds;
        all.checked_holds = all.checked_holds && answer.checked_holds;
    }
    all.alone = joined(*group[0], nulls, alone);
    all.checked = joined(*group[0], nulls, best);
    // Another candidate for one part, the nearest first.
    std::vector<std::tuple<double, std::size_t, const Candidate*>> others;
    for (std::size_t p = 0; p < answers.size(); ++p)
        for (const Candidate& other : answers[p].others)
            others.emplace_back(best[p]->score - other.score, p, &other);
    std::stable_sort(others.begin(), others.end(),
                     [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
    if (others.size() > static_cast<std::size_t>(options_.keep))
        others.resize(static_cast<std::size_t>(options_.keep));
    for (const auto& [loss, p, other] : others) {
        std::vector<const Candidate*> some = best;
        some[p] = other;
        all.others.push_back(joined(*group[0], nulls, some));
    }
    for (ShapeAnswer& answer : answers) {
        const int before = static_cast<int>(all.seen.size());
        for (shapes::TraceStep& step : answer.checked.trace) {
            for (auto& site : step.sites) site.heap += before;
            all.checked.trace.push_back(std::move(step));
        }
        for (Heap& heap : answer.seen) all.seen.push_back(std::move(heap));
    }
    return all;
}

std::vector<ShapeAnswer> PartPredictor::predict(const std::vector<Group>& groups) const {
    std::vector<ShapeAnswer> out;
    for (const Group& group : groups) out.push_back(group.empty() ? ShapeAnswer{} : whole(group));
    return out;
}

} // namespace ggsnn::verify
