#include "ggsnn/serve/library.hpp"

#include "ggsnn/base/hash.hpp"
#include "ggsnn/nn/train/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace ggsnn::serve {

namespace {

namespace fs = std::filesystem;

constexpr int deepest = 5;
constexpr std::size_t most_entries = 20000;
constexpr std::uintmax_t largest_log = std::uintmax_t{64} << 20;

std::string id_of(const std::string& text) {
    Hash hash;
    hash.add(text);
    return fmt::format("{:016x}", hash.value());
}

bool is_run(const fs::path& path) {
    const std::string name = path.filename().string();
    if (!name.ends_with(".jsonl") && !name.ends_with(".log")) return false;
    std::error_code ignored;
    if (fs::file_size(path, ignored) > largest_log) return false;
    try {
        return is_log(path.string());
    } catch (const Error&) {
        return false;
    }
}

long changed_at(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? 0
                 : static_cast<long>(
                       std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

// Everything below a folder that is of use. Links are not followed.
void look_into(const std::string& folder, std::vector<Item>& out) {
    std::error_code error;
    std::size_t seen = 0;
    const auto add = [&](Item::Kind kind, const fs::path& path, const std::string& name) {
        out.push_back({kind, id_of(path.string()), name, path.string(), changed_at(path)});
    };
    if (fs::is_regular_file(fs::path(folder) / "results.json", error))
        add(Item::Kind::report, folder, fs::path(folder).filename().string());
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && it != end && seen < most_entries; it.increment(error), ++seen) {
        const fs::path& path = it->path();
        const std::string name = path.lexically_relative(folder).string();
        if (path.filename().string().starts_with(".") || it->is_symlink(error)) {
            it.disable_recursion_pending();
            continue;
        }
        if (it->is_directory(error)) {
            if (it.depth() >= deepest) it.disable_recursion_pending();
            if (fs::is_regular_file(path / "results.json", error)) add(Item::Kind::report, path, name);
        } else if (it->is_regular_file(error)) {
            if (path.extension() == ".ggsnn") add(Item::Kind::model, path, name);
            if (is_run(path)) add(Item::Kind::run, path, name);
        }
    }
}

void look_for_programs(const std::string& folder, std::vector<Item>& out) {
    std::error_code error;
    for (const fs::path& at : {fs::path(folder), fs::path(folder) / "broken"}) {
        fs::directory_iterator it(at, error), end;
        for (; !error && it != end; it.increment(error))
            if (it->path().extension() == ".c")
                out.push_back({Item::Kind::program, id_of(it->path().string()),
                               it->path().lexically_relative(folder).string(), it->path().string(), 0});
    }
}

} // namespace

Library::Library(const std::vector<std::string>& folders, const std::string& programs) : programs_(programs) {
    for (const std::string& folder : folders) {
        if (!fs::is_directory(folder)) fail("{}: no such folder", folder);
        std::string path = fs::absolute(folder).lexically_normal().string();
        if (path.size() > 1 && path.ends_with('/')) path.pop_back();
        folders_.push_back(std::move(path));
    }
}

void Library::look() const {
    const auto now = std::chrono::steady_clock::now();
    if (any_ && now - looked_ < std::chrono::seconds(1)) return;
    items_.clear();
    for (const ExampleModel& model : example_models())
        items_.push_back({Item::Kind::model, id_of(std::string("example ") + model.name), model.name, "", 0});
    for (const std::string& folder : folders_) look_into(folder, items_);
    if (!programs_.empty()) look_for_programs(programs_, items_);
    const auto key = [](const Item& item) { return std::tuple(item.kind, !item.path.empty(), item.name); };
    std::ranges::stable_sort(items_, [&](const Item& a, const Item& b) { return key(a) < key(b); });
    any_ = true;
    looked_ = now;
}

std::vector<Item> Library::items(Item::Kind kind) const {
    const std::lock_guard lock(mutex_);
    look();
    std::vector<Item> out;
    std::ranges::copy_if(items_, std::back_inserter(out),
                         [&](const Item& item) { return item.kind == kind; });
    return out;
}

std::optional<Item> Library::find(Item::Kind kind, const std::string& id) const {
    for (const Item& item : items(kind))
        if (item.id == id) return item;
    return std::nullopt;
}

} // namespace ggsnn::serve
