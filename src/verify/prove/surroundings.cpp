#include "ggsnn/verify/prove/surroundings.hpp"

#include "ggsnn/base/hash.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr int joins_before_jumps = 3;

const SymbolicValue* kept_by(const Keeper& keeper, const SymbolicState& state) {
    if (keeper.kind == Keeper::Kind::variable) return &state.store[static_cast<std::size_t>(keeper.index)];
    const auto& roots = keeper.kind == Keeper::Kind::object ? state.objects : state.globals;
    const int block = state.block_at(roots[static_cast<std::size_t>(keeper.index)]);
    if (block < 0) return nullptr;
    const auto& slots = state.blocks[static_cast<std::size_t>(block)].slots;
    const auto slot = slots.find(keeper.offset);
    return slot == slots.end() ? nullptr : &slot->second.value;
}

// An array or a number from the heap: nothing that formulas say more about than that it is there.
bool may_be_anchored(const SymbolicState& state, const SymbolicBlock& block) {
    if (block.kind != SymbolicBlock::Kind::heap && block.kind != SymbolicBlock::Kind::handle) return false;
    if (block.kind == SymbolicBlock::Kind::handle) return true;
    const auto& records = state.program().records;
    return std::none_of(records.begin(), records.end(), [&](const RecordType& r) {
        return r.structure && block.size && r.size == *block.size &&
               std::any_of(r.fields.begin(), r.fields.end(),
                           [](const auto& f) { return f.type.kind == Type::Kind::pointer; });
    });
}

// The block that a keeper leads to the beginning of, if it may be anchored; -1 if none.
int anchored_by(const Keeper& keeper, const SymbolicState& state) {
    const SymbolicValue* value = kept_by(keeper, state);
    if (value == nullptr || value->empty() || !value->plain()) return -1;
    const int block = state.block_at(value->term);
    return block >= 0 && may_be_anchored(state, state.blocks[static_cast<std::size_t>(block)]) ? block : -1;
}

std::vector<Keeper> keepers(const SymbolicState& state, const Loop& loop) {
    std::vector<Keeper> all;
    for (const int v : loop.variables)
        if (state.function().variables[static_cast<std::size_t>(v)].type.kind == Type::Kind::pointer)
            all.push_back({Keeper::Kind::variable, v, 0});
    const auto slots = [&](Keeper::Kind kind, const std::vector<TermName>& roots) {
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const int block = roots[i].empty() ? -1 : state.block_at(roots[i]);
            if (block < 0 || state.in_formulas(state.blocks[static_cast<std::size_t>(block)])) continue;
            for (const auto& [offset, slot] : state.blocks[static_cast<std::size_t>(block)].slots)
                if (slot.bytes == state.program().pointer_bytes)
                    all.push_back({kind, static_cast<int>(i), offset});
        }
    };
    slots(Keeper::Kind::object, state.objects);
    slots(Keeper::Kind::global, state.globals);
    return all;
}

class Facts {
  public:
    Facts(const SymbolicState& state, const Surroundings& here) : state_(state), here_(here) {}

    Fact of(const SymbolicValue& value) const {
        if (value.empty() || value.undetermined) return {};
        if (is_function(value.term) && value.plain()) {
            Fact fact;
            fact.kind = Fact::Kind::function;
            fact.function = function_of(value.term);
            return fact;
        }
        Fact fact;
        if (locate(value.term, fact)) {
            fact.kind = Fact::Kind::address;
            fact.range = {value.offset, value.offset};
            if (!value.index.empty()) {
                const Interval r = state_.range(value.index);
                if (r.low < -(1LL << 40) || r.high > (1LL << 40)) return {};
                const auto [low, high] = std::minmax({r.low * value.scale, r.high * value.scale});
                fact.range = {value.offset + low, value.offset + high};
            }
            return fact;
        }
        if (!value.index.empty()) return {};
        Interval range = state_.range(value.term); // of a number, to which a constant may have been added
        if (range == Interval{} || __builtin_add_overflow(range.low, value.offset, &range.low) ||
            __builtin_add_overflow(range.high, value.offset, &range.high))
            return {};
        fact.range = range;
        fact.kind = Fact::Kind::number;
        return fact;
    }

