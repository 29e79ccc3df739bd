// Matrices of single-precision numbers as numpy reads them: format .npy, version 1.0, C order.
#pragma once

#include <cstdio>
#include <span>
#include <string>

namespace ggsnn {

// Used as NpyWriter out(path, width); out.add(rows); out.close(). Rows are written as they come. Without
// close() nothing that existed is replaced. Throws Error with the path where it cannot write.
class NpyWriter {
  public:
    NpyWriter(std::string path, int width);
    ~NpyWriter();
    NpyWriter(const NpyWriter&) = delete;
    NpyWriter& operator=(const NpyWriter&) = delete;

    void add(std::span<const float> numbers); // REQUIRES whole rows
    void close();
    long rows() const { return rows_; }

  private:
    void write(const void* bytes, std::size_t count);
    void write_header();
    [[noreturn]] void fail_writing() const;

    std::string path_, temporary_;
    int width_;
    long rows_ = 0;
    std::FILE* file_;
};

} // namespace ggsnn
