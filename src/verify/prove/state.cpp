#include "ggsnn/verify/prove/state.hpp"

#include "ggsnn/logic/closure.hpp"
#include "ggsnn/logic/definitions.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Atom;
using logic::Pure;
using logic::SymbolicHeap;
using Kind = Atom::Kind;

std::string tag_of(int record) {
    return fmt::format("#{}", record);
}

bool linked(const Program& program, const Object& object) {
    if (object.record < 0) return false;
    const RecordType& record = program.records[static_cast<std::size_t>(object.record)];
    return record.structure && record.size == object.size &&
           std::any_of(record.fields.begin(), record.fields.end(), [&](const RecordType::Field& f) {
               return f.type.kind == Type::Kind::pointer && f.type.record == object.record;
           });
}

SymbolicState::SymbolicState(const Program& program, const Function& function)
    : store(function.variables.size()),
      objects(function.objects.size()),
      globals(program.globals.size()),
      program_(&program),
      function_(&function) {}

TermName SymbolicState::fresh() {
    return fmt::format("@{}", ++counter_);
}

TermName SymbolicState::fresh_number(const Interval& range) {
    if (range.low == range.high) return number_term(range.low);
    TermName term = fresh();
    if (range != Interval{}) ranges_[term] = range;
    return term;
}

SymbolicValue SymbolicState::value(int variable) {
    SymbolicValue& v = store[static_cast<std::size_t>(variable)];
    if (v.empty()) {
        const Type& type = function_->variables[static_cast<std::size_t>(variable)].type;
        v = value_of(type.kind == Type::Kind::integer ? fresh_number(Interval::of_bits(type.bits)) : fresh());
        v.undetermined = true;
    }
    return v;
}

// ---- facts

template <class Change>
void SymbolicState::for_each_value(Change change) {
    for (SymbolicValue& v : store) change(v);
    for (SymbolicValue& v : held) change(v);
    for (SymbolicValue& v : results) change(v);
    for (SymbolicBlock& block : blocks)
        for (auto& [offset, slot] : block.slots) change(slot.value);
    for (auto& [term, comparison] : comparisons_) {
        change(comparison.a);
        change(comparison.b);
    }
}

void SymbolicState::replace(const TermName& from, const TermName& to) {
    heap = logic::substitute(heap, from, to);
    const SymbolicValue target = value_of(to), source = value_of(from);
    const auto change_term = [&](TermName& term) {
        if (term == from) term = to;
    };
    for_each_value([&](SymbolicValue& v) {
        if (v.empty()) return;
        if (v.index == from) v.index = to;
        if (source.plain() ? v.term == source.term
                           : v.term == source.term && v.offset == source.offset && v.index == source.index &&
                                 v.scale == source.scale) {
            const SymbolicValue old = v;
            v = target;
            if (source.plain()) {
                v.offset += old.offset;
                if (v.index.empty()) {
                    v.index = old.index;
                    v.scale = old.scale;
                } else if (!old.index.empty()) {
                    v = value_of(fresh());
                }
            }
        }
        if (const auto n = number_of(v.index); n && !v.index.empty()) {
            v.offset += *n * v.scale;
            v.index.clear();
            v.scale = 0;
        }
        if (const auto n = number_of(v.term); n && v.offset != 0) v = value_of(*n + v.offset);
    });
    for (TermName& root : objects) change_term(root);
    for (TermName& root : globals) change_term(root);
    for (SymbolicBlock& block : blocks) change_term(block.root);
    for (auto& [name, term] : initial) change_term(term);
    if (freed.erase(from) > 0) freed.insert(to);
    if (const auto known = ranges_.find(from); known != ranges_.end()) {
        const Interval range = known->second;
        ranges_.erase(known);
        Interval both = this->range(to);
        both.low = std::max(both.low, range.low);
        both.high = std::min(both.high, range.high);
        ranges_[to] = both;
    }
    if (auto moved = comparisons_.extract(from); !moved.empty() && !is_constant(to)) {
        moved.key() = to;
        comparisons_.insert(std::move(moved));
    }
}

