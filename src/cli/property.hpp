// --property: what verify judges, in words or as a file of SV-COMP says it.
#pragma once

#include "ggsnn/verify/verify_file.hpp"

#include <set>
#include <string>

namespace ggsnn::cli {

struct Property {
    bool assertions = true; // are part of it
    bool asked = false;     // a result line is printed
    bool cleanup = false;   // all memory must be freed before the program ends
    // Of SV-COMP's that a file names: an error of another kind is no answer to it. Empty: any error counts.
    std::set<std::string> parts;
    std::string specification = "memory safety, and assertions that hold";
};

// all, memory, or a file with lines such as `CHECK( init(main()), LTL(G valid-deref) )`: of valid-deref,
// valid-free, valid-memtrack and valid-memcleanup any that are to be judged. Throws UsageError: no such file,
// or something in it that is not judged here.
Property property_of(const std::string& text);

// SV-COMP's line: true, false(valid-deref), unknown. report: FileResult::report.
std::string result_line(const Property& property, verify::FileOutcome outcome, const OrderedJson& report);

} // namespace ggsnn::cli
