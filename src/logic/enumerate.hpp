// All shape formulas over given variables (the paper's section 5, 'Data'), in a fixed order, and their fixed
// split. The paper's own enumeration is not published; many rules give its 327 formulas. Here:
//   * each variable is `none`, `tree`, or a list to NULL or to any name (also its own: a cycle);
//   * at most one existential t, which two lists end at, or one and its own cycle; it is `none` or a list to
//   NULL,
//     to itself or to a variable;
//   * no list ends at the root of a tree; no cycle passes two names or more (unless asked); not all are
//   `none`.
// Over x, y, z this gives 162 formulas without and 165 with an existential. Nested formulas give every list
// and tree one of five bodies: nothing, ls(t,NULL), ls(t,t), tree(t), exists e. ls(t,e) * ls(e,e).
#pragma once

#include "ggsnn/logic/formula.hpp"

#include <string>
#include <vector>

namespace ggsnn::logic {

struct ShapeSpace {
    std::vector<std::string> variables{"x", "y", "z"};
    bool cycles = false; // through two or more names
    bool nested = false;
};

// All atoms are strict (Reading::shape). Flat formulas come first among nested ones.
std::vector<Formula> enumerate_shapes(const ShapeSpace& space);

// The wide space: all predicates of the table. Over the variables, and at most one existential as above:
//   * each variable is `none`, a tree with or without `parent`, such a tree with a hole at another variable
//   that
//     is such a tree, or a list, or a doubly-linked list, to NULL or to a name (its own: a ring);
//   * one doubly-linked list or tree at the most ends at a name, and what stands there leads back to it: the
//     names of last cells and of parents of holes are existentials of their own;
//   * doubly-linked lists end at doubly-linked ones, or where nothing is; lists at lists of both kinds;
//   * cycles may pass several variables; not all are `none`.
// Nested: every list and tree (without links back) has one of eight bodies, of all kinds.
std::vector<Formula> enumerate_wide(const std::vector<std::string>& variables, bool nested);

// Every way to give the structures of a flat formula bodies, of those that may have one; all empty first.
void with_bodies(const Formula& flat, const std::vector<std::shared_ptr<const Lambda>>& kinds,
                 std::vector<Formula>& out);

enum class Part { train, valid, test };
const char* name_of(Part part);

// Train, validation and test 6:2:2, by formula: a fixed shuffle of all formulas of a space, whatever is drawn
// from them later, so that the test formulas of a trained model stay unseen. Most of them are seen up to
// names: of 65 flat test formulas, 61 become training formulas when variables are renamed.
std::vector<Part> split_shapes(std::size_t count);

// A text that formulas share if and only if they differ in nothing but names of variables (and in what
// canonical() leaves out). REQUIRES at most 6 variables.
std::string renaming_class(const Formula& formula);

// By formula, as above, or by renaming class: 6:2:2 of the classes, each with all of its formulas in one
// part.
enum class SplitBy { formula, renaming };
std::vector<Part> split_shapes(const std::vector<Formula>& formulas, SplitBy split);

// `count` of the formulas (all, if fewer), as numbers in increasing order: as many from each stratum (number
// of structures, with and without existential, number of nested bodies) as its share, and from each part of
// the split likewise; the same ones always. Formulas in `include` are among them.
std::vector<std::size_t> sample_shapes(const std::vector<Formula>& formulas, std::size_t count,
                                       const std::vector<std::size_t>& include,
                                       SplitBy split = SplitBy::formula);

// The formula of the paper's figure 3, over the two given variables.
Formula figure_three(const std::string& first, const std::string& second);

} // namespace ggsnn::logic
