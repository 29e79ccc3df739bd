// Specifications: formulas in comments and in files of their own, parsed, checked for names, and attached to
// the functions and loops they speak of.
#pragma once

#include "verify/front_scan.hpp"
#include "verify/program.hpp"

#include <vector>

namespace ggsnn::verify {

// Where things stand in a file, by offset.
struct SpecSites {
    struct Declaration {
        std::size_t begin, end, body; // body: of a function that is defined here, else 0
        int function;                 // -1: not a function with a body in the program
    };
    struct Head {
        std::size_t begin, body;
        int function, loop; // loop -1: never reached
    };
    std::vector<Declaration> declarations; // in source order
    std::vector<Head> loops;
};

// Throws Error with file:line:column.
void read_annotations(const Scan& scan, const SpecSites& sites, Program& program);

} // namespace ggsnn::verify
