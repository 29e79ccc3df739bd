#include "verify/symbolic_state.hpp"

#include "logic/closure.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::Pure;
using logic::SymbolicHeap;
using Kind = Atom::Kind;

bool is_number(const Term& term) {
    return number_of(term).has_value();
}

Term number_term(std::int64_t number) {
    return number == 0 ? Term(logic::null_name) : fmt::format("{}", number);
}

std::optional<std::int64_t> number_of(const Term& term) {
    if (term == logic::null_name) return 0;
    std::int64_t number = 0;
    const char* end = term.data() + term.size();
    const auto [stop, error] = std::from_chars(term.data(), end, number);
    if (term.empty() || error != std::errc() || stop != end) return std::nullopt;
    return number;
}

Term SymbolicState::fresh() {
    return fmt::format("@{}", ++counter_);
}

Term SymbolicState::value(int variable) {
    Term& term = store[static_cast<std::size_t>(variable)];
    if (term.empty()) term = fresh();
    return term;
}

// ---- facts

void SymbolicState::replace(const Term& from, const Term& to) {
    heap = logic::substitute(heap, from, to);
    const auto change = [&](Term& term) {
        if (term == from) term = to;
    };
    std::for_each(store.begin(), store.end(), change);
    std::for_each(held.begin(), held.end(), change);
    for (auto& [name, term] : initial) change(term);
    change(result);
    for (Data& data : data_) {
        change(data.root);
        change(data.value);
    }
    if (freed.erase(from) > 0) freed.insert(to);
}

bool SymbolicState::assume_equal(const Term& a, const Term& b) {
    heap.pure.push_back({true, a, b});
    return normalise();
}

bool SymbolicState::assume_distinct(const Term& a, const Term& b) {
    heap.pure.push_back({false, a, b});
    return normalise();
}

bool SymbolicState::assume(const SymbolicHeap& given, const Names& names) {
    Names all = names;
    SymbolicHeap open = given;
    for (const std::string& name : open.exists) all[name] = fresh();
    open.exists.clear();
    add_parts(logic::substitute(open, all));
    return normalise();
}

void SymbolicState::add_parts(const SymbolicHeap& open) {
    heap.pure.insert(heap.pure.end(), open.pure.begin(), open.pure.end());
    for (const Atom& atom : open.atoms) {
        if (atom.strict)
            expand(atom);
        else
            heap.atoms.push_back(atom);
    }
}

// One round: equalities are applied, trivial parts go. False: a contradiction.
bool SymbolicState::simplify(bool& changed) {
    for (std::size_t i = 0; i < heap.pure.size();) {
        const Pure pure = heap.pure[i];
        const bool numbers = is_number(pure.left) && is_number(pure.right);
        if (pure.left == pure.right || numbers) {
            if (pure.equal != (pure.left == pure.right)) return false;
        } else if (!pure.equal) {
            ++i;
            continue;
        }
        heap.pure.erase(heap.pure.begin() + static_cast<std::ptrdiff_t>(i));
        if (pure.left == pure.right || numbers) continue;
        const bool keep_left = is_number(pure.left) || (!is_number(pure.right) && pure.left < pure.right);
        replace(keep_left ? pure.right : pure.left, keep_left ? pure.left : pure.right);
        changed = true;
        i = 0;
    }
    for (std::size_t i = 0; i < heap.atoms.size();) {
        const Atom atom = heap.atoms[i];
        const auto& a = atom.arguments;
        const bool empty = (atom.kind == Kind::list && a[0] == a[1]) ||
                           (atom.kind == Kind::tree && a[0] == logic::null_name) ||
                           (atom.kind == Kind::dll && a[0] == a[3]);
        if (!empty) {
            ++i;
            continue;
        }
        heap.atoms.erase(heap.atoms.begin() + static_cast<std::ptrdiff_t>(i));
        if (atom.kind == Kind::dll) heap.pure.push_back({true, a[1], a[2]});
        changed = true;
    }
    return true;
}

