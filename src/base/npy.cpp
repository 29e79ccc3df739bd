#include "ggsnn/base/npy.hpp"

#include "ggsnn/base/error.hpp"

#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace ggsnn {

namespace {

// Room for any number of rows, so that the header can be written again when that is known; the data begins at
// a multiple of 64, as the format asks.
constexpr std::size_t header_bytes = 128;
constexpr std::string_view npy_magic("\x93NUMPY\x01\x00", 8);

} // namespace

NpyWriter::NpyWriter(std::string path, int width)
    : path_(std::move(path)),
      temporary_(fmt::format("{}.{}.tmp", path_, ::getpid())),
      width_(width),
      file_(std::fopen(temporary_.c_str(), "wb")) {
    static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");
    if (file_ == nullptr) fail_writing();
    write_header();
}

NpyWriter::~NpyWriter() {
    if (file_ == nullptr) return;
    std::fclose(file_);
    ::unlink(temporary_.c_str());
}

void NpyWriter::fail_writing() const {
    fail("{}: cannot write: {}", path_, std::strerror(errno));
}

void NpyWriter::write(const void* bytes, std::size_t count) {
    if (count > 0 && std::fwrite(bytes, 1, count, file_) != count) fail_writing();
}

void NpyWriter::write_header() {
    std::string text =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows_, width_);
    const std::size_t length = header_bytes - npy_magic.size() - 2;
    text.resize(length - 1, ' ');
    text += '\n';
    write(npy_magic.data(), npy_magic.size());
    const unsigned char size[2] = {length & 0xff, length >> 8};
    write(size, 2);
    write(text.data(), text.size());
}

void NpyWriter::add(std::span<const float> numbers) {
    GGSNN_ASSERT(numbers.size() % static_cast<std::size_t>(width_) == 0);
    write(numbers.data(), numbers.size_bytes());
    rows_ += static_cast<long>(numbers.size()) / width_;
}

void NpyWriter::close() {
    if (std::fseek(file_, 0, SEEK_SET) != 0) fail_writing();
    write_header();
    if (std::fflush(file_) != 0 || ::fsync(::fileno(file_)) != 0) fail_writing();
    std::FILE* file = std::exchange(file_, nullptr);
    if (std::fclose(file) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const int code = errno;
        ::unlink(temporary_.c_str());
        errno = code;
        fail_writing();
    }
}

} // namespace ggsnn
