#include "ggsnn/tasks/formats/formats.hpp"

#include "ggsnn/tasks/formats/csv.hpp"
#include "ggsnn/tasks/formats/table.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace ggsnn {

namespace {

constexpr std::size_t seen_bytes = 4096; // of a beginning

int count_words(std::string_view line) {
    int words = 0;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t", at)) != std::string_view::npos; ++words)
        at = std::min(line.find_first_of(" \t", at), line.size());
    return words;
}

bool is_text(std::string_view bytes) {
    for (const char c : bytes)
        if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
    return true;
}

// Plain lines that could be facts or questions.
bool is_story(const Input& input) {
    if (input.is_folder() || !input.document.is_null() || !is_text(input.line)) return false;
    if (input.line.starts_with("<") || input.line.starts_with("%%MatrixMarket")) return false;
    const std::string first = input.line.substr(0, input.line.find_first_of(" \t"));
    return first == "eval" || count_words(input.line) == 3;
}

// A numbered line of prose: with four words and more, or with what ends a sentence. `1 likes 2` is a fact.
bool is_english(const Input& input) {
    if (input.is_folder() || !input.document.is_null() || !is_text(input.line)) return false;
    const std::size_t digits = input.line.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || input.line[digits] != ' ') return false;
    const bool ends = input.line.find_first_of(".?\t") != std::string::npos;
    return count_words(input.line) > 3 || (ends && count_words(input.line) > 1);
}

bool is_molecules(const Input& input) {
    return input.document.is_object() && !input.whole &&
           (input.document.contains("node_features") || input.document.contains("graph"));
}

// Objects that are of no other format are told what is wrong with them as graphs, line by line.
bool is_graph_lines(const Input& input) {
    return input.document.is_object() && !input.whole;
}

template <std::unique_ptr<RecordReader> (*open)(std::unique_ptr<LineReader>, const ReadOptions&)>
std::unique_ptr<RecordReader> open_by_lines(Input input, const ReadOptions& options) {
    return open(std::move(input.lines), options);
}

bool is_graph_line(std::string_view line) {
    const Json value = Json::parse(line.begin(), line.end(), nullptr, false);
    return value.is_object() && (value.contains("nodes") || value.contains("graph"));
}

// Whether a first line that is the beginning of JSON is that of a document over several lines, and not a bad
// line among others. Who waits for an answer to that line must not be kept waiting for the next.
bool goes_on(LineReader& lines, const std::string& line, bool waiting) {
    if (waiting) return line == "{";
    for (std::size_t bytes = seen_bytes;; bytes *= 2) {
        const std::string_view text = lines.peek_bytes(bytes);
        const bool all = text.size() < bytes;
        const std::size_t second = text.find_first_not_of(" \t\r\n", text.find('\n', text.find('{')));
        const std::size_t end = second < text.size() ? text.find('\n', second) : std::string_view::npos;
        if (end == std::string_view::npos && !all) continue;
        return second != std::string_view::npos && !is_graph_line(text.substr(second, end - second));
    }
}

// JSON in the first line, or over all lines of the file. A first line that is bad is told when it is read.
void read_document(Input& input, const std::string& line, bool waiting) {
    bool cut = false; // the line is the beginning of a value
    try {
        input.document = Json::parse(line.begin(), line.end());
        return;
    } catch (const Json::parse_error& error) {
        cut = error.byte > line.size();
    } catch (const Json::exception&) { // a number that is none
    }
    input.document = Json::object();
    if (!cut || !goes_on(*input.lines, line, waiting)) return;
    std::string text;
    for (std::string_view next; input.lines->next(next);) {
        text += next;
        text += '\n';
    }
    input.document = parse_json(text, {input.name(), 1});
    input.whole = true;
}

Input open_input(const std::string& path, const std::function<void()>& before_wait = {}) {
    Input input;
    input.path = path;
    if (path != "-" && std::filesystem::is_directory(path)) return input;
    input.lines = std::make_unique<LineReader>(path);
    input.lines->before_wait(before_wait);
    std::string_view line;
    if (!input.lines->peek(line)) fail("{}: the file is empty; expected stories or graphs", input.name());
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    const std::size_t begin = line.find_first_not_of(" \t\r");
    line.remove_prefix(begin == std::string_view::npos ? line.size() : begin);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    input.line = line.substr(0, seen_bytes);
    if (line.starts_with('{')) {
        const bool waiting = before_wait != nullptr && input.lines->is_stream();
        read_document(input, std::string(line), waiting);
    } else if (line.starts_with('<') || !is_text(input.line)) {
        input.bytes = input.lines->peek_bytes(seen_bytes);
    }
    return input;
}

// Options that a format gives no meaning are wrong usage, not silently ignored.
void check_options(const Format& format, const Input& input, const ReadOptions& options) {
    if (!options.nodes.empty() && !format.has_node_table)
        throw UsageError(fmt::format("--nodes is for edges in CSV and for Matrix Market; {} holds {}",
                                     input.name(), format.name));
    if (!options.label.empty() && !format.has_labels)
        throw UsageError(
            fmt::format("--label is for formats with named columns; {} holds {}", input.name(), format.name));
}

std::string names_of_formats() {
    std::vector<std::string> names;
    for (const Format& format : formats()) names.push_back(fmt::format("{} ({})", format.name, format.looks));
    return fmt::format("{}", fmt::join(names, "; "));
}

} // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> table = {
        {"TU folder", "a folder with DS_A.txt and DS_graph_indicator.txt", is_tu, open_tu, false, true,
         false},
        {"edge list", "CSV with the columns source and target", is_edge_list, open_edge_list, true, true},
        {"GraphML", "XML with the element graphml", is_graphml, open_graphml, false, true},
        {"Matrix Market", "%%MatrixMarket matrix coordinate ...", is_matrix_market, open_matrix_market, true,
         true},
        {"compact graph", "JSON with \"format\": \"ggsnn-graph\"", is_compact, open_compact, false, true,
         false},
        {"node-link JSON", "{\"nodes\": [{\"id\": ...}], \"links\": [...]}", is_node_link, open_node_link,
         false, true},
        {"molecules", "JSON lines with graph, node_features and targets", is_molecules,
         open_by_lines<open_molecules>, false, false},
        {"graphs", "JSON lines with nodes, edges and question", is_graph_lines, open_by_lines<open_graphs>,
         false, false},
        {"English stories", "lines `1 Mary moved to the bathroom.`", is_english, open_by_lines<open_english>,
         false, false},
        {"stories", "lines `A relation B` and `eval ...`", is_story, open_by_lines<open_stories>, false,
         false},
    };
    return table;
}

bool is_graph_folder(const std::string& path) {
    if (path == "-" || !std::filesystem::is_directory(path)) return false;
    const Input input = open_input(path);
    for (const Format& format : formats())
        if (format.recognise(input)) return true;
    return false;
}

std::unique_ptr<RecordReader> open_records(const std::string& path, const ReadOptions& options) {
    Input input = open_input(path, options.before_wait);
    for (const Format& format : formats()) {
        if (!format.recognise(input)) continue;
        check_options(format, input, options);
        if (options.alone && !format.one_file)
            fail("{}: this is a {}, which is several files; expected a format that is one", input.name(),
                 format.name);
        return format.open(std::move(input), options);
    }
    fail("{}: this looks like {}; expected one of: {}", input.name(), describe_stranger(input),
         names_of_formats());
}

} // namespace ggsnn
