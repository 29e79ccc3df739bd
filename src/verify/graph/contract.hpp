// Written contracts on memory graphs: what a precondition gives is added to a graph, what a condition demands
// is looked for in one and taken out. Predicates are understood if their definition says a list, singly or
// doubly linked, whole or a segment; others are not, and a contract that needs them is told so.
#pragma once

#include "ggsnn/verify/graph/state.hpp"

#include <map>
#include <optional>
#include <string>

namespace ggsnn::verify::graph {

// A predicate that says: a list from `first` on.
struct ListShape {
    int record = -1;
    std::int64_t size = 0, next = -1, prev = -1;
    Ranges owned;                                     // empty: all of a node
    int first = -1, before = -1, last = -1, end = -1; // parameters; -1: none (end: NULL)
};

// What the names of an assertion stand for: numbers of variables of the top frame, behind its own.
struct Slots {
    std::map<std::string, std::size_t> slot;
    std::set<std::string> open; // not given a value yet
};

enum class Taken { yes, no, split }; // split: the graph must be opened there first

class ContractBook {
  public:
    explicit ContractBook(const Program& program);

    const WrittenContract* of(const std::string& function) const;

    // Adds what the case says. False: it is not understood (see trouble). impossible: no memory satisfies it.
    bool give(State& state, const AssertionCase& one, const WrittenContract& contract, Slots& slots,
              bool& impossible);

    // Takes what the case demands out of the graph: objects go to `taken`. Opens slots as it finds values.
    Taken take(State& state, const AssertionCase& one, const WrittenContract& contract, Slots& slots,
               std::set<int>& taken, Value& open_at);

    const std::string& trouble() const { return trouble_; }

    // Names that the postcondition mentions.
    static std::set<std::string> names_in(const Assertion& assertion);

  private:
    class Giving;
    class Taking;
    const Definition* definition(const std::string& name) const;
    const ListShape* shape(const std::string& predicate);
    std::optional<ListShape> recognise(const Definition& definition) const;
    // The record with these fields; -1 if there is none, or several.
    int record_with(const std::set<std::string>& fields) const;
    Ranges ranges_of(int record, const std::set<std::string>& fields) const;

    const Program& program_;
    std::map<std::string, std::optional<ListShape>> shapes_;
    std::string trouble_;
};

} // namespace ggsnn::verify::graph
