// Reads contracts in the notation of LIG-MM: Let, With, Require, Ensure. Annotations of loops are not read.
#pragma once

#include "ggsnn/verify/program.hpp"
#include "ggsnn/verify/read/scan.hpp"

#include <optional>

namespace ggsnn::verify {

// The function whose head ends before a word: its name and parameters. None: it has parameters that are not
// plain.
std::optional<WrittenContract> prototype_before(const Scan& scan, std::size_t following);

// Whether the annotation is one of them.
bool is_written_contract(const Annotation& annotation);

// Adds what it says to the program. What cannot be understood is a note, and no contract.
void read_written_contract(const Scan& scan, const Annotation& annotation, Program& program);

} // namespace ggsnn::verify
