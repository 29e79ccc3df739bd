// Arrays of numpy's .npy files, versions 1 to 3: whole numbers, floating-point numbers and truth values,
// little-endian, in C or Fortran order. The header is checked against the size of the file before memory is
// taken for what it says.
#pragma once

#include "ggsnn/base/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn {

class Npy {
  public:
    // Reads the header. Throws Error if the file is none, or its size is not what the header says.
    explicit Npy(std::string path);

    const std::vector<std::size_t>& shape() const { return shape_; }
    std::string shape_text() const;                // "(3, 4)"
    bool is_whole() const { return type_ != 'f'; } // whole numbers or truth values
    bool is_truth() const { return type_ == 'b'; }
    std::size_t size() const; // of all entries

    // All entries, in C order: the last index runs fastest. whole() throws Error for numbers with fractions.
    std::vector<float> floats() const; // not always finite
    std::vector<std::int64_t> whole() const;

    const std::string& path() const { return path_; }

  private:
    void read_header(const std::string& text);
    template <class To>
    std::vector<To> read() const;

    std::string path_;
    std::vector<std::size_t> shape_;
    char type_ = 'f';        // f, i, u, b
    std::size_t width_ = 4;  // bytes of an entry
    std::size_t offset_ = 0; // where they begin
    bool fortran_ = false;
};

} // namespace ggsnn