  private:
    bool locate(const TermName& root, Fact& fact) const {
        const auto look = [&](const std::vector<TermName>& roots, Fact::Base base) {
            const auto found = std::find(roots.begin(), roots.end(), root);
            if (root.empty() || found == roots.end()) return false;
            fact.base = base;
            fact.index = static_cast<int>(found - roots.begin());
            return true;
        };
        if (look(state_.objects, Fact::Base::object) || look(state_.globals, Fact::Base::global)) return true;
        for (std::size_t a = 0; a < here_.anchored.size(); ++a) {
            const SymbolicValue* value = kept_by(here_.anchored[a].keeper, state_);
            if (value == nullptr || !value->plain() || value->term != root) continue;
            fact.base = Fact::Base::anchored;
            fact.index = static_cast<int>(a);
            return true;
        }
        return false;
    }

    const SymbolicState& state_;
    const Surroundings& here_;
};

// Joins; a bound that moves jumps, if asked for.
Interval hull(const Interval& old, const Interval& now, const std::vector<std::int64_t>& thresholds,
              bool jump) {
    Interval r = old;
    if (now.low < r.low) {
        r.low = now.low;
        if (jump) {
            const auto at = std::upper_bound(thresholds.begin(), thresholds.end(), now.low);
            r.low = at == thresholds.begin() ? Interval{}.low : *std::prev(at);
        }
    }
    if (now.high > r.high) {
        r.high = now.high;
        if (jump) {
            const auto at = std::lower_bound(thresholds.begin(), thresholds.end(), now.high);
            r.high = at == thresholds.end() ? Interval{}.high : *at;
        }
    }
    return r;
}

Fact joined(const Fact& old, const Fact& now, const std::vector<std::int64_t>& thresholds, bool jump) {
    if (old == now) return old;
    if (old.kind != now.kind || old.kind == Fact::Kind::any || old.kind == Fact::Kind::function) return {};
    if (old.kind == Fact::Kind::address && (old.base != now.base || old.index != now.index)) return {};
    Fact fact = old;
    fact.range = hull(old.range, now.range, thresholds, jump);
    if (fact.range == Interval{}) return {};
    return fact;
}

Contents contents_of(const SymbolicBlock& block, const Facts& facts) {
    Contents contents;
    contents.alive = true;
    contents.constant = block.constant;
    contents.handle = block.kind == SymbolicBlock::Kind::handle;
    contents.size = block.size;
    contents.rest = block.rest;
    contents.texts = block.texts;
    for (const auto& [offset, slot] : block.slots)
        contents.slots[offset] = {slot.bytes, facts.of(slot.value)};
    return contents;
}

// What both have; where they differ, bytes are not known.
Contents joined(const Contents& old, const Contents& now, const std::vector<std::int64_t>& thresholds,
                bool jump) {
    if (!old.alive || !now.alive || old.handle != now.handle) return {};
    Contents both = old;
    if (old.size != now.size) both.size.reset();
    if (old.rest != now.rest) {
        // Bytes without a slot in both: undetermined if they are so in one, else written.
        const bool undetermined =
            old.rest == SymbolicBlock::Rest::undetermined || now.rest == SymbolicBlock::Rest::undetermined;
        both.rest = undetermined ? SymbolicBlock::Rest::undetermined : SymbolicBlock::Rest::any;
    }
    both.texts.clear();
    for (const auto& [offset, length] : old.texts)
        if (const auto other = now.texts.find(offset); other != now.texts.end())
            both.texts[offset] = std::max(length, other->second);
    both.slots.clear();
    const auto rest_fact = [](SymbolicBlock::Rest rest) {
        Fact fact;
        if (rest == SymbolicBlock::Rest::zero) {
            fact.kind = Fact::Kind::number;
            fact.range = {0, 0};
        }
        return fact;
    };
    const auto free = [](const Contents& c, std::int64_t offset, int bytes) {
        return std::none_of(c.slots.begin(), c.slots.end(), [&](const auto& s) {
            return s.first < offset + bytes && s.first + s.second.first > offset;
        });
    };
    const auto take = [&](std::int64_t offset, int bytes, const Fact& fact) {
        both.slots[offset] = {bytes, fact};
    };
    for (const auto& [offset, slot] : old.slots) {
        const auto other = now.slots.find(offset);
        if (other != now.slots.end() && other->second.first == slot.first)
            take(offset, slot.first, joined(slot.second, other->second.second, thresholds, jump));
        else if (free(now, offset, slot.first) && now.rest != SymbolicBlock::Rest::undetermined)
            take(offset, slot.first, joined(slot.second, rest_fact(now.rest), thresholds, jump));
        else if (!free(now, offset, slot.first) && both.rest == SymbolicBlock::Rest::zero)
            both.rest = SymbolicBlock::Rest::any;
        // else: in one of them not written, or cut differently: nothing is said, which `rest` must allow.
        else if (both.rest == SymbolicBlock::Rest::zero)
            both.rest = SymbolicBlock::Rest::any;
    }
    for (const auto& [offset, slot] : now.slots) {
        if (both.slots.contains(offset) && both.slots[offset].first == slot.first) continue;
        if (free(old, offset, slot.first) && old.rest != SymbolicBlock::Rest::undetermined &&
            free(both, offset, slot.first))
            take(offset, slot.first, joined(slot.second, rest_fact(old.rest), thresholds, jump));
        else if (both.rest == SymbolicBlock::Rest::zero)
            both.rest = SymbolicBlock::Rest::any;
    }
    return both;
}

