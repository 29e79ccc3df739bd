// What verify found, in the formats of other tools: SARIF 2.1 for editors and code hosts, witnesses of
// SV-COMP (YAML, format 2.0).
#pragma once

#include "ggsnn/cli/property.hpp"

#include <string>
#include <vector>

namespace ggsnn::cli {

// reports: FileResult::report of each file.
std::string sarif(const std::vector<OrderedJson>& reports);

// Of one file. program: its text. time: when it was made, as 2024-01-01T12:00:00Z. Empty: nothing is known.
std::string witness(const OrderedJson& report, verify::FileOutcome outcome, const std::string& path,
                    const std::string& program, const std::string& specification, const std::string& time);

} // namespace ggsnn::cli
