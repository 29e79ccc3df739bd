#include "ggsnn/cli/train_files.hpp"

#include "ggsnn/nn/train/checkpoint.hpp"
#include "ggsnn/nn/train/log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ggsnn {

namespace {

// The metadata of a tensor file, by its header alone; null if it is none.
Json tensor_metadata(std::ifstream& file, std::uint64_t size) {
    std::uint64_t length = 0;
    file.seekg(0);
    file.read(reinterpret_cast<char*>(&length), sizeof length);
    if (!file || length < 2 || length > size - sizeof length) return nullptr;
    std::string header(length, '\0');
    file.read(header.data(), static_cast<std::streamsize>(length));
    const Json json = Json::parse(header, nullptr, false);
    return json.is_object() && json.contains("__metadata__") ? json["__metadata__"] : Json();
}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return a == b || std::filesystem::equivalent(a, b, error);
}

void check_distinct(const TrainCommand& c) {
    struct Named {
        const char* option;
        std::string path;
    };
    const std::vector<Named> written = {{"--output", c.output},
                                        {"the checkpoint", c.output + ".checkpoint"},
                                        {"the model of an interrupted call", c.output + ".interrupted"},
                                        {"--log", c.log}};
    const std::vector<Named> read = {{"the data", c.input}, {"--valid", c.valid}};
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i].path.empty()) continue;
        for (const Named& r : read)
            if (!r.path.empty() && same_file(written[i].path, r.path))
                throw UsageError(fmt::format("{} and {} are the same file, {}: training would replace it",
                                             written[i].option, r.option, r.path));
        for (std::size_t j = 0; j < i; ++j)
            if (same_file(written[i].path, written[j].path))
                throw UsageError(fmt::format("{} and {} are the same file, {}; expected different ones",
                                             written[j].option, written[i].option, written[i].path));
    }
}

void check_writable(const std::string& path) {
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (folder.empty()) folder = ".";
    if (::access(folder.c_str(), W_OK) != 0)
        fail("{}: cannot write: the folder does not exist or is not writable", path);
    if (std::filesystem::is_directory(path)) fail("{}: cannot write: it is a folder; expected a file", path);
}

void check_replaced(const std::string& path, const std::string& expected) {
    const std::string found = what_is(path);
    if (found.empty() || found == expected) return;
    fail("{}: would be replaced, and is {}; expected {} or no file", path, found, expected);
}

} // namespace

std::string what_is(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return "";
    const std::uint64_t size = std::filesystem::file_size(path, error);
    if (error || size == 0) return "";
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("{}: cannot open: {}", path, std::strerror(errno));
    std::string begin(std::min<std::uint64_t>(size, 4096), '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    const Json metadata = tensor_metadata(file, size);
    if (metadata.contains("ggsnn")) return "a model";
    if (metadata.contains("checkpoint")) return "a checkpoint of training";
    if (!metadata.is_null()) return "a tensor file of another program";
    if (begin.starts_with("\x1f\x8b")) return "a gzipped file";
    if (is_log(path)) return "a log of training";
    const bool text = std::all_of(begin.begin(), begin.end(), [](unsigned char c) {
        return c >= 0x80 || std::isprint(c) != 0 || std::isspace(c) != 0;
    });
    if (!text) return "a binary file of another kind";
    const std::string first = begin.substr(0, std::min(begin.find('\n'), std::size_t{40}));
    return fmt::format("text that begins \"{}\"", first.substr(0, first.find('\r')));
}

void check_files(const TrainCommand& c) {
    check_distinct(c);
    check_writable(c.output);
    check_replaced(c.output, "a model");
    if (!c.log.empty()) {
        check_writable(c.log);
        check_replaced(c.log, "a log of training");
    }
    if (!c.resume && !c.fresh) refuse_checkpoint(c.output + ".checkpoint");
}

} // namespace ggsnn
