#include "ggsnn/verify/graph/contract.hpp"

#include "ggsnn/verify/graph/nested.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ggsnn::verify::graph {

namespace {

using Kind = AssertionAtom::Kind;

bool is_name(const Term& term, const std::string& name) {
    return term.kind == Term::Kind::name && term.name == name;
}
bool is_null(const Term& term) {
    return term.kind == Term::Kind::number && term.number == 0;
}

void collect_names(const Term& term, std::set<std::string>& names) {
    if (term.kind == Term::Kind::name) names.insert(term.name);
    if (term.base) collect_names(*term.base, names);
}

int index_of(const std::vector<std::string>& names, const Term& term) {
    if (term.kind != Term::Kind::name) return -1;
    const auto at = std::find(names.begin(), names.end(), term.name);
    return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

} // namespace

ContractBook::ContractBook(const Program& program) : program_(program) {}

const WrittenContract* ContractBook::of(const std::string& function) const {
    for (const WrittenContract& c : program_.contracts)
        if (c.function == function) return &c;
    return nullptr;
}

std::set<std::string> ContractBook::names_in(const Assertion& assertion) {
    std::set<std::string> names;
    for (const AssertionCase& one : assertion.cases)
        for (const AssertionAtom& atom : one.atoms) {
            collect_names(atom.a, names);
            collect_names(atom.b, names);
            for (const Term& term : atom.args) collect_names(term, names);
        }
    return names;
}

const Definition* ContractBook::definition(const std::string& name) const {
    for (const Definition& d : program_.definitions)
        if (d.name == name) return &d;
    return nullptr;
}

int ContractBook::record_with(const std::set<std::string>& fields) const {
    int found = -1;
    for (std::size_t r = 0; r < program_.records.size(); ++r) {
        const RecordType& record = program_.records[r];
        const bool all =
            record.structure && std::all_of(fields.begin(), fields.end(), [&](const std::string& name) {
                return std::any_of(record.fields.begin(), record.fields.end(),
                                   [&](const RecordType::Field& f) { return f.name == name; });
            });
        if (!all) continue;
        if (found >= 0) return -1;
        found = static_cast<int>(r);
    }
    return found;
}

Ranges ContractBook::ranges_of(int record, const std::set<std::string>& fields) const {
    Ranges owned;
    bool all = true;
    for (const RecordType::Field& f : program_.records[static_cast<std::size_t>(record)].fields)
        if (fields.contains(f.name))
            owned.emplace_back(f.offset, f.offset + f.type.bytes());
        else
            all = false;
    if (all) return {};
    std::sort(owned.begin(), owned.end());
    return owned;
}

const ListShape* ContractBook::shape(const std::string& predicate) {
    const auto [known, added] = shapes_.try_emplace(predicate);
    if (added)
        if (const Definition* d = definition(predicate)) known->second = recognise(*d);
    if (!known->second) trouble_ = fmt::format("predicate '{}' is not a list that is understood", predicate);
    return known->second ? &*known->second : nullptr;
}

// p(x, .., y) = x == y && .. && emp || exists .., x -> next == t && .. && p(t, .., y)
std::optional<ListShape> ContractBook::recognise(const Definition& d) const {
    if (d.body.cases.size() != 2) return {};
    const auto recursive = [&](const AssertionCase& c) {
        return std::any_of(c.atoms.begin(), c.atoms.end(),
                           [](const AssertionAtom& a) { return a.kind == Kind::predicate; });
    };
    const bool second = recursive(d.body.cases[1]);
    const AssertionCase &base = d.body.cases[second ? 0 : 1], &step = d.body.cases[second ? 1 : 0];
    if (recursive(base) || !recursive(step) || !base.exists.empty()) return {};
    ListShape shape;
    const AssertionAtom* call = nullptr;
    std::map<std::string, std::string> value_of; // by field: the name of its value
    std::set<std::string> fields;
    for (const AssertionAtom& atom : step.atoms) {
        if (atom.kind == Kind::predicate) {
            if (call != nullptr || atom.name != d.name || atom.args.size() != d.parameters.size()) return {};
            call = &atom;
            continue;
        }
        Term at = atom.a;
        if (atom.kind == Kind::equal && at.kind == Term::Kind::field) at.kind = Term::Kind::field_address;
        if ((atom.kind != Kind::cell && atom.kind != Kind::equal) || at.kind != Term::Kind::field_address ||
            at.base->kind != Term::Kind::name || atom.b.kind != Term::Kind::name)
            return {};
        const int root = index_of(d.parameters, *at.base);
        if (root < 0 || (shape.first >= 0 && shape.first != root) || !fields.insert(at.name).second)
            return {};
        shape.first = root;
        value_of[at.name] = atom.b.name;
    }
    if (call == nullptr || shape.first < 0) return {};
    shape.record = record_with(fields);
    if (shape.record < 0) return {};
    const RecordType& record = program_.records[static_cast<std::size_t>(shape.record)];
    shape.size = record.size;
    shape.owned = ranges_of(shape.record, fields);
    const std::string& root = d.parameters[static_cast<std::size_t>(shape.first)];
    std::set<std::string> used{root}; // each existential has one role
    for (const auto& [field, name] : value_of) {
        const RecordType::Field* at = nullptr;
        for (const RecordType::Field& f : record.fields)
            if (f.name == field) at = &f;
        if (is_name(call->args[static_cast<std::size_t>(shape.first)], name)) {
            if (shape.next >= 0) return {};
            shape.next = at->offset;
        } else if (const int p = index_of(d.parameters, Term{Term::Kind::name, name, 0, nullptr}); p >= 0) {
            if (shape.prev >= 0 || !is_name(call->args[static_cast<std::size_t>(p)], root)) return {};
            shape.prev = at->offset;
            shape.before = p;
        } else {
            for (const Term& arg : call->args)
                if (is_name(arg, name)) return {};
        }
        if (!used.insert(name).second) return {};
    }
    if (shape.next < 0) return {};
    // The other parameters stay as they are, and the base says which is the end and which the last node.
    for (std::size_t p = 0; p < d.parameters.size(); ++p)
        if (static_cast<int>(p) != shape.first && static_cast<int>(p) != shape.before &&
            !is_name(call->args[p], d.parameters[p]))
            return {};
    bool ended = false;
    for (const AssertionAtom& atom : base.atoms) {
        if (atom.kind != Kind::equal) return {};
        Term a = atom.a, b = atom.b;
        if (index_of(d.parameters, b) == shape.first ||
            (shape.before >= 0 && index_of(d.parameters, b) == shape.before))
            std::swap(a, b);
        const int left = index_of(d.parameters, a), right = index_of(d.parameters, b);
        if (left == shape.first && !ended && (is_null(b) || right >= 0)) {
            ended = true;
            shape.end = is_null(b) ? -1 : right;
        } else if (shape.before >= 0 && left == shape.before && shape.last < 0 && right >= 0) {
            shape.last = right;
        } else {
            return {};
        }
    }
    const std::set<int> roles{shape.first, shape.before, shape.last, shape.end, -1};
    for (std::size_t p = 0; p < d.parameters.size(); ++p)
        if (!roles.contains(static_cast<int>(p))) return {};
    if (!ended || (shape.end >= 0 && shape.end == shape.last)) return {};
    return shape;
}

// ---- giving

class ContractBook::Giving {
  public:
    Giving(ContractBook& book, State& state, const WrittenContract& contract, Slots& slots)
        : book_(book), state_(state), contract_(contract), slots_(slots) {}