bool SymbolicState::assume_equal(const TermName& a, const TermName& b) {
    heap.pure.push_back({true, a, b});
    return normalise();
}

bool SymbolicState::assume_distinct(const TermName& a, const TermName& b) {
    if (a == b) return false;
    for (const auto& [term, other] : {std::pair(a, b), std::pair(b, a)}) {
        const auto n = number_of(other);
        if (!n || is_constant(term)) continue;
        Interval r = range(term);
        if (r.low == *n) ++r.low;
        if (r.high == *n) --r.high;
        if (r != range(term) && !assume_range(term, r)) return false;
        if (!range(term).contains(*n)) return true;
    }
    if (is_constant(a) && is_constant(b)) return a != b;
    heap.pure.push_back({false, a, b});
    return normalise();
}

bool SymbolicState::assume_range(const TermName& term, const Interval& wanted) {
    Interval r = range(term);
    r.low = std::max(r.low, wanted.low);
    r.high = std::min(r.high, wanted.high);
    if (r.empty()) return false;
    if (is_constant(term)) return true;
    ranges_[term] = r;
    if (r.low == r.high) return assume_equal(term, number_term(r.low));
    return true;
}

Interval SymbolicState::range(const TermName& term) const {
    if (const auto n = number_of(term)) return {*n, *n};
    const auto known = ranges_.find(term);
    return known == ranges_.end() ? Interval{} : known->second;
}

const Comparison* SymbolicState::comparison(const TermName& term) const {
    const auto known = comparisons_.find(term);
    return known == comparisons_.end() ? nullptr : &known->second;
}

TermName SymbolicState::compared(const Comparison& made) {
    const TermName term = fresh_number({0, 1});
    comparisons_[term] = made;
    return term;
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
        if (atom.kind == Kind::cell) {
            int record = -1;
            for (const auto& link_of : atom.links)
                if (const auto mark = link_of.first.find('#'); mark != std::string::npos)
                    record = std::stoi(link_of.first.substr(mark + 1));
            SymbolicBlock& cell = add_cell(atom.root(), record);
            for (const auto& [field, value] : atom.links)
                link(cell, record, field.substr(0, field.find('#')), value);
        } else if (atom.strict && logic::cases(atom).size() == 1) {
            add_parts(unfolded(atom, logic::cases(atom)[0]));
        } else {
            heap.atoms.push_back(atom);
        }
    }
}

namespace {

// The one case of a structure that its arguments do not rule out on sight: a guard that fails, a cell at
// NULL. Null: several are left, or none, which the closure finds out.
const logic::Clause* only_case(const Atom& atom) {
    if (!logic::is_structure(atom)) return nullptr;
    const auto name = [&](logic::TermId term) -> const TermName* {
        static const TermName null = logic::null_name;
        if (term == logic::null_term) return &null;
        const auto argument = static_cast<std::size_t>(term - 1);
        return argument < atom.arguments.size() ? &atom.arguments[argument] : nullptr; // a local: not known
    };
    const auto ruled_out = [&](const logic::Clause& rule) {
        return std::any_of(rule.distinct.begin(), rule.distinct.end(),
                           [&](const auto& pair) {
                               const TermName *a = name(pair.first), *b = name(pair.second);
                               return a != nullptr && b != nullptr && *a == *b;
                           }) ||
               std::any_of(rule.cells.begin(), rule.cells.end(), [&](const logic::CellAtom& cell) {
                   const TermName* root = name(cell.root);
                   return root != nullptr && *root == logic::null_name;
               });
    };
    const logic::Clause* only = nullptr;
    for (const logic::Clause& rule : logic::cases(atom)) {
        if (ruled_out(rule)) continue;
        if (only != nullptr) return nullptr;
        only = &rule;
    }
    return only;
}

} // namespace

