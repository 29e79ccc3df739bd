// A memory graph: what is known at a point of a program on some of its paths.
//
// Objects are blocks of memory (globals, locals, blocks from the heap) with values at offsets. An object may
// stand for many: a list segment is any number of nodes (`least` or more), each linked to the next by the
// field at `next`, and back by the one at `prev` if there is one; links lead to offset `head` of a node
// (Linux lists point into the middle). What every node has of its own, numbers and further objects, are
// symbols and objects of a higher level, one copy for each node. An optional object is there, or is not: then
// its address is NULL. A tree is a node whose links at `kids` lead to NULL or to further trees, each on its
// own, and whose link at `prev`, if there is one, leads to the node above; empty, its address is NULL. A list
// with `kids` is a way down a tree: each of its nodes leads on by one of these links, whichever, and has
// trees of its own by the others. The nodes of a list may be of several sorts, each with a size, numbers and
// objects of its own; the list knows which sort may stand first, last, and behind which.
//
// Every live block of a concrete memory that the graph describes is covered by exactly one object. Equal
// symbols are equal values; different objects are different blocks.
#pragma once

#include "ggsnn/verify/graph/table.hpp"
#include "ggsnn/verify/graph/value.hpp"
#include "ggsnn/verify/program.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ggsnn::verify::graph {

struct Field {
    int bytes = 0;
    Value value;
    bool operator==(const Field&) const = default;
};

using Fields = std::map<std::int64_t, Field>;

// Bytes from .. to, ascending.
using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

struct Object {
    enum class Kind : std::uint8_t { heap, local, global, place }; // place: of the library, may be written
    enum class Form : std::uint8_t { block, list, optional, tree };
    enum class Rest : std::uint8_t { any, zero }; // what bytes without a field hold
    // What nodes of one sort are, beside their links.
    struct Sort {
        Value size;
        Rest rest = Rest::any;
        Fields fields;
        unsigned after = 0; // sorts, as bits, of the node that comes next
    };
    Kind kind = Kind::heap;
    Form form = Form::block;
    Rest rest = Rest::any;
    bool live = true;
    bool constant = false;
    bool given = false; // by the caller: that nothing leads to it any more is no leak of the function
    int level = 0;
    int number = -1; // global: Program::globals; local: Function::objects
    Value size;      // in bytes
    Ranges owned;    // what may be read and written; empty: all of it
    Fields fields;
    // list, tree:
    std::int64_t next = -1, prev = -1, head = 0; // prev -1: none; tree: no next, head 0
    int least = 0;                               // tree: 0 or 1
    // tree: ascending. list: none, or the links down, where the one that is taken stands at kids[0], which is
    // `next`, and the others behind it, in order.
    std::vector<std::int64_t> kids;
    // list: none, or those that there are; `fields` are the links alone then, `size` the least of the sizes.
    std::vector<Sort> sorts;
    unsigned firsts = 0, lasts = 0; // sorts, as bits, of the first and of the last node
    // Times, counted in objects made: no block that was made before another one died is at its address.
    int born = 0, died = 0;
    Position made; // for people

    bool is_list() const { return form == Form::list; }
    bool is_tree() const { return form == Form::tree; }
    bool is_many() const { return is_list() || is_tree(); }
    bool may_be_absent() const { return form == Form::optional || (is_many() && least == 0); }
    bool doubly() const { return prev >= 0; }
    bool same_links(const Object& o) const {
        return next == o.next && prev == o.prev && head == o.head && kids == o.kids;
    }
};

// Whether these bytes may be read and written, as far as `owned` says.
bool owns(const Object& object, std::int64_t offset, std::int64_t bytes);

struct Symbol {
    Interval range;
    std::set<std::int64_t> never; // values it does not have, inside of the range
    int level = 0;
    bool operator==(const Symbol&) const = default;
};

struct Comparison {
    Operator op = Operator::equal;
    Value a, b;
    int bits = 0;
};

struct Frame {
    int function = -1, block = 0;
    std::size_t next = 0;         // instruction
    std::vector<Value> variables; // by variable of the function
    std::vector<int> objects;     // by object of the function: object here, -1: none now
    std::vector<int> made;        // all blocks of the frame
    bool operator==(const Frame&) const = default;
};

