// Memory from formulas: see inputs.hpp.
#include "ggsnn/verify/run/inputs.hpp"

#include "ggsnn/verify/run/unfold.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/verify/run/picture.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ggsnn::verify {

using logic::Atom;
using logic::SymbolicHeap;

bool is_file(const Program& program, const Type& type) {
    if (type.kind != Type::Kind::pointer || type.record < 0) return false;
    const std::string& name = program.records[static_cast<std::size_t>(type.record)].name;
    return name == "_IO_FILE" || name == "FILE" || name == "struct _IO_FILE";
}

bool formulas_speak_of(const Program& program, const Type& type) {
    if (type.kind != Type::Kind::pointer || type.record < 0 || is_file(program, type)) return false;
    const RecordType& r = program.records[static_cast<std::size_t>(type.record)];
    return r.size > 0 && (r.structure || r.size > 1);
}

std::vector<EntryName> entry_names(const Program& program, int function) {
    const Function& f = program.functions[static_cast<std::size_t>(function)];
    std::vector<EntryName> all;
    std::set<std::string> taken;
    for (int p = 0; p < f.parameters; ++p) {
        const Variable& v = f.variables[static_cast<std::size_t>(p)];
        taken.insert(v.name);
        if (v.type.kind == Type::Kind::pointer)
            all.push_back({v.name, v.type, p, -1, 0, false, v.by_value > 0});
    }
    for (std::size_t g = 0; g < program.globals.size(); ++g) {
        const Global& global = program.globals[g];
        if (global.constant || global.name.empty() || global.name[0] == '.' || taken.contains(global.name))
            continue;
        const auto add = [&](const std::string& name, const Type& type, std::int64_t offset, bool cell) {
            if (type.kind == Type::Kind::pointer)
                all.push_back({name, type, -1, static_cast<int>(g), offset, cell, cell});
        };
        if (leads_to_itself(program, global.record)) {
            add(global.name, {Type::Kind::pointer, 8 * program.pointer_bytes, global.record}, 0, true);
            continue;
        }
        add(global.name, global.type, 0, false);
        if (global.record < 0 || !program.records[static_cast<std::size_t>(global.record)].structure)
            continue;
        for (const RecordType::Field& field : program.records[static_cast<std::size_t>(global.record)].fields)
            add(global.name + "." + field.name, field.type, field.offset, false);
    }
    return all;
}

namespace {

// From an unfolding to blocks of the program's records.
class Builder {
  public:
    Builder(const Program& program, int function, Unfolding& unfolding, Random& random, bool functions_given)
        : program_(program),
          function_(program.functions[static_cast<std::size_t>(function)]),
          names_(entry_names(program, function)),
          unfolding_(unfolding),
          random_(random),
          functions_given_(functions_given) {}

    // variant: how open names are chosen, and whether data are sorted (even) or random (odd).
    std::optional<Input> run(int variant) {
        variant_ = variant;
        name_types();
        if (!unfolding_.consistent() || !types()) return std::nullopt;
        input_.anything = true;
        if (!cells()) return std::nullopt;
        input_.parameters.resize(static_cast<std::size_t>(function_.parameters));
        for (int p = 0; p < function_.parameters; ++p)
            input_.parameters[static_cast<std::size_t>(p)] =
                number(function_.variables[static_cast<std::size_t>(p)].type);
        for (const EntryName& n : names_) {
            if (n.cell) continue;
            const bool given = functions_given_ && n.parameter >= 0 &&
                               !function_.variables[static_cast<std::size_t>(n.parameter)].signature.empty();
            const Value v =
                given ? Value::of_pointer(add_address(MemoryBlock::State::unknown)) : pointer(n.type, n.name);
            if (n.parameter >= 0)
                input_.parameters[static_cast<std::size_t>(n.parameter)] = v;
            else
                input_.globals.push_back({n.global, {n.offset, n.type.bytes(), v}});
        }
        for (std::size_t g = 0; g < program_.globals.size(); ++g)
            if (const Global& global = program_.globals[g]; !global.constant &&
                                                            global.type.kind == Type::Kind::integer &&
                                                            global.size == global.type.bytes())
                input_.globals.push_back({static_cast<int>(g), {0, global.size, number(global.type)}});
        return std::move(input_);
    }

  private:
    // Types of names: those of variables, then along the links.
    void name_types() {
        for (const EntryName& n : names_) {
            if (n.type.record < 0 || !unfolding_.knows(n.name)) continue;
            type_.try_emplace(unfolding_.root(unfolding_.name(n.name)), n.type.record);
        }
        for (const EntryName& n : names_) {
            const int name = n.cell || n.there ? unfolding_.root(unfolding_.name(n.name)) : -1;
            if (n.cell) fixed_[name] = n.global;
            if (n.there && !n.cell)
                passed_[name] = function_.variables[static_cast<std::size_t>(n.parameter)].by_value;
        }
    }

