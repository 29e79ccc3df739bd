#include "ggsnn/verify/graph/formula.hpp"

#include "ggsnn/verify/run/inputs.hpp"

#include <algorithm>
#include <charconv>

namespace ggsnn::verify::graph {

namespace {

class FormulaStart {
  public:
    FormulaStart(const Program& program, int function, State blank)
        : program_(program), function_(function), state(std::move(blank)) {}

    // False: not understood.
    bool run(const logic::SymbolicHeap& heap) {
        if (!bind_names()) return false;
        // Cells first: lists end at them.
        for (const logic::Atom& atom : heap.atoms)
            if (atom.kind == logic::Atom::Kind::cell && !place_cell(atom)) return false;
        for (const logic::Pure& pure : heap.pure)
            if (pure.equal) unify(value(pure.left), value(pure.right));
        for (const logic::Atom& atom : heap.atoms)
            if (atom.kind == logic::Atom::Kind::cell && !fill_cell(atom)) return false;
        for (const logic::Atom& atom : heap.atoms) {
            const bool list = atom.kind == logic::Atom::Kind::list || atom.kind == logic::Atom::Kind::dll;
            const bool tree = atom.kind == logic::Atom::Kind::tree;
            if (tree ? !place_tree(atom) : list ? !place_list(atom) : logic::is_structure(atom)) return false;
        }
        for (const logic::Pure& pure : heap.pure)
            if (!pure.equal) distinct(value(pure.left), value(pure.right));
        return understood_;
    }
    bool impossible = false;

  private:
    // Parameters are variables already; a pointer in a global stands there.
    bool bind_names() {
        for (const EntryName& name : entry_names(program_, function_)) {
            if (name.cell || name.there) return false;
            if (name.parameter >= 0) {
                slots_[name.name] = static_cast<std::size_t>(name.parameter);
            } else {
                const int object = state.globals[static_cast<std::size_t>(name.global)];
                slots_[name.name] = new_slot(state.load(object, name.offset, program_.pointer_bytes));
            }
        }
        return true;
    }

    std::size_t new_slot(const Value& value) {
        state.frames.back().variables.push_back(value);
        return state.frames.back().variables.size() - 1;
    }

    Value value(const std::string& name) {
        if (name == logic::null_name) return Value::number(0);
        auto known = slots_.find(name);
        if (known == slots_.end()) {
            if (name.find('(') != std::string::npos) understood_ = false; // a value at the start
            known = slots_.emplace(name, new_slot(state.fresh_value({}))).first;
        }
        return state.frames.back().variables[known->second];
    }

    const RecordType* record_of(const std::string& tag) const {
        std::size_t number = program_.records.size();
        if (tag.size() < 2 || tag[0] != '#') return nullptr;
        std::from_chars(tag.data() + 1, tag.data() + tag.size(), number);
        return number < program_.records.size() ? &program_.records[number] : nullptr;
    }

    void unify(const Value& a, const Value& b) {
        if (a == b) return;
        if (a.is_symbol())
            state.replace_symbol(a.symbol, b);
        else if (b.is_symbol())
            state.replace_symbol(b.symbol, a);
        else
            impossible = true;
    }

    // Links of a cell say which record it is.
    const RecordType* record_of_cell(const logic::Atom& atom) const {
        const RecordType* record = nullptr;
        for (const auto& [field, target] : atom.links) {
            const std::size_t mark = field.find('#');
            const RecordType* own = mark == std::string::npos ? nullptr : record_of(field.substr(mark));
            if (own == nullptr || (record != nullptr && own != record)) return nullptr;
            record = own;
        }
        return record;
    }

    bool place_cell(const logic::Atom& atom) {
        const RecordType* record = record_of_cell(atom);
        const Value at = value(atom.root());
        if (record == nullptr || record->size <= 0 || !at.is_symbol()) return false;
        Object block;
        block.size = Value::number(record->size);
        block.given = true;
        state.replace_symbol(at.symbol, Value::address(state.add(std::move(block)), 0));
        return true;
    }

