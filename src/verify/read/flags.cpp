#include "ggsnn/verify/read/flags.hpp"

#include "ggsnn/verify/read/compile.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

namespace ggsnn::verify {

namespace {

using Names = std::span<const std::string_view>;

// Followed by a value, in the same word or in the next.
constexpr std::string_view with_value[] = {"-I",        "-D",         "-U",          "-isystem",
                                           "-iquote",   "-idirafter", "-include",    "-imacros",
                                           "-isysroot", "-iprefix",   "-iwithprefix"};
constexpr std::string_view whole[] = {"-m32",
                                      "-m64",
                                      "-ansi",
                                      "-pthread",
                                      "-nostdinc",
                                      "-trigraphs",
                                      "-undef",
                                      "-fsigned-char",
                                      "-funsigned-char",
                                      "-fno-signed-char",
                                      "-fno-unsigned-char",
                                      "-fshort-enums",
                                      "-fno-short-enums",
                                      "-fpack-struct",
                                      "-fms-extensions",
                                      "-fcommon",
                                      "-fno-common",
                                      "-ffreestanding",
                                      "-fgnu89-inline",
                                      "-fno-builtin",
                                      "-fwrapv",
                                      "-fblocks",
                                      "-fgnu-keywords",
                                      "-fno-gnu-keywords"};
constexpr std::string_view beginnings[] = {
    "-std=", "--std=", "--sysroot=", "--target=", "-fpack-struct=", "-fno-builtin-"};
// About files written, with a value in the next word.
constexpr std::string_view written[] = {"-o", "-MF", "-MT", "-MQ", "-x"};
// Only about warnings, files written, speed, or linking.
constexpr std::string_view harmless[] = {"-W",
                                         "-w",
                                         "-O",
                                         "-g",
                                         "-M",
                                         "-pipe",
                                         "-c",
                                         "-S",
                                         "-v",
                                         "-l",
                                         "-L",
                                         "-pedantic",
                                         "-ansi-",
                                         "-fdiagnostics",
                                         "-fcolor",
                                         "-fno-color",
                                         "-fstack-protector",
                                         "-fno-stack-protector",
                                         "-fPIC",
                                         "-fpic",
                                         "-fPIE",
                                         "-fpie",
                                         "-fno-pic",
                                         "-fno-pie",
                                         "-fvisibility",
                                         "-ffunction-sections",
                                         "-fdata-sections",
                                         "-fomit-frame-pointer",
                                         "-fno-omit-frame-pointer",
                                         "-fno-strict-aliasing",
                                         "-fstrict-aliasing",
                                         "-fno-plt",
                                         "-march=",
                                         "-mtune=",
                                         "-s",
                                         "-rdynamic",
                                         "-shared",
                                         "-static",
                                         "-save-temps"};

bool is_one(Names names, std::string_view word) {
    return std::find(names.begin(), names.end(), word) != names.end();
}
bool begins_with_one(Names names, std::string_view word) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view n) { return word.starts_with(n); });
}

// How many words from here on are one flag that is understood; 0: it is not.
std::size_t known(const std::vector<std::string>& words, std::size_t at) {
    const std::string& word = words[at];
    if (is_one(whole, word) || begins_with_one(beginnings, word)) return 1;
    if (is_one(with_value, word)) return at + 1 < words.size() ? 2 : 0;
    return begins_with_one(with_value, word) ? 1 : 0;
}

} // namespace

void check_flags(const std::vector<std::string>& flags) {
    for (std::size_t i = 0; i < flags.size();) {
        const std::size_t n = known(flags, i);
        if (n == 0)
            fail("flag '{}' has no meaning here; those of the preprocessor (-I -D -U -include ..), -std=.., "
                 "-m32, "
                 "-m64, --target=.. and a few of -f have",
                 flags[i]);
        i += n;
    }
}