bool SymbolicState::normalise() {
    for (bool changed = true; changed;) {
        changed = false;
        if (!simplify(changed)) return false;
        if (changed) continue;
        const logic::Closure closure(with_numbers_apart());
        if (closure.contradictory()) return false;
        for (const auto& [from, to] : closure.equalities()) {
            heap.pure.push_back({true, from, to});
            changed = true;
        }
    }
    const auto key = [](const Pure& p) { return std::minmax(p.left, p.right); };
    std::sort(heap.pure.begin(), heap.pure.end(),
              [&](const Pure& a, const Pure& b) { return key(a) < key(b); });
    const auto same = [&](const Pure& a, const Pure& b) { return key(a) == key(b); };
    heap.pure.erase(std::unique(heap.pure.begin(), heap.pure.end(), same), heap.pure.end());
    return true;
}

// The logic does not know that 1 is not 2.
SymbolicHeap SymbolicState::with_numbers_apart() const {
    SymbolicHeap known = heap;
    std::set<Term> numbers;
    for (const std::string& name : logic::free_names(heap))
        if (is_number(name)) numbers.insert(name);
    if (numbers.empty()) return known;
    numbers.insert(logic::null_name);
    for (auto a = numbers.begin(); a != numbers.end(); ++a)
        for (auto b = std::next(a); b != numbers.end(); ++b) known.pure.push_back({false, *a, *b});
    return known;
}

bool SymbolicState::apart(const Term& a, const Term& b) const {
    if (is_number(a) && is_number(b)) return a != b;
    const logic::Closure closure(with_numbers_apart());
    return closure.contradictory() || closure.apart(a, b);
}

// ---- cells and structures

int SymbolicState::cell_at(const Term& root) const {
    for (std::size_t i = 0; i < heap.atoms.size(); ++i)
        if (heap.atoms[i].kind == Kind::cell && heap.atoms[i].root() == root) return static_cast<int>(i);
    return -1;
}

int SymbolicState::structure_at(const Term& root) const {
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) {
        const Atom& atom = heap.atoms[i];
        if (atom.kind == Kind::cell || atom.kind == Kind::none) continue;
        if (atom.root() == root || (atom.kind == Kind::dll && atom.arguments[1] == root))
            return static_cast<int>(i);
    }
    return -1;
}

bool SymbolicState::assume_empty(int number) {
    const Atom atom = heap.atoms[static_cast<std::size_t>(number)];
    heap.atoms.erase(heap.atoms.begin() + number);
    const auto& a = atom.arguments;
    const Term end = atom.kind == Kind::tree ? Term(logic::null_name) : atom.kind == Kind::list ? a[1] : a[3];
    heap.pure.push_back({true, a[0], end});
    if (atom.kind == Kind::dll) heap.pure.push_back({true, a[1], a[2]});
    return normalise();
}

bool SymbolicState::assume_opened(int number, const Term& root) {
    Atom atom = heap.atoms[static_cast<std::size_t>(number)];
    heap.atoms.erase(heap.atoms.begin() + number);
    std::vector<Term>& a = atom.arguments;
    if (atom.kind == Kind::list) heap.pure.push_back({false, a[0], a[1]});
    if (atom.kind == Kind::dll) heap.pure.push_back({false, a[0], a[3]});
    if (atom.kind != Kind::dll || a[0] == root) {
        expand(atom);
        return normalise();
    }
    // dll(x, last, before, y) from its end: dll(x, p, before, last) * last |-> {next: y, prev: p}, last != y.
    const Term last = a[1], out = a[3], previous = fresh();
    heap.pure.push_back({false, last, out});
    Atom cell;
    cell.arguments = {last};
    cell.links = {{"next", out}, {"prev", previous}};
    add_body(atom, cell);
    a[1] = previous;
    a[3] = last;
    heap.atoms.push_back(std::move(cell));
    heap.atoms.push_back(std::move(atom));
    return normalise();
}