    bool run(const AssertionCase& one) {
        find_cells(one);
        for (const AssertionAtom& atom : one.atoms)
            if (atom.kind == Kind::cell && !cell(atom)) return false;
        for (const AssertionAtom& atom : one.atoms)
            if (atom.kind == Kind::equal) {
                const Value a = value(atom.a), b = value(atom.b);
                if (!a.known() || !b.known()) return false;
                unify(value(atom.a), b);
            }
        for (const AssertionAtom& atom : one.atoms)
            if (atom.kind == Kind::predicate && !predicate(atom)) return false;
        for (const AssertionAtom& atom : one.atoms)
            if (atom.kind == Kind::not_equal) distinct(value(atom.a), value(atom.b));
        return true; // an order that is not used is one assumption less
    }
    bool impossible = false;

  private:
    // Fields that are mentioned of each name: a block has what is owned.
    void find_cells(const AssertionCase& one) {
        for (const AssertionAtom& atom : one.atoms) {
            see(atom.a);
            see(atom.b);
            for (const Term& term : atom.args) see(term);
        }
    }
    void see(const Term& term) {
        if (term.base) see(*term.base);
        if ((term.kind == Term::Kind::field || term.kind == Term::Kind::field_address) &&
            term.base->kind == Term::Kind::name)
            mentioned_[term.base->name].insert(term.name);
    }

