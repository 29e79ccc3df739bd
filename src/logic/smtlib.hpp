// The reader of SL-COMP's dialect of SMT-LIB: declare-sort, declare-datatypes, declare-heap, define-fun-rec,
// define-funs-rec, declare-const, assert, check-sat, with sep, pto, (as nil S), (_ emp S T), and, or, not,
// =, distinct, exists.
//
// A file is one problem, that of its last (check-sat); assertions after it are ignored. Positive assertions
// form the left side, assertions (not F) the right side: the file is unsatisfiable iff left |- right.
// Definitions are taken as they stand (definitions.hpp); which of them are list segments, doubly linked,
// nested or trees is found from their rules. A rule or a conjunction of equalities without any spatial part
// counts as `emp` in a definition, and leaves the heap open in an assertion.
#pragma once

#include "ggsnn/logic/definitions.hpp"
#include "ggsnn/logic/prover.hpp"

#include <string>
#include <string_view>

namespace ggsnn::logic {

// Whether a text is meant as SMT-LIB: it has a command of it.
bool is_smtlib(std::string_view text);

struct SmtProblem {
    Problem problem;
    std::string status;      // :status of the file: sat, unsat, unknown or empty
    std::string unsupported; // why the file is outside what is understood; empty if it is inside
    double seconds = 0;      // processor time of reading
};

// Throws SyntaxError (line, column, what was found and expected) for what is not well-formed: brackets,
// unknown symbols, wrong numbers of arguments, no (check-sat).
// A file that cannot be read within the limits is `unsupported`, with the limit as the reason.
SmtProblem read_smtlib(std::string_view text, const ProverLimits& limits = {});

// Validity::valid is `unsat`, invalid is `sat`. The time of reading counts.
Answer solve(const SmtProblem& problem, const ProverLimits& limits = {});
// The same, and where an entailment is `unsat` its proof (Answer::proof), if the time suffices for one.
Answer solve_with_proof(const SmtProblem& problem, const ProverLimits& limits = {});
const char* smt_word(Validity verdict);

} // namespace ggsnn::logic
