#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocated = 0;

} // namespace

// Replaces the library's for this whole test program; the array and nothrow forms end here too.
void* operator new(std::size_t size) {
    allocated += size;
    if (void* room = std::malloc(size > 0 ? size : 1)) return room;
    throw std::bad_alloc();
}

void operator delete(void* room) noexcept {
    std::free(room);
}

void operator delete(void* room, std::size_t) noexcept {
    std::free(room);
}

namespace ggsnn::testing {

std::uint64_t bytes_allocated_by(const std::function<void()>& what) {
    const std::uint64_t before = allocated;
    what();
    return allocated - before;
}

} // namespace ggsnn::testing