// One round: equalities are applied, trivial parts go. False: a contradiction.
bool SymbolicState::simplify(bool& changed) {
    for (std::size_t i = 0; i < heap.pure.size();) {
        const Pure pure = heap.pure[i];
        const bool constants = is_constant(pure.left) && is_constant(pure.right);
        if (pure.left == pure.right || constants) {
            if (pure.equal != (pure.left == pure.right)) return false;
        } else if (!pure.equal) {
            ++i;
            continue;
        }
        heap.pure.erase(heap.pure.begin() + static_cast<std::ptrdiff_t>(i));
        if (pure.left == pure.right || constants) continue;
        // An address made from another stays as it is where a plain name can take its place.
        const auto rank = [](const TermName& t) {
            return is_constant(t) ? 0 : t.find('~') != TermName::npos ? 1 : 2;
        };
        const bool keep_left =
            rank(pure.left) != rank(pure.right) ? rank(pure.left) < rank(pure.right) : pure.left < pure.right;
        const TermName from = keep_left ? pure.right : pure.left, to = keep_left ? pure.left : pure.right;
        const Interval before = range(from);
        replace(from, to);
        if (const auto n = number_of(to); n && !before.contains(*n)) return false;
        if (range(to).empty()) return false;
        if (is_constant(to)) ranges_.erase(to);
        changed = true;
        i = 0;
    }
    for (std::size_t i = 0; i < heap.atoms.size();) {
        const Atom atom = heap.atoms[i];
        const logic::Clause* only = only_case(atom);
        if (only == nullptr || !only->cells.empty()) {
            ++i;
            continue;
        }
        heap.atoms.erase(heap.atoms.begin() + static_cast<std::ptrdiff_t>(i));
        add_parts(unfolded(atom, *only));
        changed = true;
    }
    return true;
}