SymbolicValue made(const Fact& fact, SymbolicState& state, const std::vector<TermName>& anchored) {
    switch (fact.kind) {
    case Fact::Kind::number:
        return value_of(state.fresh_number(fact.range));
    case Fact::Kind::function:
        return value_of(function_term(fact.function));
    case Fact::Kind::address: {
        const auto index = static_cast<std::size_t>(fact.index);
        SymbolicValue value;
        value.term = fact.base == Fact::Base::object   ? state.objects[index]
                     : fact.base == Fact::Base::global ? state.globals[index]
                                                       : anchored[index];
        if (value.term.empty()) return value_of(state.fresh());
        value.offset = fact.range.low;
        if (fact.range.low != fact.range.high) {
            value.offset = 0;
            value.index = state.fresh_number(fact.range);
            value.scale = 1;
        }
        return value;
    }
    case Fact::Kind::any:
        return value_of(state.fresh());
    }
    return value_of(state.fresh());
}

void fill(SymbolicBlock& block, const Contents& contents, SymbolicState& state,
          const std::vector<TermName>& anchored) {
    std::map<std::int64_t, SymbolicSlot> slots;
    for (const auto& [offset, slot] : contents.slots) {
        SymbolicValue value;
        if (slot.first <= 8) value = made(slot.second, state, anchored);
        slots[offset] = {slot.first, value};
    }
    block.slots = std::move(slots);
    block.texts = contents.texts;
}

} // namespace