    bool fill_cell(const logic::Atom& atom) {
        const Value at = value(atom.root());
        if (!at.is_address()) return false;
        for (const auto& [field, target] : atom.links) {
            const RecordType* record = record_of_cell(atom);
            const std::string name(logic::bare_field(field));
            const RecordType::Field* f = record == nullptr ? nullptr : record->field_called(name);
            if (f == nullptr && name == "is" && record != nullptr) continue; // says the record, no field
            if (f == nullptr || !state.at(at.id).size.is_number(record->size)) return false;
            const Value content = value(target);
            state.store(at.id, f->offset, static_cast<int>(f->type.bytes()), content);
        }
        return true;
    }

    bool place_list(const logic::Atom& atom) {
        const RecordType* record = record_of(atom.tag);
        const RecordType::Field* next = record == nullptr ? nullptr : record->field_called("next");
        const bool doubly = atom.kind == logic::Atom::Kind::dll;
        const RecordType::Field* prev = record == nullptr || !doubly ? nullptr : record->field_called("prev");
        if (next == nullptr || (doubly && prev == nullptr)) return false;
        // ls(x, y); dll(x, last, before, y)
        const Value end = value(atom.arguments.back());
        const Value before = doubly ? value(atom.arguments[2]) : Value{};
        if (doubly) value(atom.arguments[1]);
        const Value first = value(atom.root());
        if (first == end) {
            if (atom.strict) return place_ring(atom, *record, *next, prev);
            if (doubly) unify(value(atom.arguments[1]), before);
            return true;
        }
        if (!first.is_symbol()) return false;
        Object list;
        list.form = Object::Form::list;
        list.size = Value::number(record->size);
        list.given = true;
        list.least = atom.strict ? 1 : 0;
        const bool turned = doubly && prev->offset < next->offset;
        list.next = turned ? prev->offset : next->offset;
        list.prev = !doubly ? -1 : turned ? next->offset : prev->offset;
        list.fields[next->offset] = {program_.pointer_bytes, end};
        if (doubly) list.fields[prev->offset] = {program_.pointer_bytes, before};
        if (atom.body && !place_body(*atom.body, *record, list)) return false;
        const int id = state.add(std::move(list));
        state.replace_symbol(first.symbol, Value::address(id, 0, turned ? Place::last : Place::first));
        if (doubly) {
            const Value last = value(atom.arguments[1]);
            if (!last.is_symbol()) return false;
            state.replace_symbol(last.symbol, Value::address(id, 0, turned ? Place::first : Place::last));
        }
        return true;
    }

    // ls+(x, x), dll+(x, last, last, x): one node out of the list, and the others.
    bool place_ring(const logic::Atom& atom, const RecordType& record, const RecordType::Field& next,
                    const RecordType::Field* prev) {
        const Value root = value(atom.root());
        if (!root.is_symbol() || atom.body) return false;
        if (prev != nullptr && atom.arguments[1] != atom.arguments[2]) return false;
        Object node;
        node.size = Value::number(record.size);
        node.given = true;
        Object others = node;
        const int first = state.add(std::move(node));
        const bool turned = prev != nullptr && prev->offset < next.offset;
        others.form = Object::Form::list;
        others.next = turned ? prev->offset : next.offset;
        others.prev = prev == nullptr ? -1 : turned ? next.offset : prev->offset;
        others.fields[next.offset] = {program_.pointer_bytes, Value::address(first, 0)};
        if (prev != nullptr) others.fields[prev->offset] = {program_.pointer_bytes, Value::address(first, 0)};
        const int rest = state.add(std::move(others));
        const Value after = Value::address(rest, 0, turned ? Place::last : Place::first);
        state.store(first, next.offset, program_.pointer_bytes, after);
        state.replace_symbol(root.symbol, Value::address(first, 0));
        if (prev == nullptr) return true;
        const Value before = Value::address(rest, 0, turned ? Place::first : Place::last);
        state.store(first, prev->offset, program_.pointer_bytes, before);
        const Value last = value(atom.arguments[1]);
        if (!last.is_symbol()) return false;
        state.replace_symbol(last.symbol, before);
        return true;
    }

