#include "ggsnn/tasks/formats/csv.hpp"

#include <algorithm>
#include <set>

namespace ggsnn {

namespace {

constexpr std::string_view utf8_mark = "\xef\xbb\xbf";

char separator_of(std::string_view line) {
    char best = ',';
    std::ptrdiff_t most = 0;
    for (const char candidate : {',', ';', '\t'}) {
        std::ptrdiff_t count = 0;
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            if (c == candidate && !quoted) ++count;
        }
        if (count > most) best = candidate;
        most = std::max(most, count);
    }
    return best;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// A field in quotes whose first quote stands at `at`, which is moved behind its last. `more` gives the line
// after a line break within quotes, or false.
template <class More>
bool read_quoted(std::string_view& line, std::size_t& at, More more, std::string& out) {
    for (++at;; ++at) {
        while (at >= line.size()) {
            out += '\n';
            if (!more(line)) return false;
            at = 0;
        }
        if (line[at] != '"') {
            out += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
            out += line[at++];
        } else {
            ++at;
            return true;
        }
    }
}

// The fields of one row, into strings that are used again.
template <class More>
void split_row(std::string_view line, char separator, const Place& place, More more,
               std::vector<std::string>& fields) {
    std::size_t count = 0;
    for (std::size_t at = 0;; ++at) {
        if (count == fields.size()) fields.emplace_back();
        std::string& out = fields[count++];
        out.clear();
        const std::size_t first = line.find_first_not_of(' ', at);
        if (first == std::string_view::npos || line[first] != '"') {
            const std::size_t end = std::min(line.find(separator, at), line.size());
            out = without_blanks(line.substr(at, end - at));
            if (out.find('"') != std::string::npos)
                fail_at(place, "field {} has a quote within; expected the whole field in quotes", count);
            at = end;
        } else {
            at = first;
            if (!read_quoted(line, at, more, out))
                fail_at(place, "field {} begins with a quote that is never closed", count);
            at = std::min(line.find_first_not_of(' ', at), line.size());
            if (at < line.size() && line[at] != separator)
                fail_at(place, "field {} goes on after its closing quote; expected the separator", count);
        }
        if (at >= line.size()) break;
    }
    fields.resize(count);
}

} // namespace

CsvReader::CsvReader(std::unique_ptr<LineReader> lines) : lines_(std::move(lines)) {
    std::string_view line;
    if (!lines_->peek(line)) fail("{}: the file is empty; expected a header of columns", lines_->path());
    separator_ = separator_of(line);
    read(header_);
    std::set<std::string> seen;
    for (const std::string& name : header_)
        if (!seen.insert(name).second) fail_at(place(), "the column \"{}\" stands twice in the header", name);
}

bool CsvReader::read(std::vector<std::string>& fields) {
    std::string_view line;
    do {
        if (!lines_->next(line)) return false;
        if (lines_->line() == 1 && line.starts_with(utf8_mark)) line.remove_prefix(utf8_mark.size());
    } while (line.find_first_not_of(separator_ == '\t' ? " " : " \t") == std::string_view::npos);
    begin_ = lines_->line();
    split_row(line, separator_, place(), [&](std::string_view& next) { return lines_->next(next); }, fields);
    return true;
}

bool CsvReader::next(std::vector<std::string>& fields) {
    if (!read(fields)) return false;
    if (fields.size() != header_.size())
        fail_at(place(), "the row has {} fields; expected {} as in the header", fields.size(),
                header_.size());
    return true;
}

std::vector<std::string> csv_columns(std::string_view line) {
    std::vector<std::string> columns;
    if (line.starts_with(utf8_mark)) line.remove_prefix(utf8_mark.size());
    try {
        split_row(line, separator_of(line), {}, [](std::string_view&) { return false; }, columns);
    } catch (const Error&) {
        return {};
    }
    return columns;
}

} // namespace ggsnn
