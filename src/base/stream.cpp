#include "ggsnn/base/stream.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/progress.hpp"

#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace ggsnn {

namespace {

constexpr unsigned char gzip_magic[] = {0x1f, 0x8b};
constexpr int gzip_window = 15 + 16; // the largest window, a gzip header

} // namespace

struct ByteStream::Gzip {
    z_stream state{};
    std::vector<unsigned char> input = std::vector<unsigned char>(1 << 16);
    bool between = false; // a member ended; another may follow

    Gzip() { inflateInit2(&state, gzip_window); }
    ~Gzip() { inflateEnd(&state); }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
};

ByteStream::ByteStream(int descriptor) : descriptor_(descriptor) {}

ByteStream::~ByteStream() {
    ::close(descriptor_);
}

std::ptrdiff_t ByteStream::read_raw(char* to, std::size_t room) {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (before_wait && ::poll(&waiting, 1, 0) == 0) before_wait();
    for (;;) {
        const ssize_t got = ::read(descriptor_, to, room);
        if (got >= 0) return got;
        if (errno == EINTR && !interrupted()) continue;
        if (errno == EINTR) throw Interrupted("interrupted");
        error_ = std::strerror(errno);
        return -1;
    }
}

// The first bytes say whether the rest is gzipped: as many of them as it takes to tell.
std::ptrdiff_t ByteStream::look(char* to, std::size_t room) {
    std::ptrdiff_t have = 0;
    const auto begins_gzip = [&] {
        const auto seen = static_cast<std::size_t>(have);
        return have > 0 && std::memcmp(to, gzip_magic, std::min(seen, sizeof gzip_magic)) == 0;
    };
    do {
        const std::ptrdiff_t got = read_raw(to + have, room - static_cast<std::size_t>(have));
        if (got < 0) return -1;
        if (got == 0) break;
        have += got;
    } while (have < 2 && begins_gzip());
    known_ = true;
    if (have < 2 || !begins_gzip()) return have;
    gzip_ = std::make_unique<Gzip>();
    gzip_->input.resize(std::max(gzip_->input.size(), static_cast<std::size_t>(have)));
    std::memcpy(gzip_->input.data(), to, static_cast<std::size_t>(have));
    gzip_->state.next_in = gzip_->input.data();
    gzip_->state.avail_in = static_cast<unsigned>(have);
    return read_zipped(to, room);
}

std::ptrdiff_t ByteStream::read_zipped(char* to, std::size_t room) {
    z_stream& z = gzip_->state;
    z.next_out = reinterpret_cast<unsigned char*>(to);
    z.avail_out = static_cast<unsigned>(std::min<std::size_t>(room, 1 << 30));
    const unsigned space = z.avail_out;
    for (;;) {
        if (z.avail_in == 0) {
            const std::ptrdiff_t got =
                read_raw(reinterpret_cast<char*>(gzip_->input.data()), gzip_->input.size());
            if (got < 0) return -1;
            if (got == 0) {
                if (gzip_->between) return 0;
                error_ = "the gzip stream ends too early";
                return -1;
            }
            z.next_in = gzip_->input.data();
            z.avail_in = static_cast<unsigned>(got);
        }
        if (gzip_->between) {
            inflateReset(&z);
            gzip_->between = false;
        }
        const int code = inflate(&z, Z_SYNC_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
            error_ = z.msg != nullptr ? z.msg : "not a gzip stream";
            return -1;
        }
        gzip_->between = code == Z_STREAM_END;
        if (z.avail_out < space) return space - z.avail_out;
    }
}

std::ptrdiff_t ByteStream::read(char* to, std::size_t room) {
    if (!known_) return look(to, room);
    return gzip_ ? read_zipped(to, room) : read_raw(to, room);
}

} // namespace ggsnn
