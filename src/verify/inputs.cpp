// Heaps from formulas: see inputs.hpp.
#include "verify/inputs.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "logic/satisfy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ggsnn::verify {

namespace {

using logic::Atom;
using logic::SymbolicHeap;

constexpr std::size_t max_cells = 400; // of one input

// A disjunct unfolded to cells. Names are numbers; those that are equal share a class.
class Unfolding {
  public:
    Unfolding(Random& random, const std::vector<int>& inner_sizes) : random_(random), sizes_(inner_sizes) {
        names_[logic::null_name] = fresh(); // number 0
    }

    int name(const std::string& text) {
        const auto [place, added] = names_.try_emplace(text, 0);
        if (added) place->second = fresh();
        return place->second;
    }
    bool knows(const std::string& text) const { return names_.contains(text); }

    // False if it cannot be: a cell at NULL, two at one place, equal names that must differ.
    bool add(const SymbolicHeap& heap, const std::vector<int>& sizes) {
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

    // One cell: its name and links by role.
    struct Made {
        int at = -1;
        std::vector<std::pair<std::string, int>> links;
        long order = 0; // of data: along a list, and from left to right in a tree
    };

    int root(int n) const {
        while (parent_[static_cast<std::size_t>(n)] != n) n = parent_[static_cast<std::size_t>(n)];
        return n;
    }
    bool consistent() const {
        std::set<int> taken{root(0)};
        for (const Made& cell : cells_)
            if (!taken.insert(root(cell.at)).second) return false;
        return std::all_of(different_.begin(), different_.end(),
                           [&](const auto& pair) { return root(pair.first) != root(pair.second); });
    }
    const std::vector<Made>& cells() const { return cells_; }
    const std::map<std::string, int>& names() const { return names_; }
    std::size_t count() const { return parent_.size(); }
    void join(int a, int b) {
        a = root(a);
        b = root(b);
        parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b); // NULL stays a root
    }

  private:
    int fresh() {
        parent_.push_back(static_cast<int>(parent_.size()));
        return static_cast<int>(parent_.size()) - 1;
    }
    Made& make(int at) {
        cells_.push_back({at, {}, static_cast<long>(cells_.size()) + (1L << 32)});
        return cells_.back();
    }