    bool types() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& cell : unfolding_.cells()) {
                const auto known = type_.find(unfolding_.root(cell.at));
                if (known == type_.end()) continue;
                for (const auto& [role, target] : cell.links)
                    if (const RecordType::Field* f = field(known->second, role);
                        f != nullptr && f->type.record >= 0)
                        changed |= type_.try_emplace(unfolding_.root(target), f->type.record).second;
            }
        }
        for (const auto& cell : unfolding_.cells()) {
            const int at = unfolding_.root(cell.at);
            if (!type_.contains(at)) type_[at] = guessed(cell);
            if (type_[at] < 0 || record(type_[at]).size <= 0) return false;
            for (const auto& [role, target] : cell.links)
                if (field(type_[at], role) == nullptr) return false; // a field that this record does not have
        }
        return true;
    }

    const RecordType& record(int r) const { return program_.records[static_cast<std::size_t>(r)]; }

    const RecordType::Field* field(int r, const std::string& role) const {
        for (const auto& f : record(r).fields)
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

    bool cells() {
        place_[unfolding_.root(0)] = Value::of_number(0);
        for (const auto& [name, global] : fixed_) { // the address of a global, cell or not
            if (place_.contains(name)) return false;
            place_[name] = Value::of_global(global);
        }
        for (const auto& cell : unfolding_.cells()) {
            const int at = unfolding_.root(cell.at);
            if (fixed_.contains(at)) continue;
            InputBlock block;
            block.record = type_[at];
            block.size = record(block.record).size;
            input_.blocks.push_back(std::move(block));
            place_[at] = Value::of_pointer(static_cast<int>(input_.blocks.size()) - 1);
        }
        for (const auto& [name, size] : passed_) { // a struct of the caller's frame, told of or not
            if (place_.contains(name) && place_[name].block <= 0) return false;
            if (!place_.contains(name))
                place_[name] = Value::of_pointer(add_address(MemoryBlock::State::live));
            InputBlock& block = input_.blocks[static_cast<std::size_t>(place_[name].block)];
            block.kind = MemoryBlock::Kind::frame;
            block.size = size;
        }
        data();
        for (const auto& cell : unfolding_.cells()) {
            const int at = unfolding_.root(cell.at);
            for (const RecordType::Field& f : record(type_[at]).fields) {
                if (f.type.kind != Type::Kind::pointer) continue;
                Value value = Value::of_number(0); // what the formula does not speak of
                const auto link = std::find_if(cell.links.begin(), cell.links.end(),
                                               [&](const auto& l) { return l.first == f.role; });
                if (link != cell.links.end())
                    value = address(unfolding_.root(link->second), formulas_speak_of(program_, f.type));
                else if (!formulas_speak_of(program_, f.type))
                    value = pointer(f.type, "");
                put(place_[at], f, value);
            }
        }
        return true;
    }

    void put(const Value& at, const RecordType::Field& f, const Value& value) {
        const InputBlock::Entry entry{f.offset, f.type.bytes(), value};
        if (at.block < 0)
            input_.globals.push_back({-1 - at.block, entry});
        else
            input_.blocks[static_cast<std::size_t>(at.block)].contents.push_back(entry);
    }

    // Numbers in order of the structure, or any, with repetitions.
    void data() {
        std::vector<std::pair<long, int>> order;
        for (const auto& cell : unfolding_.cells()) order.emplace_back(cell.order, unfolding_.root(cell.at));
        std::sort(order.begin(), order.end());
        std::int64_t number = static_cast<std::int64_t>(random_.below(3));
        for (const auto& [rank, at] : order) {
            for (const RecordType::Field& f : record(type_[at]).fields) {
                if (f.type.kind != Type::Kind::integer) continue;
                const auto any = static_cast<std::int64_t>(random_.below(12)) - 1;
                const std::int64_t chosen = variant_ % 2 == 0 ? number : any;
                put(place_[at], f, cut(chosen, f.type));
                seen_.push_back(chosen);
            }
            number += static_cast<std::int64_t>(random_.below(4));
        }
    }

    static Value cut(std::int64_t number, const Type& type) {
        return Value::of_bits(static_cast<std::uint64_t>(number), 0, type.bits);
    }

    int add_address(MemoryBlock::State state, MemoryBlock::Kind kind = MemoryBlock::Kind::heap) {
        InputBlock block;
        block.state = state;
        block.kind = kind;
        input_.blocks.push_back(std::move(block));
        return static_cast<int>(input_.blocks.size()) - 1;
    }

    // A name without a cell: an address where nothing is, or NULL, for all such names or by chance.
    Value address(int name, bool spoken_of) {
        const auto [place, open] = place_.try_emplace(name, Value::of_number(0));
        const int kind = variant_ / 2 % 3;
        if (open && (kind == 0 || (kind == 2 && random_.chance(0.5))))
            place->second = Value::of_pointer(
                add_address(spoken_of ? MemoryBlock::State::absent : MemoryBlock::State::unknown));
        return place->second;
    }

    // The value of a pointer. name: what the formula may call it.
    Value pointer(const Type& type, const std::string& name) {
        const bool spoken_of = formulas_speak_of(program_, type);
        if (!name.empty() && unfolding_.knows(name) &&
            passed_.contains(unfolding_.root(unfolding_.name(name))))
            return place_[unfolding_.root(unfolding_.name(name))];
        if (is_file(program_, type))
            return Value::of_pointer(add_address(MemoryBlock::State::live, MemoryBlock::Kind::handle));
        if (spoken_of || (!name.empty() && unfolding_.knows(name)))
            return address(unfolding_.root(unfolding_.name(name)), spoken_of);
        return variant_ / 2 % 2 == 0 ? Value::of_pointer(add_address(MemoryBlock::State::unknown))
                                     : Value::of_number(0);
    }

    Value number(const Type& type) {
        if (type.kind != Type::Kind::integer) return {};
        if (!seen_.empty() && random_.chance(0.4)) return cut(random_.pick(seen_), type);
        static const std::vector<std::int64_t> usual{0, 1, 2, 3, 5, 10, -1, 7, 100, INT32_MIN};
        return cut(usual[static_cast<std::size_t>(variant_) % usual.size()], type);
    }

    const Program& program_;
    const Function& function_;
    std::vector<EntryName> names_;
    Unfolding& unfolding_;
    Random& random_;
    bool functions_given_;
    int variant_ = 0;
    std::map<int, int> type_, fixed_;    // record; global whose address it is; by name
    std::map<int, std::int64_t> passed_; // bytes of a struct that is passed by value; by name
    std::map<int, Value> place_;
    std::vector<std::int64_t> seen_;
    Input input_;
};

