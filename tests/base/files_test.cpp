// Lines of plain and gzipped files, and writing that keeps the old content until the new is complete.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>

#include <csignal>
#include <thread>

namespace ggsnn {
namespace {

using ::testing::ElementsAre;
using testing::Folder;
using ::testing::HasSubstr;

std::vector<std::string> read_lines(const std::string& path) {
    LineReader reader(path);
    std::vector<std::string> lines;
    for (std::string_view line; reader.next(line);) {
        lines.emplace_back(line);
        EXPECT_EQ(reader.line(), static_cast<long>(lines.size()));
    }
    std::string_view line;
    EXPECT_FALSE(reader.next(line)) << "the end stays the end";
    return lines;
}

std::vector<std::string> lines_of(const std::string& content) {
    const Folder folder;
    write_file(folder / "lines", content);
    return read_lines(folder / "lines");
}

std::string gzip(const std::string& content) {
    const Folder folder;
    TextWriter out(folder / "text.gz");
    out.write(content);
    out.close();
    return read_file(folder / "text.gz");
}

template <class Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

// Limits the size of files for as long as it lives: what a full disk does to a writer, for root as well.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        rlimit small = old_;
        small.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &small);
        old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~SmallDisk() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }

  private:
    rlimit old_{};
    void (*old_handler_)(int) = nullptr;
};

TEST(LineReader, FirstBytesAreSeenWithoutBeingTaken) {
    const Folder folder;
    const std::string text = "one\ntwo\n" + std::string(100000, 'x') + "\n";
    write_file(folder / "t", text);
    LineReader lines(folder / "t");
    EXPECT_EQ(lines.peek_bytes(5), "one\nt");
    EXPECT_EQ(lines.peek_bytes(90000), text.substr(0, 90000));
    EXPECT_EQ(lines.peek_bytes(1 << 20), text);
    std::string_view line;
    ASSERT_TRUE(lines.peek(line));
    EXPECT_EQ(line, "one");
    for (const std::string& expected : {std::string("one"), std::string("two"), std::string(100000, 'x')}) {
        ASSERT_TRUE(lines.next(line));
        EXPECT_EQ(line, expected);
    }
    EXPECT_FALSE(lines.next(line));
}

TEST(LineReader, PlainLines) {
    EXPECT_THAT(lines_of("one\ntwo\n\nfour\n"), ElementsAre("one", "two", "", "four"));
    EXPECT_THAT(lines_of("one\ntwo"), ElementsAre("one", "two"));
    EXPECT_THAT(lines_of("one\r\ntwo\r\n\r\nlast\r"), ElementsAre("one", "two", "", "last"));
    EXPECT_THAT(lines_of("a\rb\r\r\n"), ElementsAre("a\rb\r"));
    EXPECT_THAT(lines_of("\n"), ElementsAre(""));
    EXPECT_THAT(lines_of(""), ElementsAre());
    EXPECT_THAT(lines_of(std::string("a\0b\n", 4)), ElementsAre(std::string("a\0b", 3)));
}

TEST(LineReader, LinesAroundTheSizeOfItsBlocks) {
    for (const std::size_t size : {65534u, 65535u, 65536u, 65537u, 131072u, 3000000u}) {
        const std::string a(size, 'a'), b(size, 'b');
        EXPECT_TRUE((lines_of(a + "\n" + b + "\nend\n") == std::vector<std::string>{a, b, "end"})) << size;
        EXPECT_TRUE((lines_of("x\n" + a) == std::vector<std::string>{"x", a})) << size;
        EXPECT_TRUE((lines_of(a + "\r\n" + b) == std::vector<std::string>{a, b})) << size;
    }
}