    Value slot(const std::string& name) {
        auto known = slots_.slot.find(name);
        std::vector<Value>& variables = state_.frames.back().variables;
        if (known == slots_.slot.end()) {
            known = slots_.slot.emplace(name, variables.size()).first;
            variables.emplace_back();
        }
        if (!variables[known->second].known()) variables[known->second] = state_.fresh_value({});
        slots_.open.erase(name);
        return variables[known->second];
    }

    bool wrong(const std::string& what) {
        book_.trouble_ = what;
        return false;
    }

    // The block whose fields are meant; -1: not understood.
    int block_of(const Term& base) {
        const Value at = value(base);
        if (at.is_address() && at.offset == 0 && state_.at(at.id).form == Object::Form::block) return at.id;
        if (!at.is_symbol() || base.kind != Term::Kind::name) return -1;
        const std::set<std::string>& fields = mentioned_[base.name];
        const int record = book_.record_with(fields);
        if (record < 0) return -1;
        Object block;
        block.size = Value::number(book_.program_.records[static_cast<std::size_t>(record)].size);
        block.owned = book_.ranges_of(record, fields);
        const int id = state_.add(std::move(block));
        records_[id] = record;
        state_.replace_symbol(at.symbol, Value::address(id, 0));
        return id;
    }

    const RecordType::Field* field(int block, const std::string& name) const {
        const auto record = records_.find(block);
        if (record == records_.end()) return nullptr;
        for (const RecordType::Field& f :
             book_.program_.records[static_cast<std::size_t>(record->second)].fields)
            if (f.name == name) return &f;
        return nullptr;
    }

    // Nothing, with the reason told, if it is not understood.
    Value value(const Term& term) {
        switch (term.kind) {
        case Term::Kind::number:
            return Value::number(term.number);
        case Term::Kind::name:
            return slot(term.name);
        case Term::Kind::field:
        case Term::Kind::field_address: {
            const int block = block_of(*term.base);
            const RecordType::Field* f = block < 0 ? nullptr : field(block, term.name);
            if (f == nullptr) {
                wrong(fmt::format("what '{}' is a field of is not clear", term.name));
                return {};
            }
            if (term.kind == Term::Kind::field_address) return Value::address(block, f->offset);
            return state_.load(block, f->offset, static_cast<int>(f->type.bytes()));
        }
        case Term::Kind::deref: {
            const int block = pointer_cell(*term.base);
            if (block < 0) return {};
            return state_.load(block, 0, book_.program_.pointer_bytes);
        }
        }
        return {};
    }

    // *x, where x leads to a pointer.
    int pointer_cell(const Term& base) {
        const Value at = value(base);
        if (at.is_address() && at.offset == 0) return at.id;
        const int p = index_of(contract_.parameters, base);
        const int stars = is_name(base, "__return") ? contract_.result_stars
                          : p >= 0                  ? contract_.stars[static_cast<std::size_t>(p)]
                                                    : 0;
        if (!at.is_symbol() || stars < 2) {
            wrong("what * leads to is not clear");
            return -1;
        }
        Object block;
        block.size = Value::number(book_.program_.pointer_bytes);
        const int id = state_.add(std::move(block));
        state_.replace_symbol(at.symbol, Value::address(id, 0));
        return id;
    }