// Sizes for the structures of a disjunct, small first: all equal, then one beside others, then by chance.
std::vector<std::vector<int>> selections(const SymbolicHeap& heap, const InputOptions& options,
                                         Random& random) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < heap.atoms.size(); ++i)
        if (is_structure(heap.atoms[i])) places.push_back(i);
    std::vector<std::vector<int>> all;
    const auto add = [&](const std::vector<int>& sizes) {
        std::vector<int> selection(heap.atoms.size(), 1);
        for (std::size_t p = 0; p < places.size(); ++p) selection[places[p]] = sizes[p];
        if (std::find(all.begin(), all.end(), selection) == all.end()) all.push_back(std::move(selection));
    };
    if (places.empty()) return {std::vector<int>(heap.atoms.size(), 1)};
    for (const int size : options.sizes) add(std::vector<int>(places.size(), size));
    const std::size_t alone = std::min<std::size_t>(places.size(), 12);
    for (const int size : options.sizes)
        for (std::size_t p = 0; p < alone && places.size() > 1; ++p)
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

// Without tags: pictures call fields by role.
SymbolicHeap untagged(SymbolicHeap heap) {
    for (Atom& atom : heap.atoms) {
        atom.tag.clear();
        for (auto& [name, target] : atom.links) name = std::string(logic::bare_field(name));
        if (atom.body == nullptr) continue;
        auto body = std::make_shared<logic::Lambda>(*atom.body);
        body->heap = untagged(body->heap);
        atom.body = std::move(body);
    }
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

std::vector<Input> inputs_of_main(const InputOptions& options) {
    std::vector<Input> inputs(static_cast<std::size_t>(std::min(options.inputs, 12)));
    return inputs;
}

} // namespace

std::vector<Input> make_inputs(const Program& program, int function, const logic::Formula& given,
                               const InputOptions& options) {
    std::vector<Input> inputs;
    if (program.functions[static_cast<std::size_t>(function)].name == "main") {
        inputs = inputs_of_main(options);
        for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].seed = options.seed + i;
        return inputs;
    }
    logic::Formula precondition = given;
    for (SymbolicHeap& heap : precondition.heaps) heap = untagged(heap);
    std::vector<int> inner;
    for (const int size : options.sizes)
        if (size <= 3) inner.push_back(size);
    if (inner.empty()) inner.push_back(1);
    const logic::Checker checker(precondition);
    const std::size_t share =
        std::max<std::size_t>(1, static_cast<std::size_t>(options.inputs) / precondition.heaps.size());
    const auto late = [&] {
        return options.deadline && std::chrono::steady_clock::now() > *options.deadline;
    };
    const std::size_t step =
        (precondition.heaps.size() - 1) / static_cast<std::size_t>(std::max(options.inputs, 1)) + 1;
    for (std::size_t d = 0; d < precondition.heaps.size() && !late(); d += step) {
        const SymbolicHeap heap = opened(precondition.heaps[d]);
        const bool plain = std::none_of(heap.atoms.begin(), heap.atoms.end(), logic::is_structure);
        Random choice(options.seed, {1, d});
        std::vector<Input> made;
        std::set<std::string> seen;
        int variant = 0;
        for (const std::vector<int>& sizes : selections(heap, options, choice)) {
            // Open names and data come in variants: a few of each heap.
            for (int i = 0; i < (plain ? 8 : 2) * options.seeds && !late(); ++i, ++variant) {
                Random random(options.seed, {2, d, static_cast<std::uint64_t>(variant)});
                Unfolding unfolding(random, inner);
                if (!unfolding.add(heap, sizes)) break;
                std::optional<Input> input =
                    Builder(program, function, unfolding, random, options.functions_given).run(variant);
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
