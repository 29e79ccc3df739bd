// Between a state and formulas: questions for the prover, formulas for readers, models over program
// variables.
#include "ggsnn/verify/prove/state.hpp"

#include <algorithm>

namespace ggsnn::verify {

using logic::Atom;
using logic::Formula;
using logic::Pure;
using logic::SymbolicHeap;

namespace {

int record_of_field(const std::string& field) {
    const auto mark = field.find('#');
    return mark == std::string::npos ? -1 : std::stoi(field.substr(mark + 1));
}

// Records whose cells a heap speaks of.
void collect_records(const SymbolicHeap& heap, std::set<int>& records) {
    for (const Atom& atom : heap.atoms) {
        if (!atom.tag.empty()) records.insert(std::stoi(atom.tag.substr(1)));
        for (const auto& link : atom.links)
            if (const int record = record_of_field(link.first); record >= 0) records.insert(record);
        if (atom.body) collect_records(atom.body->heap, records);
    }
}

bool has_none(const SymbolicHeap& heap, bool in_body) {
    return std::any_of(heap.atoms.begin(), heap.atoms.end(), [&](const Atom& atom) {
        return (in_body && atom.kind == Atom::Kind::none) || (atom.body && has_none(atom.body->heap, true));
    });
}

} // namespace

bool SymbolicState::in_formulas(const SymbolicBlock& block) const {
    const auto object = static_cast<std::size_t>(block.object);
    switch (block.kind) {
    case SymbolicBlock::Kind::heap:
    case SymbolicBlock::Kind::cell:
        return true;
    case SymbolicBlock::Kind::local:
        return linked(*program_, function_->objects[object]);
    case SymbolicBlock::Kind::global:
        return linked(*program_, program_->globals[object]);
    default:
        return false;
    }
}

namespace {

// A block as a cell of this record: what it holds at the record's pointer fields.
void show_as(const SymbolicBlock& block, int number, const RecordType& record, Atom& cell) {
    if (!block.size || *block.size != record.size) return;
    const std::string tag = tag_of(number);
    cell.links.emplace_back("is" + tag, logic::null_name);
    for (const RecordType::Field& field : record.fields) {
        if (field.type.kind != Type::Kind::pointer) continue;
        const auto slot = block.slots.find(field.offset);
        TermName value = fmt::format("{}!{}", block.root, field.offset); // some value
        if (slot != block.slots.end() && slot->second.bytes == field.type.bytes() &&
            !slot->second.value.empty()) {
            value = name_of_value(slot->second.value);
        } else if (block.rest == SymbolicBlock::Rest::zero &&
                   std::none_of(block.slots.begin(), block.slots.end(), [&](const auto& other) {
                       return other.first < field.offset + field.type.bytes() &&
                              other.first + other.second.bytes > field.offset;
                   })) {
            value = logic::null_name;
        }
        cell.links.emplace_back(field.role + tag, value);
    }
}

} // namespace

SymbolicHeap SymbolicState::question(const Formula& right, bool all,
                                     const std::set<TermName>& left_out) const {
    std::set<int> records;
    for (const SymbolicHeap& one : right.heaps) collect_records(one, records);
    SymbolicHeap left = heap;
    std::vector<TermName> outside;
    for (const SymbolicBlock& block : blocks) {
        if (left_out.contains(block.root) || !(all || in_formulas(block))) {
            outside.push_back(block.root);
            continue;
        }
        Atom cell;
        cell.arguments = {block.root};
        for (const int r : records) show_as(block, r, program_->records[static_cast<std::size_t>(r)], cell);
        left.atoms.push_back(std::move(cell));
    }
    std::set<std::string> relevant = logic::free_names(right);
    SymbolicHeap spatial = left;
    spatial.pure.clear();
    relevant.merge(logic::free_names(spatial));
    relevant.insert(logic::null_name);
    for (std::size_t i = 0; i < outside.size(); ++i) {
        if (!relevant.contains(outside[i])) continue;
        Atom none;
        none.kind = Atom::Kind::none;
        none.arguments = {outside[i]};
        left.atoms.push_back(std::move(none));
        for (std::size_t j = 0; j < i; ++j)
            if (relevant.contains(outside[j])) left.pure.push_back({false, outside[i], outside[j]});
    }
    for (const std::string& name : relevant) { // a place inside a block is not NULL
        const SymbolicValue value = value_of(name);
        const int block = value.offset == 0 || !value.index.empty() ? -1 : block_at(value.term);
        if (block < 0) continue;
        const auto& size = blocks[static_cast<std::size_t>(block)].size;
        if (value.offset > 0 && size && value.offset < *size)
            left.pure.push_back({false, name, logic::null_name});
    }
    with_constants_apart(left);
    std::erase_if(left.pure,
                  [&](const Pure& p) { return !relevant.contains(p.left) || !relevant.contains(p.right); });
    return left;
}

int SymbolicState::likely_record(const SymbolicBlock& block) const {
    int best = -1;
    for (std::size_t r = 0; r < program_->records.size(); ++r) {
        const RecordType& record = program_->records[r];
        if (!block.size || record.size != *block.size) continue;
        if (best < 0 || (record.structure && !program_->records[static_cast<std::size_t>(best)].structure))
            best = static_cast<int>(r);
    }
    return best;
}

SymbolicHeap SymbolicState::described(const Names& names) const {
    SymbolicHeap shown = heap;
    for (Atom& atom : shown.atoms) atom.tag.clear();
    for (const SymbolicBlock& block : blocks) {
        if (!in_formulas(block)) continue;
        Atom cell;
        cell.arguments = {block.root};
        if (const int record = likely_record(block); record >= 0)
            for (const RecordType::Field& field : program_->records[static_cast<std::size_t>(record)].fields)
                if (const auto slot = block.slots.find(field.offset);
                    field.type.kind == Type::Kind::pointer && slot != block.slots.end() &&
                    !slot->second.value.empty())
                    cell.links.emplace_back(field.role, name_of_value(slot->second.value));
        shown.atoms.push_back(std::move(cell));
    }
    SymbolicHeap spatial = shown;
    spatial.pure.clear();
    Names shown_as{{logic::null_name, logic::null_name}};
    std::vector<Pure> equal;
    for (const bool old : {false, true})
        for (const auto& [name, term] : names) {
            if (term.empty() || name.starts_with("\\old") != old) continue;
            if (const auto [there, added] = shown_as.try_emplace(term, name); !added) {
                equal.push_back({true, name, there->second});
            } else if (is_number(term)) {
                equal.push_back({true, name, term});
            }
        }
    for (auto& [term, name] : shown_as)
        if (is_number(term)) name = term;
    std::set<std::string> there;
    for (const std::string& name : logic::free_names(spatial)) there.insert(name);
    for (const auto& [term, name] : shown_as) there.insert(term);
    std::erase_if(shown.pure,
                  [&](const Pure& p) { return !there.contains(p.left) || !there.contains(p.right); });
    std::set<std::string> taken;
    for (const auto& [name, term] : names) taken.insert(name);
    int next = 1;
    for (const std::string& term : logic::free_names(shown)) {
        if (shown_as.contains(term) || is_number(term)) continue;
        std::string name;
        do name = fmt::format("t{}", next++);
        while (taken.contains(name));
        shown_as[term] = name;
        shown.exists.push_back(name);
    }
    const std::vector<std::string> exists = std::exchange(shown.exists, {});
    shown_as.erase(logic::null_name);
    shown = logic::substitute(shown, shown_as);
    shown.exists = exists;
    shown.pure.insert(shown.pure.begin(), equal.begin(), equal.end());
    return shown;
}

Formula instantiate(const Formula& formula, const Names& names) {
    Formula result;
    for (const SymbolicHeap& heap : formula.heaps) result.heaps.push_back(logic::substitute(heap, names));
    return result;
}

std::string unsuited(const Formula& formula, const Names& names) {
    if (formula.heaps.empty()) return "the formula has no case";
    for (const std::string& name : logic::free_names(formula))
        if (!names.contains(name)) return fmt::format("'{}' is not known there", name);
    for (const SymbolicHeap& heap : formula.heaps)
        if (has_none(heap, false)) return "none(..) inside a nested structure is not supported";
    return "";
}

logic::Heap with_names(const logic::Heap& model, const Names& names) {
    logic::Heap heap;
    for (std::size_t n = 1; n < model.nodes.size(); ++n) heap.add_node(model.nodes[n].allocated);
    for (std::size_t n = 1; n < model.nodes.size(); ++n)
        for (const auto& [field, target] : model.nodes[n].links) {
            const std::string& name = model.fields[static_cast<std::size_t>(field)];
            const std::string plain = name.substr(0, name.find('#'));
            if (plain != "is") heap.link(static_cast<int>(n), plain, target);
        }
    std::map<TermName, int> added;
    for (const auto& [name, term] : names) {
        if (term.empty()) continue;
        int node = term == logic::null_name ? 0 : model.variable(term);
        if (node < 0 && is_number(term)) continue;
        if (node < 0) {
            const auto [there, fresh] = added.try_emplace(term, 0);
            if (fresh) there->second = heap.add_node(false);
            node = there->second;
        }
        heap.set_variable(name, node);
    }
    return heap;
}

} // namespace ggsnn::verify
