// What a page shows of a verified program, as data: verdicts and where they hold, pictures of heaps, each
// step of the prediction, the proof's cases, the failing run line by line. docs/api.md has the keys.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/verify/verify.hpp"

namespace ggsnn::verify {

// REQUIRES a report made with VerifyOptions::trace. limits: of the run that is repeated for its film.
OrderedJson program_view(const Program& program, const ProgramReport& report, const InterpretLimits& limits);

// For people.
const char* condition_name(Condition::Kind kind);
std::string formula_text(const logic::Formula& formula);
// Of log probabilities: three digits, and never a minus before zeros.
std::string score_text(double score);

} // namespace ggsnn::verify
