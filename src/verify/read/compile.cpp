#include "ggsnn/verify/read/compile.hpp"

#include "ggsnn/verify/read/flags.hpp"
#include "ggsnn/verify/read/process.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <unistd.h>

namespace ggsnn::verify {

namespace {

std::string find_clang() {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "" : path;
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const std::string candidate = std::string(rest.substr(0, colon)) + "/clang-19";
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    const std::string usual = "/usr/lib/llvm-19/bin/clang";
    if (access(usual.c_str(), X_OK) == 0) return usual;
    fail("clang-19 is not found, and it compiles what is verified: install the package clang-19");
}

// A line marker, so that messages and debug information name the text as the user does.
std::string named_text(const Source& source) {
    std::string name;
    for (const char c : source.path) {
        if (c == '"' || c == '\\') name += '\\';
        if (c != '\n') name += c;
    }
    return "# 1 \"" + name + "\"\n" + source.text;
}

bool is_preprocessed(const Source& source) {
    return std::filesystem::path(source.path).extension() == ".i";
}

// The first mistakes clang names, as path:line:column: what.
std::string first_errors(const std::string& messages) {
    std::string all;
    int count = 0;
    for (std::size_t at = 0; at < messages.size() && count < 3;) {
        const std::size_t end = std::min(messages.find('\n', at), messages.size());
        std::string line = messages.substr(at, end - at);
        at = end + 1;
        for (const std::string_view kind : {": fatal error: ", ": error: "}) {
            const std::size_t found = line.find(kind);
            if (found == std::string::npos) continue;
            line.replace(found, kind.size(), ": ");
            all += (count++ > 0 ? "\n" : "") + line;
            break;
        }
    }
    return all;
}

std::vector<std::string> arguments_of(const Source& source, const std::vector<std::string>& kind) {
    std::vector<std::string> all = {find_clang(),
                                    "--no-default-config",
                                    "-fno-color-diagnostics",
                                    "-fno-caret-diagnostics",
                                    "-fno-crash-diagnostics",
                                    "-ferror-limit=5",
                                    "-w"};
    check_flags(source.flags);
    all.insert(all.end(), source.flags.begin(), source.flags.end());
    all.insert(all.end(), kind.begin(), kind.end());
    if (source.kind == Source::Kind::bitcode) {
        all.insert(all.end(), {"-x", "ir"});
    } else {
        // As gcc does: what C99 forbids and old programs do is compiled, and means what the bitcode says.
        for (const char* name : {"implicit-function-declaration", "implicit-int", "int-conversion",
                                 "incompatible-function-pointer-types", "return-mismatch"})
            all.push_back(std::string("-Wno-error=") + name);
        all.insert(all.end(), {"-x", is_preprocessed(source) ? "cpp-output" : "c"});
    }
    all.insert(all.end(), {"-o", "-", "--", source.kind == Source::Kind::text ? "-" : source.path});
    return all;
}

std::string run_clang(const Source& source, const std::vector<std::string>& kind, double seconds) {
    if (source.kind != Source::Kind::text) {
        const std::filesystem::path file = std::filesystem::path(source.folder) / source.path;
        if (std::filesystem::is_directory(file)) fail("{}: is a folder; expected a C file", source.path);
        if (!std::filesystem::exists(file)) fail("{}: no such file", source.path);
    }
    Process process;
    process.arguments = arguments_of(source, kind);
    process.folder = source.folder;
    process.input = source.kind == Source::Kind::text ? named_text(source) : "";
    process.seconds = seconds;
    ProcessResult result = run_process(process);
    switch (result.end) {
    case ProcessResult::End::done:
        return std::move(result.output);
    case ProcessResult::End::time:
        fail("{}: clang needs more than {:g} seconds for it", source.path, seconds);
    case ProcessResult::End::killed:
        fail("{}: clang broke off (too much memory, or nested too deeply)", source.path);
    case ProcessResult::End::failed:
        break;
    }
    const std::string errors = first_errors(result.messages);
    if (!errors.empty()) throw Error(errors);
    fail("{}: clang failed: {}", source.path, result.messages.substr(0, 300));
}

} // namespace

bool says_machine(const std::vector<std::string>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
        return flag == "-m32" || flag == "-m64" || flag.starts_with("--target=");
    });
}

bool is_for_32_bits(const Source& source) {
    if (says_machine(source.flags)) return false;
    static const std::regex narrow(R"(\btypedef\s+unsigned(\s+int)?\s+(__)?size_t\s*;)");
    return source.kind != Source::Kind::bitcode && std::regex_search(source.text, narrow);
}

std::string compile(const Source& source, double seconds) {
    return run_clang(source,
                     {"-O1", "-Xclang", "-disable-llvm-passes", "-U__OPTIMIZE__", "-g",
                      "-fno-strict-aliasing", "-Xclang", "-fno-elide-constructors",
                      "-fno-discard-value-names", "-femit-all-decls", "-c", "-emit-llvm"},
                     seconds);
}

std::string preprocess(const Source& source, double seconds) {
    if (source.kind == Source::Kind::bitcode) return "";
    if (is_preprocessed(source)) return named_text(source);
    return run_clang(source, {"-O1", "-U__OPTIMIZE__", "-E", "-C"}, seconds);
}

} // namespace ggsnn::verify
