// Preconditions to try where the one assumed from types does not do: see inputs.hpp.
#include "ggsnn/verify/run/inputs.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace ggsnn::verify {

namespace {

bool is_open_list(const logic::Atom& atom) {
    return atom.kind == logic::Atom::Kind::list && !atom.strict && !atom.body &&
           atom.arguments[1] == logic::null_name;
}

// Every open list at a free name is a ring there; or_absent: or the name is NULL.
std::optional<logic::Formula> with_rings(const logic::Formula& formula, bool or_absent) {
    std::vector<logic::SymbolicHeap> out;
    for (const logic::SymbolicHeap& heap : formula.heaps) {
        std::vector<logic::SymbolicHeap> cases{heap};
        const auto free = logic::free_names(heap);
        for (std::size_t a = 0; a < heap.atoms.size(); ++a) {
            if (!is_open_list(heap.atoms[a]) || !free.contains(heap.atoms[a].root())) continue;
            std::vector<logic::SymbolicHeap> next;
            for (logic::SymbolicHeap one : cases) {
                if (or_absent) {
                    logic::SymbolicHeap none = one;
                    none.pure.push_back({true, heap.atoms[a].root(), logic::null_name});
                    next.push_back(std::move(none)); // the list stays, and is empty
                }
                one.atoms[a].strict = true;
                one.atoms[a].arguments[1] = one.atoms[a].root();
                next.push_back(std::move(one));
            }
            if (next.size() > 8) return std::nullopt;
            cases = std::move(next);
        }
        out.insert(out.end(), cases.begin(), cases.end());
    }
    return logic::Formula{std::move(out)};
}

// Every doubly-linked list at a free name is a ring there.
std::optional<logic::Formula> with_double_rings(logic::Formula formula) {
    bool changed = false;
    for (logic::SymbolicHeap& heap : formula.heaps) {
        const auto free = logic::free_names(heap);
        for (logic::Atom& atom : heap.atoms) {
            if (atom.kind != logic::Atom::Kind::dll || atom.body || !free.contains(atom.root())) continue;
            if (atom.arguments[2] != logic::null_name || atom.arguments[3] != logic::null_name) continue;
            atom.strict = true; // dll(first, last, before, end)
            atom.arguments[2] = atom.arguments[1];
            atom.arguments[3] = atom.root();
            changed = true;
        }
    }
    if (!changed) return std::nullopt;
    return formula;
}

// The structure's first cell, then what hangs on it: some of it surely there. One formula for each choice.
std::vector<logic::SymbolicHeap> with_children(const logic::SymbolicHeap& heap, std::size_t at) {
    std::set<std::string> used = logic::free_names(heap);
    used.insert(heap.exists.begin(), heap.exists.end());
    std::vector<std::string> made;
    const auto fresh = [&] {
        std::string name = "c";
        for (int i = 1; used.contains(name); ++i) name = fmt::format("c{}", i);
        used.insert(name);
        made.push_back(name);
        return name;
    };
    logic::Atom structure = heap.atoms[at];
    structure.strict = true;
    const logic::SymbolicHeap opened = logic::unfold(structure, logic::cases(structure)[0], fresh);
    std::vector<std::size_t> below;
    for (std::size_t a = 0; a < opened.atoms.size(); ++a)
        if (opened.atoms[a].kind == structure.kind) below.push_back(a);
    std::vector<logic::SymbolicHeap> all;
    for (std::size_t choice = 0; choice <= below.size(); ++choice) { // each alone, then all
        if (choice == below.size() && below.size() < 2) break;
        logic::SymbolicHeap one = heap;
        one.atoms.erase(one.atoms.begin() + static_cast<std::ptrdiff_t>(at));
        one.exists.insert(one.exists.end(), made.begin(), made.end());
        one.pure.insert(one.pure.end(), opened.pure.begin(), opened.pure.end());
        for (std::size_t a = 0; a < opened.atoms.size(); ++a) {
            one.atoms.push_back(opened.atoms[a]);
            const auto place = std::find(below.begin(), below.end(), a);
            if (place != below.end() && (choice == below.size() || below[choice] == a))
                one.atoms.back().strict = true;
        }
        all.push_back(std::move(one));
    }
    return all;
}

// A first cell with a second one behind it, for each structure alone: what rotations and swaps need.
std::vector<logic::Formula> with_second_cells(const logic::Formula& formula, bool at_free_names) {
    std::vector<logic::Formula> all;
    if (formula.heaps.size() != 1) return all;
    const logic::SymbolicHeap& heap = formula.heaps[0];
    const auto free = logic::free_names(heap);
    for (std::size_t a = 0; a < heap.atoms.size(); ++a) {
        const logic::Atom& atom = heap.atoms[a];
        if (atom.kind == logic::Atom::Kind::cell || atom.kind == logic::Atom::Kind::none) continue;
        if (at_free_names ? !free.contains(atom.root()) : !atom.strict) continue;
        for (logic::SymbolicHeap& one : with_children(heap, a)) {
            if (at_free_names) { // or NULL: what asks for that need not have more
                logic::SymbolicHeap none = heap;
                none.pure.push_back({true, atom.root(), logic::null_name});
                all.push_back(logic::Formula{{std::move(none), one}});
            }
            all.push_back(logic::Formula{{std::move(one)}});
        }
    }
    return all;
}

// Each structure that hangs on a cell surely there, one at a time.
std::vector<logic::Formula> with_full_parts(const logic::Formula& formula) {
    std::vector<logic::Formula> all;
    if (formula.heaps.size() != 1) return all;
    const auto free = logic::free_names(formula.heaps[0]);
    for (std::size_t a = 0; a < formula.heaps[0].atoms.size(); ++a) {
        const logic::Atom& atom = formula.heaps[0].atoms[a];
        const bool structure = atom.kind != logic::Atom::Kind::cell && atom.kind != logic::Atom::Kind::none;
        if (!structure || atom.strict || free.contains(atom.root())) continue;
        all.push_back(formula);
        all.back().heaps[0].atoms[a].strict = true;
    }
    return all;
}

// x |-> {f: a, g: b} * ls(a,NULL) * ls(b,NULL): both NULL, or b the last cell of a's list.
std::optional<logic::Formula> with_last_cells(const logic::Formula& formula) {
    std::vector<logic::SymbolicHeap> out;
    bool changed = false;
    for (const logic::SymbolicHeap& heap : formula.heaps) {
        out.push_back(heap);
        for (const logic::Atom& cell : heap.atoms) {
            if (cell.kind != logic::Atom::Kind::cell || cell.links.size() != 2) continue;
            const auto list_at = [&](const std::string& name) {
                return std::find_if(heap.atoms.begin(), heap.atoms.end(), [&](const logic::Atom& a) {
                    return is_open_list(a) && a.root() == name;
                });
            };
            const auto first = list_at(cell.links[0].second), last = list_at(cell.links[1].second);
            if (first == heap.atoms.end() || last == heap.atoms.end() || first == last) continue;
            logic::SymbolicHeap empty = heap, full = heap;
            for (const auto& link : cell.links) empty.pure.push_back({true, link.second, logic::null_name});
            full.atoms[static_cast<std::size_t>(first - heap.atoms.begin())].arguments[1] = last->root();
            full.atoms[static_cast<std::size_t>(last - heap.atoms.begin())] = logic::one_cell(*last).atoms[0];
            out.back() = std::move(empty);
            out.push_back(std::move(full));
            changed = true;
            break;
        }
    }
    if (!changed) return std::nullopt;
    return logic::Formula{std::move(out)};
}

// Whether it compares two pointers with each other, as a walk around a ring does. Without that a ring would
// only hide that a list ends.
bool may_walk_a_ring(const Function& f) {
    const auto is_pointer = [&](const Operand& o) {
        return o.kind == Operand::Kind::variable &&
               f.variables[static_cast<std::size_t>(o.index)].type.kind == Type::Kind::pointer;
    };
    return std::any_of(f.blocks.begin(), f.blocks.end(), [&](const Block& block) {
        return std::any_of(block.instructions.begin(), block.instructions.end(), [&](const Instruction& i) {
            return i.kind == Instruction::Kind::compute &&
                   (i.op == Operator::equal || i.op == Operator::not_equal) && is_pointer(i.a) &&
                   is_pointer(i.b);
        });
    });
}

} // namespace