bool SymbolicState::normalise() {
    for (bool changed = true; changed;) {
        changed = false;
        if (!simplify(changed)) return false;
        if (changed) continue;
        const logic::Closure& closed = closure();
        if (closed.contradictory()) return false;
        for (const auto& [from, to] : closed.equalities()) {
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
void SymbolicState::with_constants_apart(SymbolicHeap& known) const {
    std::set<TermName> constants;
    for (const Pure& p : known.pure)
        for (const TermName* term : {&p.left, &p.right})
            if (is_constant(*term)) constants.insert(*term);
    for (const Atom& atom : known.atoms)
        for (const auto& [field, term] : atom.links)
            if (is_constant(term)) constants.insert(term);
    if (constants.empty()) return;
    constants.insert(logic::null_name);
    for (auto a = constants.begin(); a != constants.end(); ++a)
        for (auto b = std::next(a); b != constants.end(); ++b) known.pure.push_back({false, *a, *b});
}

SymbolicHeap SymbolicState::everything() const {
    SymbolicHeap all = heap;
    for (const SymbolicBlock& block : blocks) {
        Atom cell;
        cell.arguments = {block.root};
        all.atoms.push_back(std::move(cell));
    }
    with_constants_apart(all);
    return all;
}

struct SymbolicState::Closed {
    SymbolicHeap heap;
    logic::Closure closure;
};

const logic::Closure& SymbolicState::closure() const {
    SymbolicHeap known = everything();
    if (!closed_ || closed_->heap != known) {
        logic::Closure closed(known);
        closed_ = std::make_shared<const Closed>(Closed{std::move(known), std::move(closed)});
    }
    return closed_->closure;
}

bool SymbolicState::apart(const TermName& a, const TermName& b) const {
    if (a == b) return false;
    if (is_constant(a) && is_constant(b)) return true;
    const Interval x = range(a), y = range(b);
    if (x.high < y.low || y.high < x.low) return true;
    const bool both = block_at(a) >= 0 && (is_constant(b) || block_at(b) >= 0);
    if (both || (is_constant(a) && block_at(b) >= 0)) return true;
    const logic::Closure& closed = closure();
    return closed.contradictory() || closed.apart(a, b);
}

// ---- structures

bool has_cell_at(const Atom& atom, const TermName& root) {
    if (atom.kind == Kind::none) return false;
    if (atom.kind == Kind::cell) return atom.root() == root;
    const std::vector<int>& entries = logic::meaning(atom.kind).entries;
    return std::any_of(entries.begin(), entries.end(),
                       [&](int entry) { return atom.arguments[static_cast<std::size_t>(entry)] == root; });
}

int SymbolicState::structure_at(const TermName& root) const {
    for (std::size_t i = 0; i < heap.atoms.size(); ++i)
        if (has_cell_at(heap.atoms[i], root)) return static_cast<int>(i);
    return -1;
}

SymbolicHeap SymbolicState::unfolded(const Atom& atom, const logic::Clause& rule) {
    return logic::unfold(atom, rule, [&] { return fresh(); });
}

bool SymbolicState::assume_case(int number, const logic::Clause& rule) {
    const Atom atom = heap.atoms[static_cast<std::size_t>(number)];
    heap.atoms.erase(heap.atoms.begin() + number);
    add_parts(unfolded(atom, rule));
    return normalise();
}

std::vector<SymbolicState> SymbolicState::emptied(int number) const {
    std::vector<SymbolicState> states;
    for (const logic::Clause& rule : logic::cases(heap.atoms[static_cast<std::size_t>(number)])) {
        if (!rule.cells.empty()) continue;
        states.push_back(*this);
        if (!states.back().assume_case(number, rule)) states.pop_back();
    }
    return states;
}

std::vector<SymbolicState> SymbolicState::opened(int number, const TermName& root) const {
    const Atom& atom = heap.atoms[static_cast<std::size_t>(number)];
    std::vector<SymbolicState> states;
    const auto add = [&](const logic::Clause& rule) {
        states.push_back(*this);
        if (!states.back().assume_case(number, rule)) states.pop_back();
    };
    if (const auto& back = logic::meaning(atom.kind).back; back && atom.root() != root) {
        add(*back);
        return states;
    }
    for (const logic::Clause& rule : logic::cases(atom))
        if (!rule.cells.empty()) add(rule);
    return states;
}

SymbolicBlock& SymbolicState::add_cell(const TermName& root, int record) {
    SymbolicBlock cell;
    cell.root = root;
    cell.kind = SymbolicBlock::Kind::cell;
    cell.rest = SymbolicBlock::Rest::any;
    if (record >= 0) cell.size = program_->records[static_cast<std::size_t>(record)].size;
    blocks.push_back(std::move(cell));
    return blocks.back();
}

void SymbolicState::link(SymbolicBlock& cell, int record, const std::string& role, const TermName& value) {
    if (record < 0) return;
    const RecordType::Field* field = program_->records[static_cast<std::size_t>(record)].field_called(role);
    if (field == nullptr || field->type.kind != Type::Kind::pointer) return;
    cell.slots[field->offset] = {static_cast<int>(field->type.bytes()), value_of(value)};
}

// ---- blocks

int SymbolicState::block_at(const TermName& root) const {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].root == root) return static_cast<int>(i);
    return -1;
}

SymbolicBlock& SymbolicState::add_block(SymbolicBlock::Kind kind, std::optional<std::int64_t> size,
                                        SymbolicBlock::Rest rest) {
    forget_dangling();
    SymbolicBlock block;
    block.root = fresh();
    block.kind = kind;
    block.size = size;
    block.rest = rest;
    blocks.push_back(std::move(block));
    return blocks.back();
}

void SymbolicState::remove_block(int number) {
    heap.pure.push_back({false, blocks[static_cast<std::size_t>(number)].root, logic::null_name});
    blocks.erase(blocks.begin() + number);
}

void SymbolicState::remove_structures(const std::set<int>& numbers) {
    const logic::Closure& closed = closure();
    std::vector<Atom> kept;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i) {
        const Atom& atom = heap.atoms[i];
        if (!numbers.contains(static_cast<int>(i)))
            kept.push_back(atom);
        else if (!closed.contradictory() && closed.allocated(atom.root()))
            heap.pure.push_back({false, atom.root(), logic::null_name});
    }
    heap.atoms = std::move(kept);
}

void SymbolicState::forget_dangling() {
    for (const Atom& atom : heap.atoms)
        if (atom.kind == Kind::none) heap.pure.push_back({false, atom.root(), logic::null_name});
    std::erase_if(heap.atoms, [](const Atom& atom) { return atom.kind == Kind::none; });
}

} // namespace ggsnn::verify
