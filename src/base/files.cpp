#include "ggsnn/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace ggsnn {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;

gzFile as_gz(void* file) {
    return static_cast<gzFile>(file);
}

std::string gz_error(gzFile file) {
    int code = 0;
    const char* text = gzerror(file, &code);
    if (code == Z_ERRNO) return std::strerror(errno);
    if (code == Z_BUF_ERROR) return "the gzip stream ends too early";
    return text != nullptr && *text != '\0' ? text : "unknown read error";
}

// A temporary file is NAME.PROCESS.tmp, locked for as long as its writer lives: what nobody holds is what a
// killed process left. Locks tell this also where process numbers do not (containers, shared folders).
std::string temporary_name(const std::string& path) {
    return fmt::format("{}.{}.tmp", path, ::getpid());
}

bool is_temporary_of(const std::string& file, const std::string& name) {
    const std::string_view before = ".", after = ".tmp";
    if (!file.starts_with(name + std::string(before)) || !file.ends_with(after)) return false;
    const std::size_t begin = name.size() + before.size();
    return file.size() > begin + after.size() &&
           std::all_of(file.begin() + static_cast<std::ptrdiff_t>(begin), file.end() - 4,
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

void remove_left_overs(const std::string& path) {
    const std::filesystem::path whole(path);
    std::error_code error;
    const auto folder = whole.has_parent_path() ? whole.parent_path() : std::filesystem::path(".");
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        if (!is_temporary_of(at->path().filename().string(), whole.filename().string())) continue;
        const int fd = ::open(at->path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0) continue;
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) ::unlink(at->path().c_str());
        ::close(fd);
    }
}

// Opens an empty, locked temporary for path. Returns -1, with errno set, if it cannot.
int open_temporary(const std::string& path) {
    remove_left_overs(path);
    const std::string name = temporary_name(path);
    for (;;) {
        const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) return -1;
        while (::flock(fd, LOCK_EX) != 0 && errno == EINTR) {
        }
        // Between the two calls it may have been renamed by another thread, or taken for a left-over.
        struct stat opened{}, named{};
        if (::fstat(fd, &opened) == 0 && ::stat(name.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
            opened.st_dev == named.st_dev) {
            if (::ftruncate(fd, 0) == 0) return fd;
            const int code = errno;
            ::close(fd);
            errno = code;
            return -1;
        }
        ::close(fd);
    }
}

// Where writing to path ends up. A symbolic link stays a link: what it points to is replaced. A device or a
// pipe is written in place; it has no old content to keep, and must not become a plain file.
struct Destination {
    std::string path;
    bool in_place = false;
};

Destination find_destination(const std::string& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error) return {path, false};
    const auto type = std::filesystem::status(real, error).type();
    return {real.string(), !error && type != std::filesystem::file_type::regular &&
                               type != std::filesystem::file_type::directory};
}

// Makes a rename durable: the folder's entry is on disk.
void sync_folder(const std::string& path) {
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty()) folder = ".";
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (fd < 0) return;
    ::fsync(fd);
    ::close(fd);
}

} // namespace

LineReader::LineReader(std::string path) : path_(std::move(path)), buffer_(block_bytes) {
    const bool standard = path_ == "-";
    if (standard) path_ = "standard input";
    const int descriptor =
        standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
        fail("{}: cannot open: {}", path_, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) {
        ::close(descriptor);
        fail("{}: is a folder; expected a file", path_);
    }
    if (!S_ISREG(status.st_mode)) {
        stream_ = std::make_unique<ByteStream>(descriptor);
        return;
    }
    file_ = gzdopen(descriptor, "rb");
    if (file_ == nullptr) fail("{}: cannot open: {}", path_, std::strerror(errno));
    gzbuffer(as_gz(file_), 1 << 17);
}

void LineReader::before_wait(std::function<void()> action) {
    if (stream_) stream_->before_wait = std::move(action);
}

void LineReader::fail_reading(const std::string& why) {
    at_end_ = true;
    begin_ = end_ = 0;
    ++line_; // the one that cannot be read
    fail_at(place(), "{}", why);
}

LineReader::~LineReader() {
    if (file_ != nullptr) gzclose(as_gz(file_));
}

bool LineReader::fill() {
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
    }
    if (end_ == buffer_.size()) {
        if (buffer_.size() >= max_line_bytes)
            fail_reading(fmt::format("the line is longer than {} bytes", max_line_bytes));
        buffer_.resize(buffer_.size() * 2);
    }
    const std::size_t room = std::min<std::size_t>(buffer_.size() - end_, 1 << 30);
    if (stream_) {
        const std::ptrdiff_t came = stream_->read(buffer_.data() + end_, room);
        if (came < 0) fail_reading("cannot read: " + stream_->error());
        end_ += static_cast<std::size_t>(came);
        return came > 0;
    }
    const int got = gzread(as_gz(file_), buffer_.data() + end_, static_cast<unsigned>(room));
    if (got < 0) fail_reading("cannot read: " + gz_error(as_gz(file_)));
    if (got == 0) {
        // A truncated gzip stream is reported here: zlib returns the data before the cut first.
        int code = Z_OK;
        gzerror(as_gz(file_), &code);
        if (code != Z_OK && code != Z_STREAM_END) fail_reading("cannot read: " + gz_error(as_gz(file_)));
        return false;
    }
    end_ += static_cast<std::size_t>(got);
    return true;
}

