#include "ggsnn/verify/cache/cache.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/sha256.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace ggsnn::verify {

namespace {

constexpr const char* kind_of_file = "ggsnn verdict, form 1";
constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

// Beside its place, and then there at once. What a broken machine leaves of it is found out when it is read,
// so that nothing waits for the disk.
bool put(const std::string& path, const std::string& content) {
    static std::atomic<int> counter = 0;
    const std::string temporary = fmt::format("{}.{}.{}", path, ::getpid(), ++counter);
    std::FILE* file = std::fopen(temporary.c_str(), "wxb");
    if (file == nullptr) return false;
    const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
    const bool closed = std::fclose(file) == 0;
    if (written && closed && std::rename(temporary.c_str(), path.c_str()) == 0) return true;
    std::remove(temporary.c_str());
    return false;
}

} // namespace

VerdictCache::VerdictCache(std::string folder, std::string salt)
    : folder_(std::move(folder)), salt_(std::move(salt)) {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error || !std::filesystem::is_directory(folder_))
        fail("--cache {}: no folder, and none can be made: {}", folder_,
             error ? error.message() : "something else is there");
}

std::string VerdictCache::path_of(const std::string& hash) const {
    return fmt::format("{}/{}.json", folder_, hash);
}

void VerdictCache::tell(const std::string& path, const std::string& what) const {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty())
        trouble_ = fmt::format("{}: {}", path, what);
    else
        ++more_;
}

std::string VerdictCache::trouble() const {
    const std::lock_guard lock(mutex_);
    return more_ == 0 ? trouble_ : fmt::format("{} (and {} more)", trouble_, more_);
}

std::optional<OrderedJson> VerdictCache::find(const std::string& key) const {
    const std::string hash = sha256(salt_ + "\n" + key), path = path_of(hash);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return std::nullopt;
    try {
        OrderedJson file = OrderedJson::parse(read_file(path, most_bytes));
        const std::string content = file.at("verdict").dump();
        if (file.at("kind") == kind_of_file && file.at("key") == hash &&
            file.at("sum") == sha256(hash + content))
            return file["verdict"];
    } catch (const std::exception&) { // told below, whatever is wrong with it
    }
    tell(path, "not a verdict that was kept under this name: it is not used");
    return std::nullopt;
}

void VerdictCache::keep(const std::string& key, const OrderedJson& verdict) const {
    const std::string hash = sha256(salt_ + "\n" + key), path = path_of(hash);
    // As it will be read, so that the sum is of that.
    const std::string content =
        OrderedJson::parse(verdict.dump(-1, ' ', false, OrderedJson::error_handler_t::replace)).dump();
    const OrderedJson head{{"kind", kind_of_file}, {"key", hash}, {"sum", sha256(hash + content)}};
    std::string text = head.dump();
    text.pop_back();
    if (!put(path, text + ",\"verdict\":" + content + "}\n"))
        tell(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

} // namespace ggsnn::verify