std::vector<logic::Formula> other_preconditions(const Program& program, int function) {
    const logic::Formula base = default_precondition(program, function);
    std::vector<logic::Formula> all;
    const auto add = [&](std::optional<logic::Formula> other) {
        if (other && !logic::canonically_equal(*other, base)) all.push_back(without_contradictions(*other));
    };
    add(with_last_cells(base));
    for (const logic::Formula& stronger : stronger_preconditions(program, function))
        add(with_last_cells(stronger));
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    if (may_walk_a_ring(f)) {
        add(with_rings(base, true));
        add(with_rings(base, false));
    }
    // What hangs on a cell surely there: of queues that are not empty.
    for (const logic::Formula& stronger : stronger_preconditions(program, function))
        for (const logic::Formula& full : with_full_parts(stronger)) add(full);
    constexpr std::size_t most = 24; // two cells deep, of few structures
    const std::vector<logic::Formula> second = with_second_cells(base, true);
    for (const logic::Formula& one : second) add(one);
    for (const logic::Formula& one : second)
        for (logic::Formula& third : with_second_cells(one, false))
            if (all.size() < most) add(std::move(third));
    if (f.loops.empty() || may_walk_a_ring(f)) add(with_double_rings(base));
    return all;
}

namespace {

// Whether the function itself never looks at what this parameter leads to, nor gives it to another one.
bool is_idle(const Function& f, int number, int parameter) {
    std::set<int> same{parameter};
    const auto held = [&](const Operand& o) {
        return o.kind == Operand::Kind::variable && same.contains(o.index);
    };
    using Kind = Instruction::Kind;
    for (std::size_t before = 0; before != same.size();) {
        before = same.size();
        for (const Block& block : f.blocks)
            for (const Instruction& i : block.instructions) {
                const bool copied = i.kind == Kind::copy || i.kind == Kind::choose || i.kind == Kind::compute;
                if (copied && i.target >= 0 && i.bits != 1 && (held(i.a) || held(i.b) || held(i.c)) &&
                    f.variables[static_cast<std::size_t>(i.target)].type.kind == Type::Kind::pointer)
                    same.insert(i.target);
                const bool looked_at = (i.kind == Kind::load || i.kind == Kind::store ||
                                        i.kind == Kind::fill || i.kind == Kind::offset) &&
                                       held(i.a);
                if (looked_at || (i.kind == Kind::move && (held(i.a) || held(i.b)))) return false;
                for (std::size_t a = 0; a < i.arguments.size(); ++a)
                    if (held(i.arguments[a]) &&
                        !(i.kind == Kind::call && i.callee == number && static_cast<int>(a) == parameter))
                        return false;
            }
    }
    return true;
}

} // namespace