bool Surroundings::join(const SymbolicState& state, const Loop& loop,
                        const std::vector<std::int64_t>& thresholds) {
    Surroundings now;
    now.reached = true;
    now.given_up = given_up;
    now.at_exit = state.at_exit;
    // Arrays: those anchored already keep their keeper; on the first arrival each gets one.
    if (reached) {
        now.anchored = anchored;
        std::set<int> taken; // two keepers of one block would make two of it
        std::erase_if(now.anchored, [&](const Anchored& a) {
            const int block = anchored_by(a.keeper, state);
            const bool same =
                block >= 0 && a.contents.handle == (state.blocks[static_cast<std::size_t>(block)].kind ==
                                                    SymbolicBlock::Kind::handle);
            if (same && taken.insert(block).second) return false;
            now.given_up.push_back(a.keeper);
            return true;
        });
    } else {
        std::set<int> taken;
        for (const Keeper& keeper : keepers(state, loop)) {
            const int block = anchored_by(keeper, state);
            if (block >= 0 && std::find(given_up.begin(), given_up.end(), keeper) == given_up.end() &&
                taken.insert(block).second)
                now.anchored.push_back({keeper, {}});
        }
    }
    if (reached && now.anchored.size() != anchored.size()) {
        // Facts count anchored blocks by number: begin anew without those that are given up.
        const std::vector<Keeper> without = now.given_up;
        *this = {};
        given_up = without;
        join(state, loop, thresholds);
        return true;
    }
    const Facts facts(state, now);
    now.variables.resize(state.store.size());
    now.known.resize(state.store.size());
    for (const int v : loop.variables) {
        const auto i = static_cast<std::size_t>(v);
        now.variables[i] = facts.of(state.store[i]);
        now.known[i] = state.store[i].empty() ? 0 : 1;
    }
    const auto contents = [&](const std::vector<TermName>& roots, std::vector<Contents>& into,
                              bool globals_too) {
        into.resize(roots.size());
        for (std::size_t i = 0; i < roots.size(); ++i) {
            if (roots[i].empty()) continue;
            if (!globals_too && std::find(loop.objects.begin(), loop.objects.end(), static_cast<int>(i)) ==
                                    loop.objects.end())
                continue;
            const int block = state.block_at(roots[i]);
            if (block < 0) { // a linked object inside a structure
                into[i].alive = true;
                continue;
            }
            const SymbolicBlock& one = state.blocks[static_cast<std::size_t>(block)];
            into[i] = contents_of(one, facts);
            if (state.in_formulas(one)) into[i].slots.clear();
        }
    };
    contents(state.objects, now.objects, false);
    contents(state.globals, now.globals, true);
    for (Anchored& a : now.anchored)
        a.contents = contents_of(state.blocks[static_cast<std::size_t>(anchored_by(a.keeper, state))], facts);
    if (!reached) {
        now.joins = 1;
        *this = std::move(now);
        return true;
    }
    const bool jump = joins >= joins_before_jumps;
    Surroundings both = *this;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        both.variables[v] = joined(variables[v], now.variables[v], thresholds, jump);
        both.known[v] = known[v] != 0 && now.known[v] != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < objects.size(); ++i)
        both.objects[i] = joined(objects[i], now.objects[i], thresholds, jump);
    for (std::size_t i = 0; i < globals.size(); ++i)
        both.globals[i] = joined(globals[i], now.globals[i], thresholds, jump);
    for (std::size_t i = 0; i < anchored.size(); ++i)
        both.anchored[i].contents = joined(anchored[i].contents, now.anchored[i].contents, thresholds, jump);
    both.at_exit_differs = at_exit_differs || at_exit != now.at_exit;
    if (both == *this) return false;
    both.joins = joins + 1;
    *this = std::move(both);
    return true;
}

void Surroundings::apply(SymbolicState& state, const Loop& loop) const {
    std::vector<TermName> roots;
    const auto block_of = [&](const Contents& contents, SymbolicBlock::Kind kind, int object) {
        SymbolicBlock& block = state.add_block(kind, contents.size, contents.rest);
        block.object = object;
        block.constant = contents.constant;
        return block.root;
    };
    for (std::size_t i = 0; i < objects.size(); ++i) {
        if (!objects[i].alive) continue;
        const bool in_formula = linked(state.program(), state.function().objects[i]);
        state.objects[i] = in_formula ? state.fresh()
                                      : block_of(objects[i], SymbolicBlock::Kind::local, static_cast<int>(i));
    }
    for (std::size_t i = 0; i < globals.size(); ++i) {
        if (!globals[i].alive) continue;
        const bool in_formula = linked(state.program(), state.program().globals[i]);
        state.globals[i] = in_formula
                               ? state.fresh()
                               : block_of(globals[i], SymbolicBlock::Kind::global, static_cast<int>(i));
    }
    for (const Anchored& a : anchored)
        roots.push_back(block_of(
            a.contents, a.contents.handle ? SymbolicBlock::Kind::handle : SymbolicBlock::Kind::heap, -1));
    for (std::size_t b = 0; b < state.blocks.size(); ++b) {
        const SymbolicBlock& block = state.blocks[b];
        const auto object = static_cast<std::size_t>(block.object);
        const Contents* contents = nullptr;
        if (block.kind == SymbolicBlock::Kind::local) contents = &objects[object];
        if (block.kind == SymbolicBlock::Kind::global) contents = &globals[object];
        for (std::size_t a = 0; a < roots.size(); ++a)
            if (roots[a] == block.root) contents = &anchored[a].contents;
        if (contents == nullptr) continue;
        SymbolicBlock filled = block;
        fill(filled, *contents, state, roots);
        state.blocks[b] = std::move(filled);
    }
    for (const int v : loop.variables) {
        const auto i = static_cast<std::size_t>(v);
        if (known[i] == 0) continue;
        Fact fact = variables[i];
        const Type& type = state.function().variables[i].type;
        if (type.kind == Type::Kind::integer &&
            (fact.kind == Fact::Kind::number || (fact.kind == Fact::Kind::any && type.bits < 64))) {
            // Whatever it is, it has the width of its type.
            const Interval width = Interval::of_bits(type.bits);
            fact.kind = Fact::Kind::number;
            fact.range = {std::max(fact.range.low, width.low), std::min(fact.range.high, width.high)};
        }
        state.store[i] = made(fact, state, roots);
    }
    // The keepers lead to their blocks.
    for (std::size_t a = 0; a < anchored.size(); ++a) {
        const Keeper& keeper = anchored[a].keeper;
        if (keeper.kind == Keeper::Kind::variable) {
            state.store[static_cast<std::size_t>(keeper.index)] = value_of(roots[a]);
            continue;
        }
        const auto& owners = keeper.kind == Keeper::Kind::object ? state.objects : state.globals;
        const int block = state.block_at(owners[static_cast<std::size_t>(keeper.index)]);
        if (block >= 0)
            state.store_at(block, keeper.offset, state.program().pointer_bytes, value_of(roots[a]));
    }
    state.at_exit = at_exit;
}

