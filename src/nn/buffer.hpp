// Memory that is kept between uses: grows when asked for more than ever before, never shrinks, so a
// training loop allocates nothing once it has seen its largest batch.
#pragma once

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
            data_.reset(static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64})));
            capacity_ = n;
        }
        return data_.get();
    }
    T* zeroed(std::size_t n) {
        T* data = get(n);
        std::memset(static_cast<void*>(data), 0, n * sizeof(T));
        return data;
    }
    T* data() const { return data_.get(); }
    std::size_t capacity() const { return capacity_; }

  private:
    struct Free {
        void operator()(T* p) const { ::operator delete(p, std::align_val_t{64}); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t capacity_ = 0;
};

} // namespace ggsnn