    bool cell(const AssertionAtom& atom) {
        if (atom.a.kind != Term::Kind::field_address) return wrong("a cell that is no field");
        const int block = block_of(*atom.a.base);
        const RecordType::Field* f = block < 0 ? nullptr : field(block, atom.a.name);
        if (f == nullptr) return wrong(fmt::format("what '{}' is a field of is not clear", atom.a.name));
        const Value content = value(atom.b);
        if (!content.known()) return false;
        state_.store(block, f->offset, static_cast<int>(f->type.bytes()), content);
        return true;
    }

    void unify(const Value& a, const Value& b) {
        if (a == b) return;
        if (a.is_symbol())
            state_.replace_symbol(a.symbol, b);
        else if (b.is_symbol())
            state_.replace_symbol(b.symbol, a);
        else
            impossible = true; // numbers, or separate blocks
    }

    bool predicate(const AssertionAtom& atom) {
        const ListShape* found = book_.shape(atom.name);
        if (found == nullptr) return false;
        const ListShape shape = *found;
        const auto argument = [&](int p) { return value(atom.args[static_cast<std::size_t>(p)]); };
        const Value first = argument(shape.first);
        const Value end = shape.end >= 0 ? argument(shape.end) : Value::number(0);
        const Value before = shape.before >= 0 ? argument(shape.before) : Value{};
        if (!first.known() || !end.known() || (shape.before >= 0 && !before.known())) return false;
        if (first == end) { // no node
            if (shape.last >= 0) unify(argument(shape.last), before);
            return true;
        }
        if (!first.is_symbol()) return wrong(fmt::format("'{}' of what is known already", atom.name));
        Object list;
        list.form = Object::Form::list;
        list.size = Value::number(shape.size);
        // Doubly-linked lists have one direction of the two: see fold_lists.
        const bool turned = shape.prev >= 0 && shape.prev < shape.next;
        list.next = turned ? shape.prev : shape.next;
        list.prev = turned ? shape.next : shape.prev;
        list.owned = shape.owned;
        list.fields[shape.next] = {book_.program_.pointer_bytes, end};
        if (shape.prev >= 0) list.fields[shape.prev] = {book_.program_.pointer_bytes, before};
        const int id = state_.add(std::move(list));
        state_.replace_symbol(first.symbol, Value::address(id, 0, turned ? Place::last : Place::first));
        if (shape.last >= 0) {
            const Value last = argument(shape.last);
            if (!last.is_symbol()) return wrong(fmt::format("the end of '{}' is known already", atom.name));
            state_.replace_symbol(last.symbol, Value::address(id, 0, turned ? Place::first : Place::last));
        }
        return true;
    }

    void distinct(const Value& a, const Value& b) {
        for (const auto& [x, y] : {std::pair{a, b}, {b, a}}) {
            if (x.is_symbol() && y.is_number())
                impossible = impossible || !state_.exclude(x.symbol, y.offset);
            if (!x.is_address() || !state_.at(x.id).is_list() || state_.at(x.id).least > 0) continue;
            // Without a node it would be what is behind it.
            const Object& list = state_.at(x.id);
            const std::int64_t link = x.place == Place::last ? list.prev : list.next;
            if (list.fields.at(link).value == y) state_.edit(x.id).least = 1;
        }
    }

    ContractBook& book_;
    State& state_;
    const WrittenContract& contract_;
    Slots& slots_;
    std::map<std::string, std::set<std::string>> mentioned_;
    std::map<int, int> records_;
};

bool ContractBook::give(State& state, const AssertionCase& one, const WrittenContract& contract, Slots& slots,
                        bool& impossible) {
    Giving giving(*this, state, contract, slots);
    const bool understood = giving.run(one);
    impossible = giving.impossible;
    return understood;
}

// ---- taking

class ContractBook::Taking {
  public:
    Taking(ContractBook& book, State& state, const WrittenContract& contract, Slots& slots,
           std::set<int>& taken)
        : book_(book), state_(state), contract_(contract), slots_(slots), taken_(taken) {}

