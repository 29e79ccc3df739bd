// Bytes of a pipe, a terminal or a socket as soon as they are there, unzipped where they are gzipped. (zlib's
// own reading of files waits until its buffer is full, which a co-process that waits for an answer never
// fills.)
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace ggsnn {

class ByteStream {
  public:
    // Takes the descriptor, and closes it in the end. before_wait is called whenever no byte is there yet and
    // reading has to wait for the writer; it may be empty.
    explicit ByteStream(int descriptor);
    ~ByteStream();
    ByteStream(const ByteStream&) = delete;
    ByteStream& operator=(const ByteStream&) = delete;

    // At least one byte and at most `room`, waiting for the first; 0 at the end; -1 on an error, which
    // error() tells.
    std::ptrdiff_t read(char* to, std::size_t room);
    const std::string& error() const { return error_; }

    std::function<void()> before_wait;

  private:
    struct Gzip;
    std::ptrdiff_t read_raw(char* to, std::size_t room);
    std::ptrdiff_t read_zipped(char* to, std::size_t room);
    std::ptrdiff_t look(char* to, std::size_t room);

    int descriptor_;
    bool known_ = false; // whether it is gzipped
    std::string error_;
    std::unique_ptr<Gzip> gzip_; // null: it is not
};

} // namespace ggsnn
