#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocated = 0;

} // namespace

// Replaces the library's for this whole test program. All forms in use stand here: a sanitizer has its own of
// those that are left out, and what one allocates the other must not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    allocated += size;
    return std::malloc(size > 0 ? size : 1);
}

void* operator new(std::size_t size) {
    if (void* room = operator new(size, std::nothrow)) return room;
    throw std::bad_alloc();
}

void* operator new[](std::size_t size) {
    return operator new(size);
}

void operator delete(void* room) noexcept {
    std::free(room);
}

void operator delete(void* room, std::size_t) noexcept {
    std::free(room);
}

void operator delete(void* room, const std::nothrow_t&) noexcept {
    std::free(room);
}

void operator delete[](void* room) noexcept {
    std::free(room);
}

void operator delete[](void* room, std::size_t) noexcept {
    std::free(room);
}

namespace ggsnn::testing {

std::uint64_t bytes_allocated_by(const std::function<void()>& what) {
    const std::uint64_t before = allocated;
    what();
    return allocated - before;
}

} // namespace ggsnn::testing