    Taken run(const AssertionCase& one) {
        for (const std::string& name : one.exists) open(name);
        std::vector<const AssertionAtom*> left;
        for (const AssertionAtom& atom : one.atoms) left.push_back(&atom);
        // Those whose names are known first: they give others a value.
        while (!left.empty()) {
            std::size_t which = left.size();
            for (std::size_t i = 0; i < left.size() && which == left.size(); ++i)
                if (ready(*left[i])) which = i;
            if (which == left.size()) return no("a name that nothing gives a value");
            const AssertionAtom& atom = *left[which];
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(which));
            if (const Taken t = one_atom(atom); t != Taken::yes) return t;
        }
        return finish_blocks();
    }
    Value open_at; // to be opened

  private:
    void open(const std::string& name) {
        if (slots_.slot.contains(name)) return;
        slots_.slot[name] = state_.frames.back().variables.size();
        state_.frames.back().variables.emplace_back();
        slots_.open.insert(name);
    }
    bool known(const Term& term) const {
        if (term.kind == Term::Kind::number) return true;
        if (term.base) return known(*term.base);
        return slots_.slot.contains(term.name) && !slots_.open.contains(term.name);
    }
    bool ready(const AssertionAtom& atom) {
        switch (atom.kind) {
        case Kind::predicate: {
            const ListShape* shape = book_.shape(atom.name);
            return shape == nullptr ||
                   (known(atom.args[static_cast<std::size_t>(shape->first)]) &&
                    (shape->end < 0 || known(atom.args[static_cast<std::size_t>(shape->end)])));
        }
        case Kind::cell:
            return known(atom.a);
        case Kind::equal:
            return (known(atom.a) && (known(atom.b) || atom.b.kind == Term::Kind::name)) ||
                   (known(atom.b) && atom.a.kind == Term::Kind::name);
        default:
            return known(atom.a) && known(atom.b);
        }
    }
    Taken no(const std::string& why) {
        book_.trouble_ = why;
        return Taken::no;
    }

    Taken one_atom(const AssertionAtom& atom) {
        Value a, b;
        switch (atom.kind) {
        case Kind::predicate:
            return list(atom);
        case Kind::cell: {
            if (atom.a.kind != Term::Kind::field_address) return no("a cell that is no field");
            Term field = atom.a;
            field.kind = Term::Kind::field;
            if (const Taken t = value(field, a); t != Taken::yes) return t;
            return match(atom.b, a);
        }
        case Kind::equal: {
            const bool turned = !known(atom.a);
            if (const Taken t = value(turned ? atom.b : atom.a, a); t != Taken::yes) return t;
            return match(turned ? atom.a : atom.b, a);
        }
        default:
            break;
        }
        if (const Taken t = value(atom.a, a); t != Taken::yes) return t;
        if (const Taken t = value(atom.b, b); t != Taken::yes) return t;
        return compare(atom.kind, a, b);
    }

    Taken compare(Kind kind, const Value& a, const Value& b) {
        if (a.base == Value::Base::number && b.base == Value::Base::number) {
            const Interval x = state_.range(a), y = state_.range(b);
            const bool holds = kind == Kind::less         ? x.high < y.low
                               : kind == Kind::less_equal ? x.high <= y.low
                                                          : x.high < y.low || y.high < x.low;
            const auto never = [&](const Value& s, const Value& n) {
                return kind == Kind::not_equal && s.is_symbol() && n.is_number() &&
                       state_.symbol(s.symbol).never.contains(n.offset);
            };
            return holds || never(a, b) || never(b, a) ? Taken::yes : no("a comparison that is not shown");
        }
        for (const auto& [address, other] : {std::pair{a, b}, {b, a}}) {
            if (kind != Kind::not_equal || !address.is_address() || !other.is_number(0)) continue;
            const Object& o = state_.at(address.id);
            if (o.form == Object::Form::block || o.least > 0) return Taken::yes;
            open_at = address;
            return Taken::split;
        }
        return no("a comparison that is not shown");
    }

