#include "ggsnn/verify/run/unfold.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <set>

namespace ggsnn::verify {

namespace {

using logic::Atom;
using logic::SymbolicHeap;

constexpr std::size_t max_cells = 400; // of one input

} // namespace

Unfolding::Unfolding(Random& random, const std::vector<int>& inner_sizes)
    : random_(random), sizes_(inner_sizes) {
    names_[logic::null_name] = fresh(); // number 0
}

int Unfolding::name(const std::string& text) {
    const auto [place, added] = names_.try_emplace(text, 0);
    if (added) place->second = fresh();
    return place->second;
}

bool Unfolding::add(const SymbolicHeap& heap, const std::vector<int>& sizes) {
    for (const logic::Pure& p : heap.pure) {
        if (p.equal) {
            join(name(p.left), name(p.right));
        } else {
            different_.emplace_back(name(p.left), name(p.right));
        }
    }
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) atom(heap.atoms[i], sizes[i]);
    return cells_.size() <= max_cells;
}

int Unfolding::root(int n) const {
    while (parent_[static_cast<std::size_t>(n)] != n) n = parent_[static_cast<std::size_t>(n)];
    return n;
}

bool Unfolding::consistent() const {
    std::set<int> taken{root(0)};
    for (const Made& cell : cells_)
        if (!taken.insert(root(cell.at)).second) return false;
    return std::all_of(different_.begin(), different_.end(),
                       [&](const auto& pair) { return root(pair.first) != root(pair.second); });
}

void Unfolding::join(int a, int b) {
    a = root(a);
    b = root(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b); // NULL stays a root
}

int Unfolding::fresh() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return static_cast<int>(parent_.size()) - 1;
}

Unfolding::Made& Unfolding::make(int at) {
    cells_.push_back({at, {}, static_cast<long>(cells_.size()) + (1L << 32)});
    return cells_.back();
}

void Unfolding::atom(const Atom& a, int size) {
    if (cells_.size() > max_cells) return;
    if (a.strict) size = std::max(size, 1);
    switch (a.kind) {
    case Atom::Kind::cell: {
        Made cell{name(a.root()), {}, 0};
        for (const auto& [field, term] : a.links)
            cell.links.emplace_back(std::string(logic::bare_field(field)), name(term));
        make(cell.at).links = cell.links;
        break;
    }
    case Atom::Kind::list:
        list(a, size);
        break;
    case Atom::Kind::dll:
        dll(a, size);
        break;
    case Atom::Kind::tree:
        tree(a, size);
        break;
    case Atom::Kind::none:
        different_.emplace_back(name(a.root()), 0);
        break;
    }
}

void Unfolding::list(const Atom& a, int size) {
    int at = name(a.arguments[0]);
    const int end = name(a.arguments[1]);
    if (size == 0) return join(at, end);
    for (int i = 0; i < size; ++i) {
        const int next = i + 1 == size ? end : fresh();
        make(at).links.emplace_back("next", next);
        body(a);
        at = next;
    }
}

void Unfolding::dll(const Atom& a, int size) {
    int at = name(a.arguments[0]), before = name(a.arguments[2]);
    const int last = name(a.arguments[1]), end = name(a.arguments[3]);
    if (size == 0) {
        join(at, end);
        return join(last, before);
    }
    for (int i = 0; i < size; ++i) {
        const int next = i + 1 == size ? end : fresh();
        make(at).links = {{"next", next}, {"prev", before}};
        before = at;
        if (i + 1 == size) join(last, at);
        at = next;
    }
}

// Grown by leaves at places drawn by chance, then numbered from left to right.
void Unfolding::tree(const Atom& a, int size) {
    const int top = name(a.root());
    if (size == 0) return join(top, 0);
    struct Node {
        int at, left, right;
    };
    std::vector<Node> nodes{{top, -1, -1}};
    for (int i = 1; i < size; ++i) {
        std::size_t at = 0;
        for (;;) {
            int& child = random_.chance(0.5) ? nodes[at].left : nodes[at].right;
            if (child < 0) {
                child = static_cast<int>(nodes.size());
                break;
            }
            at = static_cast<std::size_t>(child);
        }
        nodes.push_back({fresh(), -1, -1});
    }
    const auto target = [&](int child) { return child < 0 ? 0 : nodes[static_cast<std::size_t>(child)].at; };
    std::vector<std::size_t> where;
    for (const Node& node : nodes) {
        where.push_back(cells_.size());
        make(node.at).links = {{"left", target(node.left)}, {"right", target(node.right)}};
        body(a);
    }
    std::vector<int> path;
    long order = cells_[where[0]].order;
    for (int at = 0; at >= 0 || !path.empty();) { // in order, without recursion
        for (; at >= 0; at = nodes[static_cast<std::size_t>(at)].left) path.push_back(at);
        at = path.back();
        path.pop_back();
        cells_[where[static_cast<std::size_t>(at)]].order = order++;
        at = nodes[static_cast<std::size_t>(at)].right;
    }
}

// What hangs at `val` of the last cell that was made.
void Unfolding::body(const Atom& a) {
    if (a.body == nullptr || cells_.size() > max_cells) return;
    const std::size_t cell = cells_.size() - 1;
    SymbolicHeap heap = a.body->heap;
    const std::string hook = fmt::format("{}#{}", a.body->parameter, parent_.size());
    std::vector<std::string> exists = std::move(heap.exists);
    heap.exists.clear();
    heap = substitute(heap, a.body->parameter, hook);
    for (const std::string& bound : exists)
        heap = substitute(heap, bound, fmt::format("{}#{}", bound, parent_.size()));
    const int target = name(hook);
    cells_[cell].links.emplace_back("val", target);
    std::vector<int> sizes;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) sizes.push_back(random_.pick(sizes_));
    add(heap, sizes);
}

} // namespace ggsnn::verify
