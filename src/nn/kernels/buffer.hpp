// Memory that is kept between uses: grows when asked for more than ever before, never shrinks, so a
// training loop allocates nothing once it has seen its largest batch.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace ggsnn {

template <class T>
class Buffer {
  public:
    // At least n numbers, aligned to a cache line; content is unspecified. Earlier pointers become invalid
    // when it grows.
    T* get(std::size_t n) {
        if (n > capacity_) {
            data_.reset();
            data_.reset(static_cast<T*>(::operator new(n * sizeof(T), alignment(n))));
            data_.get_deleter().size = n;
            capacity_ = n;
            // Rows of a large graph are read in no order: with small pages most reads would miss the
            // processor's table of pages. A wish: it may be refused.
            if (alignment(n) == huge_page) ::madvise(data_.get(), n * sizeof(T), MADV_HUGEPAGE);
        }
        return data_.get();
    }
    T* zeroed(std::size_t n) {
        T* data = get(n);
        std::memset(static_cast<void*>(data), 0, n * sizeof(T));
        return data;
    }
    T* data() const { return data_.get(); }

  private:
    static constexpr std::align_val_t cache_line{64}, huge_page{std::size_t(1) << 21};
    static std::align_val_t alignment(std::size_t n) {
        return n * sizeof(T) >= 4 * static_cast<std::size_t>(huge_page) ? huge_page : cache_line;
    }
    struct Free {
        std::size_t size = 0;
        void operator()(T* p) const { ::operator delete(p, alignment(size)); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t capacity_ = 0;
};

} // namespace ggsnn
