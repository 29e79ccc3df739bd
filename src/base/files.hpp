// Reading and writing files. A text file is read line by line with its line number, gzipped or plain,
// in bounded memory. A file is replaced as a whole or not at all.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/stream.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

// Reads lines of a text file, plain or gzipped ("-" is standard input). A trailing carriage return is
// dropped. Lines of a pipe or a terminal are given as soon as they are written. Not thread-safe.
class LineReader {
  public:
    // Throws Error when the file cannot be opened or is a folder.
    explicit LineReader(std::string path);
    ~LineReader();
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;

    // The view stays valid until the next call. False at the end of the file. Throws Error on a read
    // error, a truncated gzip stream, or a line longer than max_line_bytes; behind that, the file has ended.
    bool next(std::string_view& line);

    // The first line that is not blank, without taking anything: the next call of next() gives the first
    // line. REQUIRES that next() was not called yet. False if there is none.
    bool peek(std::string_view& line);

    // The first bytes, as many as asked for or as there are, without taking anything. REQUIRES that next()
    // was not called yet. The view stays valid until the next call of any function.
    std::string_view peek_bytes(std::size_t count);

    // Whether lines come from a pipe or a terminal, whose writer may wait for what is made of them; and what
    // to do before waiting for that writer.
    bool is_stream() const { return stream_ != nullptr; }
    void before_wait(std::function<void()> action);

    // Where the line last returned stands.
    Place place() const { return {path_, line_}; }
    long line() const { return line_; }
    const std::string& path() const { return path_; }

    static constexpr std::size_t max_line_bytes = std::size_t{1} << 30;

  private:
    bool fill();
    [[noreturn]] void fail_reading(const std::string& why);

    std::string path_;
    void* file_ = nullptr;               // of zlib, unless it is a stream
    std::unique_ptr<ByteStream> stream_; // otherwise null
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    long line_ = 0;
    bool at_end_ = false;
};

// The whole of a file as bytes. Throws Error when it cannot be read or has more than max_bytes.
std::string read_file(const std::string& path, std::uint64_t max_bytes = std::uint64_t{1} << 40);

// Writes a file so that at any moment, through any crash, path holds either its old content or all of
// the new: a temporary file beside it is written, synced, and renamed. Throws Error (no space left,
// no permission) with the old content untouched and no temporary left. What a killed process left of an
// earlier try is removed. A symbolic link stays one; a device or pipe is written in place.
void write_file(const std::string& path, std::string_view content);

// Writes text to path, gzipped if it ends in .gz; "-" is standard output. Used as
//   TextWriter out(path); out.write(...); out.close();
// Without close() (an exception on the way) nothing that existed is replaced.
class TextWriter {
  public:
    explicit TextWriter(std::string path);
    ~TextWriter();
    TextWriter(const TextWriter&) = delete;
    TextWriter& operator=(const TextWriter&) = delete;

    void write(std::string_view text);
    void close();

  private:
    std::string path_, destination_, temporary_; // temporary_ is empty when written in place
    void* file_ = nullptr;
    int lock_ = -1; // the temporary, held until it is renamed
};

} // namespace ggsnn
