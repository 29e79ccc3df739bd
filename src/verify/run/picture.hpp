// How memory looks as a heap of the logic: a graph of cells with links by role.
//
// A pointer variable is a name. An object (a local or global that lives in memory) that holds a pointer is a
// name for what it holds; one that is a struct is a name `object.field` for each of its pointers, unless its
// record has a field that leads to its own kind: then it is a cell like those of the heap (the head node of a
// list), and its name leads there.
//
// Cells are blocks of the heap, such objects, and locals of callers that a pointer leads to. Which record a
// cell has is told by the pointers that lead to it: by the type of the variable or field, if the size fits. A
// cell that nobody tells the record of has no links. A block of no record's size that a name leads to, an
// array or a text, is none of the heap's: formulas do not speak of it. Addresses that are no cell's beginning
// are nodes without a cell, one for each address.
#pragma once

#include "ggsnn/logic/heap.hpp"
#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/run/memory.hpp"

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ggsnn::verify {

// Whether some field of the record leads to the record itself.
bool leads_to_itself(const Program& program, int record);

class Picture {
  public:
    // shown: which blocks belong to it.
    Picture(const Program& program, const Memory& memory, std::function<bool(int)> shown)
        : program_(program), memory_(memory), shown_(std::move(shown)) {}

    // A later one of the same name hides the earlier.
    void name(const std::string& name, const Value& value, const Type& type);
    void object(const Object& object, int block);
    // dead: gets the names that are not shown: freed, or without a value.
    logic::Heap finish(std::vector<std::string>* dead = nullptr);
    // After that: the block of each node, by which cells are known from one picture to the next; 0: none.
    std::vector<int> blocks() const;

  private:
    struct Named {
        std::string name;
        Value value;
        int record = -1;
    };

    const RecordType& record(int r) const { return program_.records[static_cast<std::size_t>(r)]; }
    bool in_heap(int block) const;
    bool is_cell(int block) const;
    bool some_record_has(std::int64_t size) const;
    void tell(const Value& value, int record);
    void tell_records();
    bool dead(const Value& value) const;
    int node(const Value& value);
    int node_of(int block);
    void follow();

    const Program& program_;
    const Memory& memory_;
    std::function<bool(int)> shown_;
    std::vector<Named> names_;
    std::map<int, int> record_; // by block
    std::map<int, bool> flat_;  // objects that are shown by names of what they hold
    std::map<int, bool> outside_;
    std::vector<int> told_; // blocks whose record is known, in order
    std::map<int, int> nodes_;
    std::map<std::tuple<int, int, std::int64_t>, int> addresses_;
    std::vector<int> order_;
    std::size_t followed_ = 0;
    logic::Heap heap_;
};

} // namespace ggsnn::verify