    // The term is this value; a name without one gets it.
    Taken match(const Term& term, const Value& v) {
        if (term.kind == Term::Kind::name && slots_.open.contains(term.name)) {
            state_.frames.back().variables[slots_.slot.at(term.name)] = v;
            slots_.open.erase(term.name);
            return Taken::yes;
        }
        Value mine;
        if (const Taken t = value(term, mine); t != Taken::yes) return t;
        if (mine == v && mine.known()) return Taken::yes;
        return no("a value that is not the one demanded");
    }

    Taken value(const Term& term, Value& v) {
        switch (term.kind) {
        case Term::Kind::number:
            v = Value::number(term.number);
            return Taken::yes;
        case Term::Kind::name: {
            if (!known(term)) return no(fmt::format("'{}' has no value", term.name));
            v = state_.frames.back().variables[slots_.slot.at(term.name)];
            return v.known() ? Taken::yes : no(fmt::format("'{}' has no value", term.name));
        }
        case Term::Kind::field_address:
            return no("the address of a field as a value");
        case Term::Kind::field:
            return field(term, v);
        case Term::Kind::deref: {
            Value at;
            if (const Taken t = block(*term.base, at); t != Taken::yes) return t;
            const int bytes = book_.program_.pointer_bytes;
            if (!take_bytes(at, bytes)) return no("memory that is not there");
            v = state_.load(at.id, at.offset, bytes);
            return Taken::yes;
        }
        }
        return Taken::no;
    }

    Taken block(const Term& base, Value& at) {
        if (const Taken t = value(base, at); t != Taken::yes) return t;
        if (!at.is_address() || at.symbol >= 0 || taken_.contains(at.id) || !state_.at(at.id).live)
            return no("memory that is not there");
        if (state_.at(at.id).form == Object::Form::block) return Taken::yes;
        open_at = at;
        return Taken::split;
    }

    Taken field(const Term& term, Value& v) {
        Value at;
        if (const Taken t = block(*term.base, at); t != Taken::yes) return t;
        const RecordType::Field* found = nullptr;
        for (const RecordType& record : book_.program_.records) {
            if (!record.structure || !state_.at(at.id).size.is_number(record.size)) continue;
            for (const RecordType::Field& f : record.fields)
                if (f.name == term.name) {
                    if (found != nullptr &&
                        (found->offset != f.offset || found->type.bytes() != f.type.bytes()))
                        return no(fmt::format("what '{}' is a field of is not clear", term.name));
                    found = &f;
                }
        }
        if (found == nullptr) return no(fmt::format("no field '{}' in a block of that size", term.name));
        const auto bytes = static_cast<int>(found->type.bytes());
        at.offset += found->offset;
        if (!take_bytes(at, bytes)) return no("memory that is not there");
        v = state_.load(at.id, at.offset, bytes);
        return Taken::yes;
    }

    // A cell that is mentioned twice is one cell.
    bool take_bytes(const Value& at, std::int64_t bytes) {
        const Object& o = state_.at(at.id);
        if (!o.size.is_number() || at.offset < 0 || at.offset + bytes > o.size.offset) return false;
        if (!owns(o, at.offset, bytes)) return false;
        partly_[at.id].insert({at.offset, at.offset + bytes});
        return true;
    }

