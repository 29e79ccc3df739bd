// C text of functions on lists and trees, in names and manners that are drawn once a program. Used by
// programs with a main (generate_lists.cpp) and by functions with contracts (generate_contracts.cpp).
//
// In the text, $N is the struct's type, $next, $prev, $left, $right and $v are its fields.
#pragma once

#include "writer.hpp"

namespace ggsnn::attack {

class ListText {
  public:
    enum class Layout { single, doubly, tree };

    ListText(Writer& writer, Layout layout, const std::string& suffix);

    // The struct, and a function `make` for a new cell with all links NULL.
    std::string declaration() const;
    std::string maker();

    // Each gives one function, called `name`, with `linkage` ("static " or "") before it. Singly linked:
    std::string build(const std::string& linkage, const std::string& name);   // (int n)
    std::string walk(const std::string& linkage, const std::string& name);    // (list) -> unsigned
    std::string reverse(const std::string& linkage, const std::string& name); // (list) -> list
    std::string append(const std::string& linkage, const std::string& name);  // (list, int) -> list
    std::string pop(const std::string& linkage, const std::string& name); // (list) -> list: without the first
    std::string remove(const std::string& linkage, const std::string& name);  // (list, int) -> list
    std::string find(const std::string& linkage, const std::string& name);    // (list, int) -> cell or NULL
    std::string concat(const std::string& linkage, const std::string& name);  // (list, list) -> list
    std::string copy(const std::string& linkage, const std::string& name);    // (list) -> list
    std::string dispose(const std::string& linkage, const std::string& name); // (list)
    // Doubly linked:
    std::string build_doubly(const std::string& linkage, const std::string& name);  // (int n)
    std::string walk_doubly(const std::string& linkage, const std::string& name);   // there and back
    std::string insert_doubly(const std::string& linkage, const std::string& name); // (list, int) -> list
    std::string unlink_doubly(const std::string& linkage, const std::string& name); // (list) -> list
    // Trees:
    std::string build_tree(const std::string& linkage, const std::string& name);  // (int depth)
    std::string insert_tree(const std::string& linkage, const std::string& name); // (tree, int) -> tree
    std::string walk_tree(const std::string& linkage, const std::string& name);   // (tree) -> unsigned
    std::string mirror_tree(const std::string& linkage, const std::string& name); // (tree)
    std::string search_tree(const std::string& linkage,
                            const std::string& name); // (tree, int) -> cell or NULL
    std::string dispose_tree(const std::string& linkage, const std::string& name); // (tree)

    // Text with the names put in.
    std::string named(std::string text) const;

  private:
    // `good`, or `bad` where the slip is made.
    std::string either(const char* what, const std::string& good, const std::string& bad) {
        return w.slip(what) ? bad : good;
    }
    std::string null() { return w.one_of({"NULL", "0", "NULL"}); }
    std::string size();

    Writer& w;
    Layout layout_;
    std::string type_, next_, prev_, left_, right_, value_;
    bool value_first_;
};

} // namespace ggsnn::attack
