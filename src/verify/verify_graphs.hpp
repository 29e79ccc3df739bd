// Verdicts by memory graphs (graph/).
#pragma once

#include "ggsnn/verify/verify.hpp"

namespace ggsnn::verify {

// Of main, with everything that it calls. False: no verdict.
bool judge_on_graphs(const Program& program, int main, const VerifyOptions& options, const Deadline& deadline,
                     FunctionReport& report);

// Of a function under the precondition of its report, where others gave no verdict. True: proved.
bool judge_under(const Program& program, const VerifyOptions& options, const Deadline& deadline,
                 FunctionReport& report);

// Of functions with a written contract (assertion.hpp): under it, and calls by the contracts of others. Those
// that get a verdict are no longer wanted.
void judge_written(const Program& program, const VerifyOptions& options, const Deadline& deadline,
                   std::vector<char>& wanted, std::vector<FunctionReport>& reports);

} // namespace ggsnn::verify
