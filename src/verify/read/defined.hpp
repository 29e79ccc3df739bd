// Contracts with predicates of one's own: `//@ define p(x, ..) := F`, in the notation of
// logic/statements.hpp, and the `requires` and `ensures` that use them. They become written contracts
// (assertion.hpp), as those of other verifiers do.
#pragma once

#include "ggsnn/verify/read/clause.hpp"
#include "ggsnn/verify/read/foreign.hpp"

#include <vector>

namespace ggsnn::verify {

// The definitions of a file, added to the program. Throws Error where a mistake stands.
class Defined {
  public:
    Defined(const std::vector<Clause>& clauses, Program& program);

    // Whether these clauses of one function use a definition or an integer: then contract() is to be called.
    bool uses(const std::vector<const Clause*>& clauses) const;

    // Adds the contract of a function, whose head is in `prototype`.
    void contract(const std::vector<const Clause*>& clauses, WrittenContract prototype);

  private:
    std::vector<const Clause*> definitions_;
    Program& program_;
};

} // namespace ggsnn::verify
