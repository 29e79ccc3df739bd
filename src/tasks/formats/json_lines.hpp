// What the formats of JSON lines share: lines that are not blank, and values that are checked, each with the
// place that a message names.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/tasks/record.hpp"

namespace ggsnn {

// Lines of a JSON-lines file that are not blank.
class JsonLines {
  public:
    explicit JsonLines(std::unique_ptr<LineReader> lines) : lines_(std::move(lines)) {}
    bool next(Json& value) {
        std::string_view line;
        do {
            if (!lines_->next(line)) {
                if (!any_) fail("{}: the file is empty; expected a graph a line", lines_->path());
                return false;
            }
        } while (line.find_first_not_of(" \t") == std::string_view::npos);
        any_ = true;
        value = parse_json(line, lines_->place());
        if (!value.is_object())
            fail_at(lines_->place(), "the line is {}; expected an object", describe(value));
        return true;
    }
    Place place() const { return lines_->place(); }

  private:
    std::unique_ptr<LineReader> lines_;
    bool any_ = false;
};

float finite_number(const Json& value, const Place& place, const char* what);
// A list with an entry for each of `count` things.
void check_list(const Json& list, std::size_t count, const char* what, const char* things,
                const Place& place);
// Rows of numbers, all of one width, which is returned.
int read_rows(const Json& rows, const char* what, const Place& place, std::vector<float>& out);
void read_features(const Json& rows, const char* what, Record& record);
int node_number(const Json& value, int nodes, const Place& place, const char* what);
std::string type_text(const Json& value, const Place& place, const char* what);

} // namespace ggsnn
