// Deciders for tests: one that is always right, and what is built on it.
#pragma once

#include "ggsnn/shapes/derive.hpp"
#include "ggsnn/shapes/search.hpp"
#include "samples.hpp"

namespace ggsnn::shapes {

// Answers every question rightly, by following links: what is left to test is the algorithm around the
// answers.
class Oracle : public Decider {
  public:
    explicit Oracle(bool is_nested) : nested_(is_nested) {}
    bool nested() const override { return nested_; }
    void decide(Decision d, const Dataset&, const std::vector<Question>& questions,
                std::vector<Prediction>& out) const override {
        out.clear();
        for (const Question& q : questions) out.push_back(answer(d, *q.heap, *q.marks));
    }

  private:
    static std::vector<double> sure(std::size_t size, int label) {
        std::vector<double> list(size, 0.01);
        list[static_cast<std::size_t>(label)] = 0.9;
        return list;
    }
    // Two lists meet in it, and it has no name; with a node active, on the way from there.
    static int merge(const logic::Heap& heap, const Marks& m, bool from_active) {
        std::vector<int> in(heap.nodes.size(), 0);
        const int next = heap.find_field("next");
        for (std::size_t v = 1; v < heap.nodes.size(); ++v)
            if (const int t = heap.target(static_cast<int>(v), next); t > 0)
                ++in[static_cast<std::size_t>(t)];
        if (!from_active) {
            for (std::size_t v = 1; v < heap.nodes.size(); ++v)
                if (in[v] > 1 && m.named[v] == 0) return static_cast<int>(v);
            return -1;
        }
        for (int v = heap.target(m.active[0], next); v > 0 && m.named[static_cast<std::size_t>(v)] == 0;
             v = heap.target(v, next))
            if (in[static_cast<std::size_t>(v)] > 1) return v;
        return -1;
    }
    Prediction answer(Decision d, const logic::Heap& heap, const Marks& m) const {
        Prediction p;
        const int next = heap.find_field("next"), left = heap.find_field("left");
        const int root = m.active.empty() ? -1 : m.active[0];
        int end = root > 0 ? heap.target(root, next) : -1;
        for (std::size_t steps = 0;
             end > 0 && m.named[static_cast<std::size_t>(end)] == 0 && steps < m.named.size(); ++steps)
            end = heap.target(end, next);
        const bool list = root > 0 && heap.target(root, next) >= 0,
                   tree = root > 0 && heap.target(root, left) >= 0;
        const int meeting = d == Decision::quantify || d == Decision::pick ? merge(heap, m, nested_) : -1;
        switch (d) {
        case Decision::quantify:
            p.lists = {sure(2, meeting > 0 ? one_more : no_more)};
            break;
        case Decision::pick:
            p.lists = {sure(heap.nodes.size(), meeting)};
            break;
        case Decision::predicate:
            p.lists = {sure(3, list ? is_list : tree ? is_tree : is_none)};
            break;
        case Decision::end:
            p.lists = {sure(heap.nodes.size(), end)};
            break;
        case Decision::explain:
            p.labels.assign(heap.nodes.size(), nothing_new);
            for (const int cell :
                 cells_of(heap, list ? logic::Atom::Kind::list : logic::Atom::Kind::tree, root, end)) {
                p.labels[static_cast<std::size_t>(cell)] = now_explained;
                const int val =
                    nested_ && heap.find_field("val") >= 0 ? heap.target(cell, heap.find_field("val")) : 0;
                if (val > 0) p.labels[static_cast<std::size_t>(val)] = hangs_here;
            }
            break;
        }
        return p;
    }
    bool nested_;
};

} // namespace ggsnn::shapes