    void atom(const Atom& a, int size) {
        if (cells_.size() > max_cells) return;
        if (a.strict) size = std::max(size, 1);
        switch (a.kind) {
        case Atom::Kind::cell: {
            Made cell{name(a.root()), {}, 0};
            for (const auto& [field, term] : a.links) cell.links.emplace_back(field, name(term));
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

    void list(const Atom& a, int size) {
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

    void dll(const Atom& a, int size) {
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
    void tree(const Atom& a, int size) {
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
        const auto target = [&](int child) {
            return child < 0 ? 0 : nodes[static_cast<std::size_t>(child)].at;
        };
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
    void body(const Atom& a) {
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

    Random& random_;
    const std::vector<int>& sizes_; // of what hangs at cells
    std::map<std::string, int> names_;
    std::vector<int> parent_;
    std::vector<Made> cells_;
    std::vector<std::pair<int, int>> different_;
};

// From an unfolding to cells of the program's records.
class Builder {
  public:
    Builder(const Program& program, int function, Unfolding& unfolding, Random& random)
        : program_(program),
          function_(program.functions[static_cast<std::size_t>(function)]),
          unfolding_(unfolding),
          random_(random) {}

    // variant: how open names are chosen, and whether data are sorted (even) or random (odd).
    std::optional<Input> run(int variant) {
        variant_ = variant;
        variables();
        if (!unfolding_.consistent() || !types()) return std::nullopt;
        cells();
        input_.seed = static_cast<std::uint64_t>(variant) + 1;
        for (int p = 0; p < function_.parameters; ++p)
            input_.parameters.push_back(variable(function_.variables[static_cast<std::size_t>(p)]));
        for (const Variable& global : program_.globals) input_.globals.push_back(variable(global));
        return std::move(input_);
    }

  private:
    // Types of names: those of variables, then along the links.
    void variables() {
        const auto note = [&](const Variable& v) {
            if (v.type.kind == Type::Kind::pointer && unfolding_.knows(v.name))
                type_[unfolding_.root(unfolding_.name(v.name))] = v.type.record;
        };
        for (const Variable& global : program_.globals) note(global);
        for (int p = 0; p < function_.parameters; ++p) note(function_.variables[static_cast<std::size_t>(p)]);
    }

    bool types() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& cell : unfolding_.cells()) {
                const auto known = type_.find(unfolding_.root(cell.at));
                if (known == type_.end()) continue;
                for (const auto& [role, target] : cell.links)
                    if (const Record::Field* f = field(known->second, role); f != nullptr)
                        changed |= type_.try_emplace(unfolding_.root(target), f->type.record).second;
            }
        }
        for (const auto& cell : unfolding_.cells()) {
            const int at = unfolding_.root(cell.at);
            if (!type_.contains(at)) type_[at] = guessed(cell);
            if (type_[at] < 0) return false;
            for (const auto& [role, target] : cell.links)
                if (field(type_[at], role) == nullptr) return false; // a field that this record does not have
        }
        return true;
    }

    const Record::Field* field(int record, const std::string& role) const {
        for (const auto& f : program_.records[static_cast<std::size_t>(record)].fields)
            if (f.role == role && f.type.kind == Type::Kind::pointer) return &f;
        return nullptr;
    }

    int guessed(const Unfolding::Made& cell) const {
        for (std::size_t r = 0; r < program_.records.size(); ++r)
            if (std::all_of(cell.links.begin(), cell.links.end(), [&](const auto& link) {
                    return field(static_cast<int>(r), link.first) != nullptr;
                }))
                return static_cast<int>(r);
        return -1;
    }

    void cells() {
        place_[unfolding_.root(0)] = 0;
        for (const auto& cell : unfolding_.cells()) {
            const int at = unfolding_.root(cell.at);
            place_[at] = static_cast<int>(input_.cells.size());
            const int record = type_[at];
            const auto& r = program_.records[static_cast<std::size_t>(record)];
            // A cell that a T ** leads to may be from malloc or not: nobody knows here.
            input_.cells.push_back({Cell::State::live, record, false, std::vector<Value>(r.fields.size())});
        }
        data();
        for (const auto& cell : unfolding_.cells()) {
            const auto at = static_cast<std::size_t>(place_[unfolding_.root(cell.at)]);
            const auto& fields = program_.records[static_cast<std::size_t>(input_.cells[at].record)].fields;
            for (std::size_t f = 0; f < fields.size(); ++f) {
                if (fields[f].type.kind != Type::Kind::pointer) continue;
                Value value = Value::of_cell(0); // what the formula does not speak of
                for (const auto& [role, target] : cell.links)
                    if (role == fields[f].role) value = address(unfolding_.root(target));
                input_.cells[at].fields[f] = value;
            }
        }
    }

    // Numbers in order of the structure, or any, with repetitions.
    void data() {
        std::vector<std::pair<long, std::size_t>> order;
        for (const auto& cell : unfolding_.cells())
            order.emplace_back(cell.order, static_cast<std::size_t>(place_[unfolding_.root(cell.at)]));
        std::sort(order.begin(), order.end());
        std::int64_t number = static_cast<std::int64_t>(random_.below(3));
        for (const auto& [rank, at] : order) {
            Cell& cell = input_.cells[at];
            const auto& fields = program_.records[static_cast<std::size_t>(cell.record)].fields;
            for (std::size_t f = 0; f < fields.size(); ++f) {
                if (fields[f].type.kind == Type::Kind::pointer) continue;
                const auto any = static_cast<std::int64_t>(random_.below(12)) - 1;
                cell.fields[f] = Value::of_number(variant_ % 2 == 0 ? number : any);
                seen_.push_back(cell.fields[f].number);
            }
            number += static_cast<std::int64_t>(random_.below(4));
        }
    }

    // A name without a cell: an address where nothing is, or NULL, for all such names or by chance.
    Value address(int name) {
        const auto [place, open] = place_.try_emplace(name, 0);
        const int kind = variant_ / 2 % 3;
        if (open && (kind == 0 || (kind == 2 && random_.chance(0.5)))) {
            place->second = static_cast<int>(input_.cells.size());
            Cell cell;
            cell.state = Cell::State::absent;
            input_.cells.push_back(std::move(cell));
        }
        return Value::of_cell(place->second);
    }

    Value variable(const Variable& v) {
        if (v.type.kind == Type::Kind::pointer) return address(unfolding_.root(unfolding_.name(v.name)));
        if (!seen_.empty() && random_.chance(0.4)) return Value::of_number(random_.pick(seen_));
        static const std::vector<std::int64_t> usual{0, 1, 2, 3, 5, 10, -1, 7};
        return Value::of_number(usual[static_cast<std::size_t>(variant_) % usual.size()]);
    }

    const Program& program_;
    const Function& function_;
    Unfolding& unfolding_;
    Random& random_;
    int variant_ = 0;
    std::map<int, int> type_, place_; // record and cell, by name
    std::vector<std::int64_t> seen_;
    Input input_;
};

bool sized(const Atom& a) {
    return a.kind == Atom::Kind::list || a.kind == Atom::Kind::tree || a.kind == Atom::Kind::dll;
}

// Sizes for the structures of a disjunct, small first: all equal, then one beside others, then by chance.
std::vector<std::vector<int>> selections(const SymbolicHeap& heap, const InputOptions& options,
                                         Random& random) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i)
        if (sized(heap.atoms[i])) places.push_back(i);
    std::vector<std::vector<int>> all;
    const auto add = [&](const std::vector<int>& sizes) {
        std::vector<int> selection(heap.atoms.size(), 1);
        for (std::size_t p = 0; p < places.size(); ++p) selection[places[p]] = sizes[p];
        if (std::find(all.begin(), all.end(), selection) == all.end()) all.push_back(std::move(selection));
    };
    if (places.empty()) return {std::vector<int>(heap.atoms.size(), 1)};
    for (const int size : options.sizes) add(std::vector<int>(places.size(), size));
    for (const int size : options.sizes)
        for (std::size_t p = 0; p < places.size() && places.size() > 1; ++p)
            for (const int others : {0, 1, 2}) {
                std::vector<int> sizes(places.size(), others);
                sizes[p] = size;
                add(sizes);
            }
    for (int i = 0; i < 8 && places.size() > 1; ++i) {
        std::vector<int> sizes;
        for (std::size_t p = 0; p < places.size(); ++p) sizes.push_back(random.pick(options.sizes));
        add(sizes);
    }
    return all;
}

// Without binder: the names it bound are no variable's.
SymbolicHeap opened(SymbolicHeap heap) {
    const std::vector<std::string> exists = std::move(heap.exists);
    heap.exists.clear();
    for (const std::string& bound : exists) heap = substitute(heap, bound, bound + "#");
    return heap;
}

// Takes evenly from a list, its first ones always.
template <class T>
std::vector<T> thinned(std::vector<T> all, std::size_t wanted) {
    if (all.size() <= wanted || wanted == 0) return all;
    std::vector<T> kept;
    const std::size_t first = wanted / 2;
    for (std::size_t i = 0; i < first; ++i) kept.push_back(std::move(all[i]));
    const std::size_t rest = wanted - first, left = all.size() - first;
    for (std::size_t i = 0; i < rest; ++i) kept.push_back(std::move(all[first + i * left / rest]));
    return kept;
}

} // namespace

std::vector<Input> make_inputs(const Program& program, int function, const logic::Formula& precondition,
                               const InputOptions& options) {
    std::vector<int> inner;
    for (const int size : options.sizes)
        if (size <= 3) inner.push_back(size);
    if (inner.empty()) inner.push_back(1);
    const logic::Checker checker(precondition);
    const std::size_t share =
        std::max<std::size_t>(1, static_cast<std::size_t>(options.inputs) / precondition.heaps.size());
    std::vector<Input> inputs;
    for (std::size_t d = 0; d < precondition.heaps.size(); ++d) {
        const SymbolicHeap heap = opened(precondition.heaps[d]);
        const bool plain = std::none_of(heap.atoms.begin(), heap.atoms.end(), sized);
        Random choice(options.seed, {1, d});
        std::vector<Input> made;
        std::set<std::string> seen;
        int variant = 0;
        for (const std::vector<int>& sizes : selections(heap, options, choice)) {
            // Open names and data come in variants: a few of each heap.
            for (int i = 0; i < (plain ? 8 : 2) * options.seeds; ++i, ++variant) {
                Random random(options.seed, {2, d, static_cast<std::uint64_t>(variant)});
                Unfolding unfolding(random, inner);
                if (!unfolding.add(heap, sizes)) break;
                std::optional<Input> input = Builder(program, function, unfolding, random).run(variant);
                if (!input) continue;
                const logic::Heap concrete = input_heap(program, function, *input);
                std::string text = heap_text(concrete) + (variant % 2 == 0 ? "sorted" : "any");
                for (const Value& value : input->parameters) text += fmt::format(" {}", value.number);
                if (!seen.insert(text).second || checker(concrete) != logic::Truth::yes) continue;
                made.push_back(std::move(*input));
            }
        }
        for (Input& input : thinned(std::move(made), share)) inputs.push_back(std::move(input));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].seed = options.seed + i;
    return inputs;
}

} // namespace ggsnn::verify