// The step of a definition (logic/definitions.cpp), without its guard.
void SymbolicState::expand(const Atom& atom) {
    const auto& a = atom.arguments;
    Atom cell, rest = atom;
    rest.strict = false;
    cell.arguments = {a[0]};
    if (atom.kind == Kind::tree) {
        const Term left = fresh(), right = fresh();
        cell.links = {{"left", left}, {"right", right}};
        rest.arguments = {left};
        heap.atoms.push_back(rest);
        rest.arguments = {right};
        heap.atoms.push_back(rest);
    } else {
        const Term next = fresh();
        cell.links = {{"next", next}};
        rest.arguments[0] = next;
        if (atom.kind == Kind::dll) {
            cell.links.emplace_back("prev", a[2]);
            rest.arguments[2] = a[0];
        }
        heap.atoms.push_back(rest);
    }
    add_body(atom, cell);
    heap.atoms.push_back(std::move(cell));
}

void SymbolicState::add_body(const Atom& atom, Atom& cell) {
    if (!atom.body) return;
    const Term value = fresh();
    cell.links.emplace_back("val", value);
    SymbolicHeap open = atom.body->heap;
    Names names{{atom.body->parameter, value}};
    for (const std::string& name : open.exists) names[name] = fresh();
    open.exists.clear();
    add_parts(logic::substitute(open, names));
}

Term SymbolicState::load(int number, const std::string& field, bool data) {
    Atom& cell = heap.atoms[static_cast<std::size_t>(number)];
    for (const auto& [name, value] : cell.links)
        if (name == field) return value;
    for (const Data& entry : data_)
        if (entry.root == cell.root() && entry.field == field) return entry.value;
    const Term value = fresh();
    if (data)
        data_.push_back({cell.root(), field, value});
    else
        cell.links.emplace_back(field, value);
    return value;
}

void SymbolicState::store_field(int number, const std::string& field, bool data, const Term& value) {
    Atom& cell = heap.atoms[static_cast<std::size_t>(number)];
    std::erase_if(cell.links, [&](const auto& link) { return link.first == field; });
    std::erase_if(data_,
                  [&](const Data& entry) { return entry.root == cell.root() && entry.field == field; });
    if (data)
        data_.push_back({cell.root(), field, value});
    else
        cell.links.emplace_back(field, value);
}

void SymbolicState::release(int number) {
    const Term root = heap.atoms[static_cast<std::size_t>(number)].root();
    remember_allocated({root});
    remove_atoms({number});
    freed.insert(root);
}

void SymbolicState::remove_atoms(const std::set<int>& numbers) {
    std::vector<Atom> kept;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) {
        if (!numbers.contains(static_cast<int>(i))) {
            kept.push_back(std::move(heap.atoms[i]));
            continue;
        }
        const Term& root = heap.atoms[i].root();
        std::erase_if(data_, [&](const Data& entry) { return entry.root == root; });
    }
    heap.atoms = std::move(kept);
}

int SymbolicState::allocate(const Term& root) {
    forget_dangling();
    Atom cell;
    cell.arguments = {root};
    heap.atoms.push_back(std::move(cell));
    return static_cast<int>(heap.atoms.size()) - 1;
}

void SymbolicState::forget_dangling() {
    for (const Atom& atom : heap.atoms)
        if (atom.kind == Kind::none) heap.pure.push_back({false, atom.root(), logic::null_name});
    std::erase_if(heap.atoms, [](const Atom& atom) { return atom.kind == Kind::none; });
}

void SymbolicState::remember_allocated(const std::vector<Term>& terms) {
    const logic::Closure closure(with_numbers_apart());
    if (closure.contradictory()) return;
    for (const Term& term : terms)
        if (closure.allocated(term)) heap.pure.push_back({false, term, logic::null_name});
}

} // namespace ggsnn::verify
