// Reports of functions as JSON and back, exactly: what text and JSON are made of later, and what callers rely
// on. Left out is what only pages show: runs, conditions, candidates.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/verify/verify.hpp"

namespace ggsnn::verify {

OrderedJson formula_json(const logic::Formula& formula);
logic::Formula formula_from_json(const OrderedJson& json);

OrderedJson report_json(const FunctionReport& report);
// Throws what JSON throws, or Error, where it is no such report. Numbers of functions are left open.
FunctionReport report_from_json(const OrderedJson& json);

} // namespace ggsnn::verify
