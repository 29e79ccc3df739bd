#include "ggsnn/serve/source_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace ggsnn::serve {

namespace {

constexpr std::string_view directives[] = {"define", "undef", "if",    "ifdef",   "ifndef",  "elif",
                                           "else",   "endif", "error", "warning", "elifdef", "elifndef"};
constexpr std::string_view words[] = {"__has_include", "__has_include_next", "__has_embed", "_Pragma",
                                      "__pragma"};

struct SourceLine {
    int number = 1;
    std::string text; // continued lines joined, comments one blank each, literals without their contents
};

// As the preprocessor sees them. Whether a quote or a comment is open is followed as clang follows it:
// literals end with their line at the latest.
std::vector<SourceLine> logical_lines(const std::string& text) {
    std::vector<SourceLine> lines(1);
    enum class In { code, line_comment, comment, literal } in = In::code;
    char quote = 0;
    int number = 1;
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
    // Past backslashes at ends of lines, blanks between included, as clang has it.
    const auto skip = [&](std::size_t i) {
        while (at(i) == '\\') {
            std::size_t j = i + 1;
            while (at(j) == ' ' || at(j) == '\t' || at(j) == '\r') ++j;
            if (at(j) != '\n') break;
            ++number;
            i = j + 1;
        }
        return i;
    };
    for (std::size_t i = skip(0); i < text.size(); i = skip(i + 1)) {
        const char c = text[i];
        if (c == '\n') {
            ++number;
            if (in != In::comment) {
                in = In::code;
                lines.push_back({number, ""});
            }
            continue;
        }
        const int before = number;
        const std::size_t next = skip(i + 1);
        const char d = at(next);
        number = next == i + 1 ? before : number;
        if (in == In::comment) {
            if (c == '*' && d == '/')
                in = In::code, i = next;
            else
                number = before;
        } else if (in == In::literal) {
            if (c == '\\')
                i = next;
            else
                number = before;
            if (c == quote) in = In::code, lines.back().text += quote;
        } else if (in == In::code) {
            if (c == '/' && d == '*') {
                in = In::comment, i = next, lines.back().text += ' ';
            } else if (c == '/' && d == '/') {
                in = In::line_comment, i = next;
            } else {
                number = before;
                if (c == '"' || c == '\'') in = In::literal, quote = c;
                lines.back().text += c;
            }
        } else {
            number = before;
        }
    }
    return lines;
}

bool is_word_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// <stdlib.h>, <sys/types.h>: no dots but the last, nothing absolute.
bool is_header(std::string_view name) {
    if (name.size() < 5 || !name.starts_with('<') || !name.ends_with(".h>")) return false;
    name = name.substr(1, name.size() - 4);
    if (name.front() == '/' || name.back() == '/' || name.find("//") != std::string_view::npos) return false;
    return std::ranges::all_of(name, [](char c) { return is_word_letter(c) || c == '/'; });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

std::string refused_directive(std::string_view rest, int line) {
    rest = trimmed(rest);
    const auto end = std::ranges::find_if(rest, [](char c) { return !is_word_letter(c); });
    const std::string_view word(rest.begin(), end);
    if (word.empty() && rest.empty()) return "";
    if (word == "include") {
        const std::string_view name = trimmed(rest.substr(word.size()));
        if (is_header(name)) return "";
        return fmt::format("line {}: #include {}; expected a header of the system, such as <stdlib.h>", line,
                           std::string(name.substr(0, 60)));
    }
    if (std::ranges::find(directives, word) != std::end(directives)) return "";
    return fmt::format("line {}: #{}; expected #include <...>, #define or a condition", line,
                       std::string(rest.substr(0, 60)));
}

} // namespace

std::string refused_source(const std::string& text) {
    if (text.find('\0') != std::string::npos) return "a zero byte; expected C as text";
    if (text.find("?"
                  "?=") != std::string::npos ||
        text.find("?"
                  "?/") != std::string::npos)
        return "a trigraph for # or \\; expected the sign itself";
    for (const SourceLine& line : logical_lines(text)) {
        const std::string_view code = trimmed(line.text);
        std::string refusal;
        if (code.starts_with('#')) refusal = refused_directive(code.substr(1), line.number);
        if (code.starts_with("%:")) refusal = refused_directive(code.substr(2), line.number);
        if (!refusal.empty()) return refusal;
        for (const std::string_view word : words)
            for (std::size_t i = code.find(word); i != std::string_view::npos; i = code.find(word, i + 1)) {
                const bool begins = i == 0 || !is_word_letter(code[i - 1]);
                const bool ends = i + word.size() == code.size() || !is_word_letter(code[i + word.size()]);
                if (begins && ends)
                    return fmt::format("line {}: {}; expected C without it", line.number, std::string(word));
            }
    }
    return "";
}

} // namespace ggsnn::serve