    // Blocks of which cells were taken must be taken as a whole, padding left out.
    Taken finish_blocks() {
        for (const auto& [id, ranges] : partly_) {
            const Object& o = state_.at(id);
            Ranges all(ranges.begin(), ranges.end());
            std::sort(all.begin(), all.end());
            bool whole = all == o.owned;
            if (o.owned.empty()) {
                whole = all.size() == 1 && all[0].first == 0 && o.size.is_number(all[0].second);
                for (const RecordType& record : book_.program_.records) {
                    if (whole || !record.structure || !o.size.is_number(record.size)) continue;
                    Ranges fields;
                    for (const RecordType::Field& f : record.fields)
                        fields.emplace_back(f.offset, f.offset + f.type.bytes());
                    std::sort(fields.begin(), fields.end());
                    whole = fields == all;
                }
            }
            if (!whole || taken_.contains(id)) return no("a block of which only a part is spoken of");
            taken_.insert(id);
        }
        return Taken::yes;
    }

    Taken list(const AssertionAtom& atom) {
        const ListShape* found = book_.shape(atom.name);
        if (found == nullptr) return Taken::no;
        const ListShape shape = *found;
        const auto argument = [&](int p) -> const Term& { return atom.args[static_cast<std::size_t>(p)]; };
        Value at, end = Value::number(0);
        if (const Taken t = value(argument(shape.first), at); t != Taken::yes) return t;
        if (shape.end >= 0)
            if (const Taken t = value(argument(shape.end), end); t != Taken::yes) return t;
        bool begun = false;
        const bool turned = shape.prev >= 0 && shape.prev < shape.next;
        const Place entry = turned ? Place::last : Place::first, exit = turned ? Place::first : Place::last;
        Value before;
        while (at != end) {
            if (!at.is_address() || at.symbol >= 0 || at.offset != 0 || taken_.contains(at.id) ||
                partly_.contains(at.id))
                return no("a list that does not go on as demanded");
            const Object& o = state_.at(at.id);
            if (o.kind != Object::Kind::heap || !o.live || o.owned != shape.owned ||
                !o.size.is_number(shape.size))
                return no("a node that is not one of the list");
            const bool is_list = o.is_list();
            if (o.form == Object::Form::optional || o.is_tree() || !o.kids.empty() || !o.sorts.empty() ||
                (is_list && (o.next != (turned ? shape.prev : shape.next) ||
                             o.prev != (turned ? shape.next : shape.prev) || o.head != 0)))
                return no("a node that is not one of the list");
            if (at.place != (is_list ? entry : Place::node)) return no("a list from its middle on");
            if (is_list && !nested_in(state_, at.id).empty()) return no("a list whose nodes own more");
            if (shape.prev >= 0) {
                const Value back = state_.peek(at.id, shape.prev, book_.program_.pointer_bytes);
                if (!back.known()) return no("a back link of which nothing is known");
                if (!begun) {
                    if (const Taken t = match(argument(shape.before), back); t != Taken::yes) return t;
                } else if (back != before) {
                    return no("a back link that does not lead back");
                }
            }
            const Value next = state_.peek(at.id, shape.next, book_.program_.pointer_bytes);
            if (!next.known()) return no("a link of which nothing is known");
            taken_.insert(at.id);
            before = Value::address(at.id, 0, is_list ? exit : Place::node);
            begun = true;
            at = next;
        }
        if (shape.last < 0) return Taken::yes;
        if (begun) return match(argument(shape.last), before);
        // No node: the last one is the one before.
        Value mine;
        if (known(argument(shape.before))) {
            if (const Taken t = value(argument(shape.before), mine); t != Taken::yes) return t;
            return match(argument(shape.last), mine);
        }
        if (const Taken t = value(argument(shape.last), mine); t != Taken::yes) return t;
        return match(argument(shape.before), mine);
    }

    ContractBook& book_;
    State& state_;
    const WrittenContract& contract_;
    Slots& slots_;
    std::set<int>& taken_;
    std::map<int, std::set<std::pair<std::int64_t, std::int64_t>>> partly_;
};

Taken ContractBook::take(State& state, const AssertionCase& one, const WrittenContract& contract,
                         Slots& slots, std::set<int>& taken, Value& open_at) {
    Taking taking(*this, state, contract, slots, taken);
    const Taken result = taking.run(one);
    open_at = taking.open_at;
    return result;
}

} // namespace ggsnn::verify::graph
