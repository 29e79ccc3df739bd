#include "verify/interpret_state.hpp"

namespace ggsnn::verify {

std::vector<bool> State::reached(const std::vector<Value>& from) const {
    std::vector<bool> marked(cells.size(), false);
    std::vector<int> waiting;
    const auto meet = [&](const Value& value) {
        if (value.kind != Value::Kind::pointer || value.cell == 0) return;
        const auto at = static_cast<std::size_t>(value.cell);
        if (marked[at] || cells[at].state != Cell::State::live) return;
        marked[at] = true;
        waiting.push_back(value.cell);
    };
    for (const Value& value : from) meet(value);
    while (!waiting.empty()) {
        const auto at = static_cast<std::size_t>(waiting.back());
        waiting.pop_back();
        for (const Value& value : cells[at].fields) meet(value);
    }
    return marked;
}

int Picture::node(int cell) {
    if (cell == 0) return 0;
    nodes_.resize(state_.cells.size(), -1);
    int& number = nodes_[static_cast<std::size_t>(cell)];
    if (number >= 0) return number;
    const bool live = state_.cells[static_cast<std::size_t>(cell)].state == Cell::State::live && shown_(cell);
    number = heap_.add_node(live);
    order_.push_back(cell);
    return number;
}

bool Picture::name(const std::string& name, const Value& value) {
    if (value.kind != Value::Kind::pointer) return false;
    if (value.cell != 0 && state_.cells[static_cast<std::size_t>(value.cell)].state == Cell::State::freed)
        return false;
    heap_.set_variable(name, node(value.cell));
    return true;
}

logic::Heap Picture::finish() {
    // What the variables lead to first, in breadth, then the rest.
    std::size_t done = 0;
    const auto follow = [&] {
        for (; done < order_.size(); ++done) {
            const int cell = order_[done];
            const Cell& c = state_.cells[static_cast<std::size_t>(cell)];
            if (c.state != Cell::State::live || !shown_(cell)) continue;
            const auto& fields = state_.program.records[static_cast<std::size_t>(c.record)].fields;
            for (std::size_t f = 0; f < fields.size(); ++f)
                if (fields[f].type.kind == Type::Kind::pointer && c.fields[f].kind == Value::Kind::pointer) {
                    const int target = node(c.fields[f].cell);
                    heap_.link(nodes_[static_cast<std::size_t>(cell)], fields[f].role, target);
                }
        }
    };
    follow();
    for (std::size_t cell = 1; cell < state_.cells.size(); ++cell) {
        if (state_.cells[cell].state != Cell::State::live || !shown_(static_cast<int>(cell))) continue;
        node(static_cast<int>(cell));
        follow();
    }
    return std::move(heap_);
}

} // namespace ggsnn::verify