TEST(LineReader, ManyLinesInSmallMemory) {
    std::string content;
    for (int i = 0; i < 200000; ++i) content += std::to_string(i) + "\n";
    const auto lines = lines_of(content);
    ASSERT_EQ(lines.size(), 200000u);
    for (int i = 0; i < 200000; ++i) ASSERT_EQ(lines[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST(LineReader, GzippedLines) {
    EXPECT_THAT(lines_of(gzip("one\ntwo\n")), ElementsAre("one", "two"));
    EXPECT_THAT(lines_of(gzip("one\n") + gzip("two")), ElementsAre("one", "two"))
        << "members follow one another";
    EXPECT_THAT(lines_of(gzip("")), ElementsAre());
}

TEST(LineReader, TruncatedGzipIsAnErrorWhereverItIsCut) {
    const Folder folder;
    std::string text;
    for (int i = 0; i < 3000; ++i) text += std::to_string(i * 7919 % 3001) + "\n";
    const std::string whole = gzip(text);
    for (const std::size_t keep :
         {std::size_t{5}, std::size_t{12}, whole.size() / 2, whole.size() - 9, whole.size() - 1}) {
        write_file(folder / "cut.gz", whole.substr(0, keep));
        const std::string what = message_of([&] { read_lines(folder / "cut.gz"); });
        EXPECT_THAT(what, HasSubstr("cut.gz:")) << keep;
        EXPECT_THAT(what, HasSubstr("the gzip stream ends too early")) << keep;
    }
}

TEST(LineReader, DamagedGzipIsAnError) {
    const Folder folder;
    std::string bytes = gzip(std::string(1000, 'x') + "\nsecond line\n");
    bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 0x55); // in the checksum
    write_file(folder / "bad.gz", bytes);
    EXPECT_THAT(message_of([&] { read_lines(folder / "bad.gz"); }), HasSubstr("bad.gz:1: cannot read: "));
}

TEST(LineReader, SaysWhatCannotBeOpened) {
    const Folder folder;
    EXPECT_EQ(message_of([&] { LineReader reader(folder / "none"); }),
              folder / "none" + ": cannot open: No such file or directory");
    EXPECT_EQ(message_of([&] { LineReader reader(folder.path()); }),
              folder.path() + ": is a folder; expected a file");
}

TEST(LineReader, PlaceIsThatOfTheLineLastRead) {
    const Folder folder;
    write_file(folder / "f", "a\nb\n");
    LineReader reader(folder / "f");
    std::string_view line;
    reader.next(line);
    reader.next(line);
    EXPECT_EQ(reader.place().text(), folder / "f" + ":2");
}

TEST(ReadFile, AllBytesOrAnError) {
    const Folder folder;
    const std::string bytes("a\0\r\n\xff", 5);
    write_file(folder / "f", bytes);
    EXPECT_EQ(read_file(folder / "f"), bytes);
    EXPECT_EQ(read_file(folder / "f", 5), bytes);
    EXPECT_THAT(message_of([&] { read_file(folder / "f", 4); }), HasSubstr("larger than 4 bytes"));
    EXPECT_THAT(message_of([&] { read_file(folder / "none"); }), HasSubstr("cannot open"));
    EXPECT_THAT(message_of([&] { read_file(folder.path()); }), HasSubstr("cannot read: Is a directory"));
}

TEST(WriteFile, ReplacesTheWholeFile) {
    const Folder folder;
    write_file(folder / "f", "a long old content");
    write_file(folder / "f", "new");
    EXPECT_EQ(read_file(folder / "f"), "new");
    EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, FullDiskLeavesTheOldContentAndNothingElse) {
    const Folder folder;
    write_file(folder / "f", "old");
    {
        const SmallDisk disk(1000);
        EXPECT_THAT(message_of([&] { write_file(folder / "f", std::string(5000, 'x')); }),
                    HasSubstr("f: cannot write: File too large"));
    }
    EXPECT_EQ(read_file(folder / "f"), "old");
    EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, PlacesThatCannotBeWritten) {
    const Folder folder;
    EXPECT_THAT(message_of([&] { write_file(folder / "none/f", "x"); }),
                HasSubstr("none/f: cannot write: No such file or directory"));
    std::filesystem::create_directory(folder / "inside");
    EXPECT_THAT(message_of([&] { write_file(folder / "inside", "x"); }), HasSubstr("inside: cannot write: "));
    EXPECT_EQ(folder.files(), 1) << "no temporary is left beside the folder";
    EXPECT_THAT(message_of([&] { write_file("/proc/none", "x"); }), HasSubstr("/proc/none: cannot write: "));
}

TEST(WriteFile, ReadOnlyFolderLeavesTheOldContent) {
    const Folder folder;
    write_file(folder / "f", "old");
    ::chmod(folder.path().c_str(), 0555);
    // Root may write everywhere, and becomes someone else for a moment.
    constexpr uid_t nobody = 65534;
    const uid_t user = ::geteuid();
    if (user == 0) {
        ASSERT_EQ(::seteuid(nobody), 0);
    }
    const std::string what = message_of([&] { write_file(folder / "f", "new"); });
    ASSERT_EQ(::seteuid(user), 0);
    EXPECT_THAT(what, HasSubstr("f: cannot write: Permission denied"));
    ::chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(read_file(folder / "f"), "old");
    EXPECT_EQ(folder.files(), 1);
}

bool is_device(const char* path) {
    struct stat status{};
    return ::stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

TEST(WriteFile, DevicesAreWrittenInPlace) {
    ASSERT_TRUE(is_device("/dev/null") && is_device("/dev/full"));
    // The device of a test run as root is at stake: through a link it would be the link that is replaced.
    const Folder folder;
    std::filesystem::create_symlink("/dev/null", folder / "null");
    std::filesystem::create_symlink("/dev/full", folder / "full");
    write_file(folder / "null", "gone");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "null"));
    EXPECT_THAT(message_of([&] { write_file(folder / "full", "x"); }), HasSubstr("No space left on device"));
    TextWriter null(folder / "null");
    null.write("gone");
    null.close();
    EXPECT_THAT(message_of([&] {
                    TextWriter full(folder / "full");
                    full.write(std::string(1 << 20, 'x'));
                    full.close();
                }),
                HasSubstr("No space left on device"));
    EXPECT_EQ(folder.files(), 2);
    EXPECT_TRUE(is_device("/dev/null") && is_device("/dev/full"));
}

TEST(WriteFile, ALinkStaysALink) {
    const Folder folder;
    write_file(folder / "real", "old");
    std::filesystem::create_symlink(folder / "real", folder / "link");
    write_file(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "real"), "new");
    EXPECT_EQ(folder.files(), 2);
}

