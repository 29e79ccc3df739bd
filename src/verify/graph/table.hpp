// Things by ascending numbers, in one piece of memory: states are copied more often than changed.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace ggsnn::verify::graph {

template <class T>
class Table {
  public:
    using Entries = std::vector<std::pair<int, T>>;

    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }
    auto begin() { return entries_.begin(); }
    auto end() { return entries_.end(); }
    std::size_t size() const { return entries_.size(); }

    bool contains(int number) const {
        const auto at = find(number);
        return at != entries_.end() && at->first == number;
    }
    // REQUIRES contains(number).
    const T& at(int number) const { return find(number)->second; }
    T& at(int number) { return const_cast<T&>(std::as_const(*this).at(number)); }
    // REQUIRES a number larger than all.
    void append(int number, T thing) { entries_.emplace_back(number, std::move(thing)); }
    void erase(int number) {
        if (contains(number)) entries_.erase(find(number));
    }
    template <class Condition>
    void erase_if(Condition condition) {
        std::erase_if(entries_, condition);
    }

  private:
    auto find(int number) const {
        return std::lower_bound(entries_.begin(), entries_.end(), number,
                                [](const auto& entry, int n) { return entry.first < n; });
    }

    Entries entries_;
};

} // namespace ggsnn::verify::graph