std::optional<logic::Formula> without_idle_parameters(const Program& program, int function,
                                                      const logic::Formula& formula) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    std::set<std::string> idle;
    for (int p = 0; p < f.parameters; ++p)
        if (f.variables[static_cast<std::size_t>(p)].type.kind == Type::Kind::pointer &&
            is_idle(f, function, p))
            idle.insert(f.variables[static_cast<std::size_t>(p)].name);
    logic::Formula less = formula;
    std::size_t left_out = 0;
    for (logic::SymbolicHeap& heap : less.heaps)
        left_out += std::erase_if(heap.atoms, [&](const logic::Atom& atom) {
            return atom.kind != logic::Atom::Kind::none && idle.contains(atom.root());
        });
    if (left_out == 0) return std::nullopt;
    return less;
}

std::optional<logic::Formula> one_way_precondition(const logic::Formula& formula) {
    logic::Formula one_way = formula;
    bool changed = false;
    for (logic::SymbolicHeap& heap : one_way.heaps)
        for (logic::Atom& atom : heap.atoms) {
            if (atom.kind != logic::Atom::Kind::dll || atom.arguments[3] != logic::null_name) continue;
            std::erase(heap.exists, atom.arguments[1]);
            atom.kind = logic::Atom::Kind::list;
            atom.arguments = {atom.root(), logic::null_name};
            changed = true;
        }
    if (!changed) return std::nullopt;
    return one_way;
}

} // namespace ggsnn::verify
