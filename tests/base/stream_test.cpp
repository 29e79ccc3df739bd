// Lines of pipes: as soon as they are written, plain or gzipped, and what is done before more is waited for.
#include "ggsnn/base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <optional>

namespace ggsnn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string zipped(const std::string& content) {
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(compressBound(content.size()) + 64, '\0');
    z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(content.data()));
    z.avail_in = static_cast<unsigned>(content.size());
    z.next_out = reinterpret_cast<unsigned char*>(out.data());
    z.avail_out = static_cast<unsigned>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

class Pipe {
  public:
    Pipe() {
        if (::pipe(ends_) != 0) throw std::runtime_error("cannot make a pipe");
    }
    ~Pipe() {
        ::close(ends_[0]);
        end();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    std::string path() const { return "/dev/fd/" + std::to_string(ends_[0]); }
    void put(const std::string& text) const {
        ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void end() {
        if (ends_[1] >= 0) ::close(ends_[1]);
        ends_[1] = -1;
    }

  private:
    int ends_[2];
};

std::optional<std::string> next(LineReader& reader) {
    std::string_view line;
    return reader.next(line) ? std::optional(std::string(line)) : std::nullopt;
}

std::vector<std::string> all_lines(const std::string& content) {
    Pipe pipe;
    pipe.put(content);
    pipe.end();
    LineReader reader(pipe.path());
    EXPECT_TRUE(reader.is_stream());
    std::vector<std::string> lines;
    while (const auto line = next(reader)) lines.push_back(*line);
    return lines;
}

TEST(Stream, GivesALineBeforeTheNextIsWritten) {
    Pipe pipe;
    LineReader reader(pipe.path());
    int waits = 0;
    // What a writer does that waits for an answer: it writes on when it is asked to.
    const std::vector<std::string> parts = {"first\n", "sec", "ond\nthird\n", "last"};
    reader.before_wait([&] {
        if (waits < static_cast<int>(parts.size())) {
            pipe.put(parts[static_cast<std::size_t>(waits)]);
        } else {
            pipe.end();
        }
        ++waits;
    });
    EXPECT_EQ(next(reader), "first");
    EXPECT_EQ(waits, 1);
    EXPECT_EQ(next(reader), "second");
    EXPECT_EQ(waits, 3);
    EXPECT_EQ(next(reader), "third");
    EXPECT_EQ(waits, 3) << "what is there needs no waiting";
    EXPECT_EQ(next(reader), "last");
    EXPECT_EQ(next(reader), std::nullopt);
    EXPECT_EQ(reader.line(), 4);
}

TEST(Stream, UnzipsWhatIsGzipped) {
    EXPECT_THAT(all_lines(zipped("one\ntwo\n")), ElementsAre("one", "two"));
    EXPECT_THAT(all_lines(zipped("one\n") + zipped("two")), ElementsAre("one", "two"));
    EXPECT_THAT(all_lines(zipped("")), ElementsAre());
    EXPECT_THAT(all_lines(""), ElementsAre());
    EXPECT_THAT(all_lines("\x1f"), ElementsAre("\x1f")) << "one byte of gzip's two";
    EXPECT_THAT(all_lines("\x1fx\n"), ElementsAre("\x1fx"));
    std::string text;
    for (int i = 0; i < 9000; ++i) text += std::to_string(i) + "\n";
    EXPECT_EQ(all_lines(zipped(text)).size(), 9000u);
}

TEST(Stream, WhatIsCutOrDamagedIsOneErrorAndTheEnd) {
    std::string text;
    for (int i = 0; i < 3000; ++i) text += std::to_string(i * 7919 % 3001) + "\n";
    const std::string whole = zipped(text);
    std::string damaged = whole;
    damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 0x55); // in the checksum
    const std::vector<std::pair<std::string, std::string>> cases = {
        {whole.substr(0, 5), "ends too early"},
        {whole.substr(0, whole.size() / 2), "ends too early"},
        {whole.substr(0, whole.size() - 1), "ends too early"},
        {damaged, "cannot read: incorrect data check"}};
    for (const auto& [bytes, message] : cases) {
        Pipe pipe;
        pipe.put(bytes);
        pipe.end();
        LineReader reader(pipe.path());
        try {
            while (next(reader)) {
            }
            ADD_FAILURE() << "no error: " << message;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(message));
        }
        EXPECT_EQ(next(reader), std::nullopt) << "told once";
    }
}

} // namespace
} // namespace ggsnn