// A child that has written half of a file, or is writing it.
class HalfWritten {
  public:
    explicit HalfWritten(const std::string& path) {
        int ready[2];
        if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
        child_ = ::fork();
        if (child_ == 0) {
            TextWriter out(path);
            out.write("half");
            if (::write(ready[1], "x", 1) != 1) ::_exit(1);
            for (;;) ::pause();
        }
        char byte = 0;
        if (::read(ready[0], &byte, 1) != 1) throw std::runtime_error("no child");
        ::close(ready[0]), ::close(ready[1]);
    }
    ~HalfWritten() { kill(); }
    void kill() {
        if (child_ <= 0) return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        child_ = -1;
    }

  private:
    pid_t child_ = -1;
};

TEST(WriteFile, RemovesWhatAKilledProcessLeftOfTheSameFile) {
    const Folder folder;
    HalfWritten killed(folder / "f"), other(folder / "g"), alive(folder / "f");
    killed.kill();
    other.kill();
    EXPECT_EQ(folder.files(), 3);
    write_file(folder / "f.9.tmp.txt", "");
    write_file(folder / "f.x9.tmp", "");
    write_file(folder / "f..tmp", "");
    EXPECT_EQ(folder.files(), 6);
    write_file(folder / "f", "whole");
    EXPECT_EQ(folder.files(), 6)
        << "one went, one came: that of g, of the living process, and other names stay";
    alive.kill();
    TextWriter out(folder / "f");
    out.close();
    EXPECT_EQ(folder.files(), 5);
}

TEST(WriteFile, ByManyAtOnceLeavesOneOfTheirContents) {
    const Folder folder;
    std::vector<std::thread> writers;
    for (int t = 0; t < 4; ++t)
        writers.emplace_back([&, t] {
            for (int i = 0; i < 50; ++i)
                write_file(folder / "f", std::string(20000, static_cast<char>('a' + t)));
        });
    for (std::thread& writer : writers) writer.join();
    const std::string content = read_file(folder / "f");
    EXPECT_EQ(content, std::string(20000, content[0]));
    EXPECT_EQ(folder.files(), 1);
}

TEST(TextWriter, PlainAndGzipped) {
    const Folder folder;
    for (const std::string name : {"t.txt", "t.txt.gz"}) {
        TextWriter out(folder / name);
        out.write("one\n");
        out.write("");
        out.write("two\n");
        out.close();
        EXPECT_THAT(read_lines(folder / name), ElementsAre("one", "two"));
    }
    EXPECT_EQ(read_file(folder / "t.txt"), "one\ntwo\n");
    EXPECT_TRUE(read_file(folder / "t.txt.gz").starts_with("\x1f\x8b"));
    EXPECT_EQ(folder.files(), 2);
}

TEST(TextWriter, WithoutCloseNothingChanges) {
    const Folder folder;
    write_file(folder / "f", "old");
    {
        TextWriter out(folder / "f");
        out.write("new");
        EXPECT_EQ(read_file(folder / "f"), "old") << "before close";
    }
    EXPECT_EQ(read_file(folder / "f"), "old");
    EXPECT_EQ(folder.files(), 1);
}

TEST(TextWriter, FullDiskLeavesTheOldContentAndNothingElse) {
    const Folder folder;
    for (const std::string name : {"f", "f.gz"}) {
        write_file(folder / name, "old");
        {
            const SmallDisk disk(100);
            std::string text;
            for (int i = 0; i < 100000; ++i) text += std::to_string(i * 7919 % 100003);
            // The shorter text waits in memory, and fails when the file is closed.
            for (const std::size_t size : {std::size_t{1000}, text.size()})
                EXPECT_THAT(message_of([&] {
                                TextWriter out(folder / name);
                                out.write(text.substr(0, size));
                                out.close();
                            }),
                            HasSubstr("cannot write: File too large"));
        }
        EXPECT_EQ(read_file(folder / name), "old");
    }
    EXPECT_EQ(folder.files(), 2);
    EXPECT_THAT(message_of([&] { TextWriter out(folder / "none/f"); }),
                HasSubstr("No such file or directory"));
}

} // namespace
} // namespace ggsnn
