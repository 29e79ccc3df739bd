// What a file is that is of no format known here, so that the message can say so.
#include "ggsnn/tasks/formats/csv.hpp"
#include "ggsnn/tasks/formats/formats.hpp"
#include "ggsnn/tasks/formats/table.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

using namespace std::string_view_literals;

struct Mark {
    std::string_view begins;
    const char* what;
};

// By their first bytes. Gzipped files were unpacked before.
constexpr Mark file_marks[] = {
    {"%PDF-"sv, "a PDF"},
    {"PK\x03\x04"sv, "a zip archive (as numpy's .npz, PyTorch's .pt and spreadsheets are)"},
    {"\x93NUMPY"sv, "an array of numpy (.npy): a graph needs a JSON header that names its arrays"},
    {"\x80\x02"sv, "a Python pickle"},
    {"\x80\x03"sv, "a Python pickle"},
    {"\x80\x04"sv, "a Python pickle"},
    {"\x80\x05"sv, "a Python pickle"},
    {"\x89HDF"sv, "HDF5"},
    {"PAR1"sv, "Parquet"},
    {"ARROW1"sv, "Arrow"},
    {"SQLite format 3"sv, "an SQLite database"},
    {"MATLAB 5.0"sv, "a MATLAB file"},
    {"\xfd"
     "7zXZ"sv,
     "an xz archive: only gzip is unpacked"},
    {"BZh"sv, "a bzip2 archive: only gzip is unpacked"},
    {"\x28\xb5\x2f\xfd"sv, "a zstd archive: only gzip is unpacked"},
    {"\x89PNG"sv, "a PNG picture"},
    {"\xff\xd8\xff"sv, "a JPEG picture"},
    {"\x7f"
     "ELF"sv,
     "a program"},
    {"\xff\xfe"sv, "text in UTF-16: expected UTF-8"},
    {"\xfe\xff"sv, "text in UTF-16: expected UTF-8"},
};

// By their first words.
constexpr Mark text_marks[] = {
    {"digraph"sv, "DOT of Graphviz"},
    {"strict "sv, "DOT of Graphviz"},
    {"graph {"sv, "DOT of Graphviz"},
    {"graph ["sv, "GML"},
    {"creator \""sv, "GML"},
    {"*vertices"sv, "Pajek"},
    {"*network"sv, "Pajek"},
    {"dl n"sv, "UCINET's DL"},
    {"#!"sv, "a script"},
    {"import "sv, "Python source"},
    {"from "sv, "Python source"},
    {"["sv, "a JSON list: expected an object"},
    {"@relation"sv, "ARFF of Weka"},
    {"@prefix"sv, "Turtle (RDF)"},
};

std::string shortened(const std::string& text) {
    std::size_t end = std::min<std::size_t>(text.size(), 60);
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return text.substr(0, end) + (end < text.size() ? "..." : "");
}

std::string describe_xml(const std::string& bytes) {
    const std::string text = lower(bytes);
    if (text.find("<!doctype html") != std::string::npos || text.find("<html") != std::string::npos)
        return "HTML";
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        if (at + 1 >= text.size() || text[at + 1] == '?' || text[at + 1] == '!') continue;
        const std::string name = text.substr(at + 1, text.find_first_of(" \t\r\n/>", at) - at - 1);
        return fmt::format("XML with the element <{}>", shortened(name));
    }
    return "XML";
}

// Numbers separated by blanks or commas: an edge list without a header.
bool is_all_numbers(const std::string& line) {
    std::string text = line;
    std::replace_if(text.begin(), text.end(), [](char c) { return c == ',' || c == ';' || c == '\t'; }, ' ');
    std::size_t numbers = 0;
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos; ++numbers) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (!number_in(std::string_view(text).substr(at, end - at))) return false;
        at = end;
    }
    return numbers > 1;
}

} // namespace

std::string describe_stranger(const Input& input) {
    if (input.is_folder()) return "a folder of something else";
    for (const Mark& mark : file_marks)
        if (input.line.starts_with(mark.begins) || input.bytes.starts_with(mark.begins)) return mark.what;
    if (input.bytes.size() > 262 && input.bytes.substr(257, 5) == "ustar") return "a tar archive";
    if (input.line.starts_with('<')) return describe_xml(input.bytes);
    if (!input.bytes.empty()) return "no text: it has bytes that text does not have";
    if (input.document.is_object())
        return "one JSON object over several lines: expected each graph on a line of its own";
    for (const Mark& mark : text_marks)
        if (lower(input.line).starts_with(mark.begins)) return mark.what;
    if (is_all_numbers(input.line))
        return fmt::format("a list of edges without a header ('{}'): expected a first line such as "
                           "source,target,weight",
                           shortened(input.line));
    const std::vector<std::string> columns = csv_columns(input.line);
    if (columns.size() > 1 && std::any_of(columns.begin(), columns.end(),
                                          [](const std::string& c) { return is_one_of(c, {"id", "node"}); }))
        return fmt::format(
            "a table of nodes, with the columns {}: expected the edges, with the nodes beside them",
            shortened(fmt::format("{}", fmt::join(columns, ", "))));
    if (columns.size() > 1)
        return fmt::format("CSV with the columns {}: expected source and target among them",
                           shortened(fmt::format("{}", fmt::join(columns, ", "))));
    return fmt::format("plain text that begins with '{}'", shortened(input.line));
}

} // namespace ggsnn
