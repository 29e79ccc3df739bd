// How much memory a piece of code asks for, in all: a measure of work that no clock and no neighbour changes.
// What copies its input again and again shows as bytes that grow faster than the input.
#pragma once

#include <cstdint>
#include <functional>

namespace ggsnn::testing {

// Bytes that this thread gets from operator new while `what` runs, freed or not.
std::uint64_t bytes_allocated_by(const std::function<void()>& what);

} // namespace ggsnn::testing