std::set<TermName> Surroundings::left_out(const SymbolicState& state) const {
    std::set<TermName> roots;
    for (const Anchored& a : anchored)
        if (const SymbolicValue* value = kept_by(a.keeper, state); value != nullptr && value->plain())
            roots.insert(value->term);
    return roots;
}

bool Surroundings::operator==(const Surroundings& other) const {
    return reached == other.reached && variables == other.variables && known == other.known &&
           objects == other.objects && globals == other.globals && anchored == other.anchored &&
           at_exit == other.at_exit && at_exit_differs == other.at_exit_differs;
}

std::uint64_t Surroundings::hash() const {
    Hash hash;
    const auto add = [&](auto number) { hash.add(static_cast<std::uint64_t>(number)); };
    const auto fact = [&](const Fact& f) {
        add(f.kind);
        add(f.range.low);
        add(f.range.high);
        add(f.function);
        add(f.base);
        add(f.index);
    };
    const auto contents = [&](const Contents& c) {
        add((c.alive ? 1 : 0) | (c.constant ? 2 : 0) | (c.handle ? 4 : 0));
        add(c.rest);
        add(c.size.value_or(-1));
        add(c.slots.size());
        for (const auto& [offset, slot] : c.slots) {
            add(offset);
            add(slot.first);
            fact(slot.second);
        }
        add(c.texts.size());
        for (const auto& [offset, length] : c.texts) {
            add(offset);
            add(length);
        }
    };
    for (std::size_t v = 0; v < variables.size(); ++v) {
        add(known[v]);
        fact(variables[v]);
    }
    for (const Contents& c : objects) contents(c);
    for (const Contents& c : globals) contents(c);
    for (const Anchored& a : anchored) {
        add(a.keeper.kind);
        add(a.keeper.index);
        add(a.keeper.offset);
        contents(a.contents);
    }
    for (const TermName& term : at_exit) hash.add(term);
    return hash.value();
}

std::vector<std::int64_t> thresholds_of(const Program& program, const Function& function) {
    std::set<std::int64_t> all{-1, 0, 1};
    for (const Block& block : function.blocks) {
        for (const Instruction& i : block.instructions)
            for (const Operand* operand : {&i.a, &i.b})
                if (operand->kind == Operand::Kind::number && i.kind == Instruction::Kind::compute &&
                    operand->number > -(1LL << 40) && operand->number < (1LL << 40))
                    for (const int d : {-1, 0, 1}) all.insert(operand->number + d);
    }
    for (const Object& object : function.objects) all.insert(object.size);
    for (const Global& global : program.globals) all.insert(global.size);
    return {all.begin(), all.end()};
}

} // namespace ggsnn::verify