std::vector<std::string> known_flags(const std::vector<std::string>& command,
                                     std::vector<std::string>& others) {
    std::vector<std::string> flags;
    for (std::size_t i = 1; i < command.size();) {
        const std::string& word = command[i];
        if (const std::size_t n = known(command, i); n > 0) {
            flags.insert(flags.end(), command.begin() + static_cast<std::ptrdiff_t>(i),
                         command.begin() + static_cast<std::ptrdiff_t>(i + n));
            i += n;
        } else if (is_one(written, word)) {
            i += 2;
        } else {
            if (word.starts_with("-") && word != "--" && !begins_with_one(harmless, word))
                others.push_back(word);
            ++i;
        }
    }
    return flags;
}

std::vector<std::string> split_command(const std::string& command) {
    std::vector<std::string> words;
    bool inside = false;
    char quote = '\0';
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n')) {
            inside = false;
            continue;
        }
        if (!inside) words.emplace_back();
        inside = true;
        if (c == '\\' && quote != '\'' && i + 1 < command.size())
            words.back() += command[++i];
        else if (quote != '\0' && c == quote)
            quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else
            words.back() += c;
    }
    return words;
}

namespace {

namespace fs = std::filesystem;

fs::path commands_file(const std::string& path) {
    return fs::is_directory(path) ? fs::path(path) / "compile_commands.json" : fs::path(path);
}

// visit(entry, folder, file) for each that names a file, in order; until it says true.
template <class Visit>
void for_each_command(const fs::path& file, Visit visit) {
    const Json all = parse_json(read_file(file.string(), std::uint64_t{64} << 20), {file.string(), 0});
    if (!all.is_array()) fail("{}: expected a list of commands", file.string());
    for (const Json& entry : all) {
        if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) continue;
        fs::path folder = entry.contains("directory") && entry["directory"].is_string()
                              ? fs::path(entry["directory"].get<std::string>())
                              : fs::path();
        if (folder.is_relative()) folder = fs::absolute(file).parent_path() / folder;
        if (visit(entry, folder, fs::weakly_canonical(folder / entry["file"].get<std::string>()))) return;
    }
}

} // namespace

std::vector<std::string> project_files(const std::string& path) {
    std::vector<std::string> files;
    const fs::path here = fs::weakly_canonical(fs::current_path());
    for_each_command(commands_file(path), [&](const Json&, const fs::path&, const fs::path& named) {
        // C++ and assembler are not read; a project may have some.
        const std::string kind = named.extension().string();
        const bool c = kind == ".c" || kind == ".i";
        const fs::path near = named.lexically_proximate(here);
        const std::string name = (near.begin()->string() == ".." ? named : near).string();
        if (c && std::find(files.begin(), files.end(), name) == files.end()) files.push_back(name);
        return false;
    });
    if (files.empty()) fail("{}: no command for a C file", commands_file(path).string());
    return files;
}

void add_compile_commands(const std::string& path, Source& source, std::vector<std::string>& notes) {
    const fs::path file = commands_file(path);
    const fs::path wanted = fs::weakly_canonical(fs::absolute(source.path));
    bool found = false;
    for_each_command(file, [&](const Json& entry, const fs::path& folder, const fs::path& named) {
        if (named != wanted) return false;
        std::vector<std::string> command, others;
        if (entry.contains("arguments") && entry["arguments"].is_array()) {
            for (const Json& word : entry["arguments"])
                if (word.is_string()) command.push_back(word.get<std::string>());
        } else if (entry.contains("command") && entry["command"].is_string()) {
            command = split_command(entry["command"].get<std::string>());
        }
        const std::vector<std::string> flags = known_flags(command, others);
        source.flags.insert(source.flags.begin(), flags.begin(), flags.end());
        source.folder = folder.string();
        source.path = wanted.string();
        for (const std::string& word : others)
            notes.push_back(fmt::format("{}: flag {} is left out", file.string(), word));
        return found = true;
    });
    if (!found) fail("{}: no command for {}", file.string(), source.path);
}

} // namespace ggsnn::verify