bool LineReader::next(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
        const void* found =
            end_ > searched ? std::memchr(buffer_.data() + searched, '\n', end_ - searched) : nullptr;
        std::size_t stop = 0;
        if (found != nullptr) {
            stop = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
        } else if (at_end_) {
            if (begin_ == end_) return false;
            stop = end_;
        } else {
            const std::size_t seen = end_ - begin_;
            if (!fill()) at_end_ = true;
            searched = begin_ + seen;
            continue;
        }
        line = std::string_view(buffer_.data() + begin_, stop - begin_);
        begin_ = found != nullptr ? stop + 1 : stop;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++line_;
        return true;
    }
}

bool LineReader::peek(std::string_view& line) {
    std::size_t at = 0; // begin_ is 0: nothing was taken, so filling never moves what was read
    for (;;) {
        const std::string_view seen(buffer_.data() + at, end_ - at);
        const std::size_t newline = seen.find('\n');
        if (newline == std::string_view::npos && !at_end_) {
            if (!fill()) at_end_ = true;
            continue;
        }
        line = seen.substr(0, newline);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) return true;
        if (newline == std::string_view::npos) return false;
        at += newline + 1;
    }
}

std::string_view LineReader::peek_bytes(std::size_t count) {
    while (end_ < count && !at_end_)
        if (!fill()) at_end_ = true;
    return {buffer_.data(), std::min(count, end_)};
}

std::string read_file(const std::string& path, std::uint64_t max_bytes) {
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) fail("{}: cannot open: {}", path, std::strerror(errno));
    std::string content;
    char block[block_bytes];
    std::size_t got = 0;
    while ((got = std::fread(block, 1, sizeof block, file)) > 0) {
        if (content.size() + got > max_bytes) {
            std::fclose(file);
            fail("{}: larger than {} bytes", path, max_bytes);
        }
        content.append(block, got);
    }
    const bool bad = std::ferror(file) != 0;
    const int code = errno;
    std::fclose(file);
    if (bad) fail("{}: cannot read: {}", path, std::strerror(code));
    return content;
}

namespace {

// Returns 0 or the error number.
int write_all(int fd, std::string_view content) {
    while (!content.empty()) {
        const ssize_t wrote = ::write(fd, content.data(), content.size());
        if (wrote > 0) {
            content.remove_prefix(static_cast<std::size_t>(wrote));
        } else if (wrote < 0 && errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

} // namespace

void write_file(const std::string& path, std::string_view content) {
    const Destination destination = find_destination(path);
    const std::string& final = destination.path;
    const int fd = destination.in_place ? ::open(final.c_str(), O_WRONLY | O_CLOEXEC) : open_temporary(final);
    if (fd < 0) fail("{}: cannot write: {}", path, std::strerror(errno));
    int code = write_all(fd, content);
    if (!destination.in_place) {
        const std::string written = temporary_name(final);
        if (code == 0 && ::fsync(fd) != 0) code = errno;
        if (code == 0 && ::rename(written.c_str(), final.c_str()) != 0) code = errno;
        if (code != 0) ::unlink(written.c_str());
    }
    if (::close(fd) != 0 && code == 0) code = errno;
    if (code != 0) fail("{}: cannot write: {}", path, std::strerror(code));
    if (!destination.in_place) sync_folder(final);
}

TextWriter::TextWriter(std::string path) : path_(std::move(path)) {
    const char* mode = path_.ends_with(".gz") ? "wb6" : "wbT";
    if (path_ == "-") {
        file_ = gzdopen(::dup(STDOUT_FILENO), mode);
    } else {
        const Destination destination = find_destination(path_);
        destination_ = destination.path;
        if (destination.in_place) {
            file_ = gzopen(destination_.c_str(), mode);
        } else if ((lock_ = open_temporary(destination_)) >= 0) {
            temporary_ = temporary_name(destination_);
            file_ = gzdopen(::dup(lock_), mode);
        }
    }
    if (file_ == nullptr) fail("{}: cannot write: {}", path_, std::strerror(errno));
}

TextWriter::~TextWriter() {
    if (file_ != nullptr) gzclose(as_gz(file_));
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    if (lock_ >= 0) ::close(lock_);
}

void TextWriter::write(std::string_view text) {
    while (!text.empty()) {
        const std::size_t part = std::min<std::size_t>(text.size(), 1 << 30);
        if (gzwrite(as_gz(file_), text.data(), static_cast<unsigned>(part)) != static_cast<int>(part))
            fail("{}: cannot write: {}", path_, gz_error(as_gz(file_)));
        text.remove_prefix(part);
    }
}

void TextWriter::close() {
    const int code = gzclose(as_gz(file_));
    file_ = nullptr;
    if (code != Z_OK)
        fail("{}: cannot write: {}", path_, code == Z_ERRNO ? std::strerror(errno) : "write error");
    if (temporary_.empty()) return;
    int error = ::fsync(lock_) != 0 ? errno : 0;
    if (error == 0 && ::rename(temporary_.c_str(), destination_.c_str()) != 0) error = errno;
    if (error != 0) fail("{}: cannot write: {}", path_, std::strerror(error));
    temporary_.clear();
    sync_folder(destination_);
}

} // namespace ggsnn
