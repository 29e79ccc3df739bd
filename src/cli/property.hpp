// --property: what verify judges, in words or as a file of SV-COMP says it.
#pragma once

#include "ggsnn/verify/verify_file.hpp"

#include <string>

namespace ggsnn::cli {

struct Property {
    bool assertions = true; // are part of it
    bool asked = false;     // a result line is printed
    std::string specification = "memory safety, and assertions that hold";
};

// all, memory, or a file with lines such as `CHECK( init(main()), LTL(G valid-deref) )`. Throws UsageError:
// no such file, or something in it that is not judged here.
Property property_of(const std::string& text);

// SV-COMP's line: true, false(valid-deref), unknown. report: FileResult::report.
std::string result_line(verify::FileOutcome outcome, const OrderedJson& report);

} // namespace ggsnn::cli