class State {
  public:
    std::vector<Frame> frames; // outermost first
    std::vector<int> globals;  // object of each global
    std::vector<Value> draws;  // numbers of the library in order of time, where errors are looked for
    int pointer_bytes = 8;
    bool arrived = false; // has just come to its block by a jump or a call: nothing of it was run

    // ---- objects
    using Objects = Table<std::shared_ptr<Object>>;
    const Objects& objects() const { return objects_; }
    bool has(int object) const { return objects_.contains(object); }
    const Object& at(int object) const { return *objects_.at(object); }
    Object& edit(int object);
    int add(Object object);
    void remove(int object) { objects_.erase(object); }
    void kill(int object); // its memory is given back; addresses of it dangle

    // ---- symbols
    int fresh(const Interval& range, int level = 0);
    Value fresh_value(const Interval& range) { return Value::of_symbol(fresh(range)); }
    Value fresh_bits(int bits) { return fresh_value(Interval::of_bits(bits)); }
    const Symbol& symbol(int s) const { return symbols_.at(s); }
    Symbol& edit_symbol(int s) { return symbols_.at(s); }
    const Table<Symbol>& symbols() const { return symbols_; }
    std::map<int, Comparison> comparisons;     // symbols of one bit that stand for a comparison
    Interval range(const Value& number) const; // REQUIRES base number
    int level(const Value& value) const;       // of its symbol; 0 without one

    // ---- facts. Each returns false if no memory is left that satisfies it.
    bool restrict_range(int symbol, const Interval& range);
    bool exclude(int symbol, std::int64_t number);
    void replace_symbol(int symbol, const Value& by); // everywhere

    // ---- all values
    // Each with the object that holds it (-1: a variable).
    void for_each_value(const std::function<void(const Value&, int holder, std::int64_t offset)>& see) const;
    void change_values(const std::function<bool(Value&)>& change); // true: it was changed
    void replace_object(const std::function<bool(Value&)>& change, int object);
    // Forgets symbols that nothing mentions.
    void collect_symbols();

    // ---- memory of one object (memory.cpp). REQUIRES that the bytes lie inside, and no list.
    Value load(int object, std::int64_t offset, int bytes);
    Value peek(int object, std::int64_t offset, int bytes) const; // nothing: not known
    void store(int object, std::int64_t offset, int bytes, const Value& value);
    // Any of these bytes may have changed.
    void smudge(int object, std::int64_t from, std::int64_t to);
    void zero(int object, std::int64_t from, std::int64_t to);
    void copy(int from, std::int64_t from_offset, int to, std::int64_t to_offset, std::int64_t bytes);

    // ---- lists and trees (lists.cpp)
    // The states in which the node of this place is a block of its own; those without a node included.
    std::vector<State> opened(int object, Place place) const;
    // as_block: a block with the contents of a node of the list or tree, and with a copy of everything that
    // each node has. Otherwise another such list or tree. sort: of the node, where there are several.
    int copy_node(int object, bool as_block, int sort = -1);
    // Takes away the sorts that no way from a first node to a last one comes by. False: there is no way.
    bool prune_sorts(int object);
    // A list of one node, and of one sort, is a block.
    void make_single(int object);
    // The list or tree has no node, the optional object is not there.
    void vanish(int object);

    // Live blocks from the heap that no variable and no global leads to, over any number of links.
    std::vector<int> lost() const;
    std::vector<int> live_blocks() const; // from the heap, lists and the like among them
    std::set<int> reachable() const;

    std::string text(const Program& program) const; // for people and tests

  private:
    std::vector<State> opened_tree(int object) const;
    std::vector<State> opened_sorts(int object, Place place) const;
    void cut(int object, std::int64_t from, std::int64_t to);

    Objects objects_;
    Table<Symbol> symbols_;
    int next_object_ = 0, next_symbol_ = 0;
};

// The fields of a node of a way down a tree: as a list has them (see Object::kids), and as the node has them
// that leads on at `taken`.
void straighten(std::map<std::int64_t, Field>& fields, const std::vector<std::int64_t>& kids,
                std::int64_t taken);
void turn(std::map<std::int64_t, Field>& fields, const std::vector<std::int64_t>& kids, std::int64_t taken);

// a + b and a * n where the result has such a form and cannot leave 64 bits; nothing otherwise.
Value plus(const Value& a, const Value& b);
Value plus(const Value& a, std::int64_t n);
Value times(const Value& a, std::int64_t n);

} // namespace ggsnn::verify::graph