    // What each node has: a whole structure of one kind.
    bool place_body(const logic::Lambda& body, const RecordType& outer, Object& list) {
        const RecordType::Field* val = outer.field_called("val");
        if (val == nullptr || body.heap.atoms.size() != 1 || !body.heap.pure.empty()) return false;
        const logic::Atom& atom = body.heap.atoms[0];
        const RecordType* record = record_of(atom.tag);
        if (record == nullptr || atom.body || atom.root() != body.parameter || atom.strict) return false;
        Object inner;
        inner.level = 1;
        inner.given = true;
        inner.size = Value::number(record->size);
        Place place = Place::node;
        if (atom.kind == logic::Atom::Kind::tree) {
            if (!make_tree(*record, inner)) return false;
        } else if (atom.kind == logic::Atom::Kind::list && atom.arguments.back() == logic::null_name) {
            const RecordType::Field* next = record->field_called("next");
            if (next == nullptr) return false;
            inner.form = Object::Form::list;
            inner.next = next->offset;
            inner.fields[next->offset] = {program_.pointer_bytes, Value::number(0)};
            place = Place::first;
        } else {
            return false;
        }
        list.fields[val->offset] = {program_.pointer_bytes,
                                    Value::address(state.add(std::move(inner)), 0, place)};
        return true;
    }

    static bool make_tree(const RecordType& record, Object& tree) {
        tree.form = Object::Form::tree;
        for (const char* role : {"left", "right"}) {
            const RecordType::Field* link = record.field_called(role);
            if (link == nullptr) return false;
            tree.kids.push_back(link->offset);
        }
        std::sort(tree.kids.begin(), tree.kids.end());
        return true;
    }

    bool place_tree(const logic::Atom& atom) {
        const RecordType* record = record_of(atom.tag);
        const Value root = value(atom.root());
        if (root.is_number(0)) {
            impossible = impossible || atom.strict;
            return true;
        }
        Object tree;
        if (record == nullptr || !root.is_symbol() || atom.body || !make_tree(*record, tree)) return false;
        tree.size = Value::number(record->size);
        tree.given = true;
        tree.least = atom.strict ? 1 : 0;
        state.replace_symbol(root.symbol, Value::address(state.add(std::move(tree)), 0));
        return true;
    }

    void distinct(const Value& a, const Value& b) {
        for (const auto& [x, y] : {std::pair{a, b}, {b, a}}) {
            if (x.is_address() && state.at(x.id).is_tree() && y.is_number(0)) state.edit(x.id).least = 1;
            if (x.is_symbol() && y.is_number()) impossible = impossible || !state.exclude(x.symbol, y.offset);
            if (!x.is_address() || !state.at(x.id).is_list() || state.at(x.id).least > 0) continue;
            const Object& list = state.at(x.id);
            const std::int64_t link = x.place == Place::last ? list.prev : list.next;
            if (list.fields.at(link).value == y) state.edit(x.id).least = 1;
        }
        if (a == b && a.known()) impossible = true;
    }

    const Program& program_;
    int function_;
    std::map<std::string, std::size_t> slots_;
    bool understood_ = true;

  public:
    State state;
};

} // namespace

std::optional<std::vector<State>> starts_under(const Program& program, int function,
                                               const logic::Formula& tagged,
                                               const std::map<int, Value>& values) {
    Executor executor(program, {});
    auto blank = executor.blank(function);
    if (!blank) return {};
    for (const auto& [parameter, value] : values)
        blank->frames.back().variables[static_cast<std::size_t>(parameter)] = value;
    std::vector<State> starts;
    for (const logic::SymbolicHeap& heap : tagged.heaps) {
        FormulaStart start(program, function, *blank);
        const std::size_t own = start.state.frames.back().variables.size();
        if (!start.run(heap)) return {};
        if (start.impossible) continue;
        // What the caller still holds when the function returns: the values it passed.
        std::vector<Value>& variables = start.state.frames.back().variables;
        variables.resize(own);
        const Function& f = program.functions[static_cast<std::size_t>(function)];
        for (int p = 0; p < f.parameters; ++p)
            if (variables[static_cast<std::size_t>(p)].is_address())
                variables.push_back(variables[static_cast<std::size_t>(p)]);
        start.state.collect_symbols();
        starts.push_back(std::move(start.state));
    }
    return starts;
}

} // namespace ggsnn::verify::graph
