#include "ggsnn/tasks/formats/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ggsnn {

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool is_one_of(std::string_view name, std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), lower(name)) != names.end();
}

std::optional<double> number_in(std::string_view text) {
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.empty()) return {};
    if (error == std::errc::result_out_of_range) return HUGE_VAL;
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

namespace {

bool is_missing(std::string_view cell) {
    return cell.empty() || is_one_of(cell, {"na", "nan", "null"});
}

// Numbers, and true and false, which are 1 and 0.
std::optional<double> number_of_cell(std::string_view cell) {
    if (is_one_of(cell, {"true"})) return 1;
    if (is_one_of(cell, {"false"})) return 0;
    return number_in(cell);
}

} // namespace

int Table::column(const std::string& name, Kind kind) {
    const auto [at, fresh] = index_.emplace(name, columns());
    if (fresh) columns_.push_back({name, kind, {}, {}});
    return at->second;
}

int Table::find(std::string_view name) const {
    const auto at = index_.find(std::string(name));
    return at == index_.end() ? -1 : at->second;
}

std::string Table::list() const {
    constexpr int most = 12;
    std::string text;
    for (int c = 0; c < std::min(most, columns()); ++c) text += (c > 0 ? ", " : "") + name(c);
    if (columns() > most) text += fmt::format(", ... ({} in all)", columns());
    return text.empty() ? "none" : text;
}

void Table::add_row(long line) {
    lines_.push_back(line);
}

void Table::set(int column, std::string_view text) {
    Column& c = columns_[column];
    c.ends.resize(lines_.size() - 1, c.bytes.size());
    c.bytes += text;
    c.ends.push_back(c.bytes.size());
}

std::string_view Table::cell(int column, int row) const {
    const Column& c = columns_[column];
    if (static_cast<std::size_t>(row) >= c.ends.size()) return {};
    const std::size_t begin = row > 0 ? c.ends[row - 1] : 0;
    return std::string_view(c.bytes).substr(begin, c.ends[row] - begin);
}

bool Table::is_empty(int column) const {
    return columns_[column].bytes.empty();
}

bool Table::is_number(int column) const {
    if (columns_[column].kind != Kind::open) return columns_[column].kind == Kind::number;
    bool any = false;
    for (int r = 0; r < rows(); ++r) {
        const std::string_view text = cell(column, r);
        if (is_missing(text)) continue;
        if (!number_of_cell(text)) return false;
        any = true;
    }
    return any;
}

bool Table::is_whole(int column) const {
    for (int r = 0; r < rows(); ++r) {
        std::string_view text = cell(column, r);
        if (is_missing(text) || is_one_of(text, {"true", "false"})) continue;
        if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
        if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
    }
    return true;
}

std::optional<float> Table::number(int column, int row) const {
    const std::string_view text = cell(column, row);
    if (is_missing(text)) return {};
    const auto number = number_of_cell(text);
    if (!number) fail_at(place(row), "{}: \"{}\" is not a number", name(column), text.substr(0, 60));
    const auto single = static_cast<float>(*number);
    if (!std::isfinite(single))
        fail_at(place(row), "{} holds {}, which is not a finite single-precision number", name(column),
                text.substr(0, 60));
    return single;
}

} // namespace ggsnn
