#include "ggsnn/tasks/formats/json_lines.hpp"

#include <cmath>

namespace ggsnn {

float finite_number(const Json& value, const Place& place, const char* what) {
    if (!value.is_number()) fail_at(place, "{} holds {}; expected a number", what, describe(value));
    const double number = value.get<double>();
    if (!std::isfinite(number) || !std::isfinite(static_cast<float>(number)))
        fail_at(place, "{} holds {}, which is not a finite single-precision number", what, describe(value));
    return static_cast<float>(number);
}

void check_list(const Json& list, std::size_t count, const char* what, const char* things,
                const Place& place) {
    if (!list.is_array())
        fail_at(place, "{} is {}; expected a list with an entry for each of the {} {}", what, describe(list),
                count, things);
    if (list.size() != count)
        fail_at(place, "{} has {} entries; expected one for each of the {} {}", what, list.size(), count,
                things);
}

int read_rows(const Json& rows, const char* what, const Place& place, std::vector<float>& out) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Json& row = rows[i];
        if (!row.is_array())
            fail_at(place, "{}: row {} is {}; expected a list of numbers", what, i, describe(row));
        if (i == 0) width = row.size();
        if (row.size() != width)
            fail_at(place, "{}: row {} has {} numbers; expected {} as in row 0", what, i, row.size(), width);
        for (const Json& x : row) out.push_back(finite_number(x, place, what));
    }
    return static_cast<int>(width);
}

void read_features(const Json& rows, const char* what, Record& record) {
    if (!rows.is_array())
        fail_at(record.place, "{} is {}; expected a list with a row for each node", what, describe(rows));
    if (static_cast<int>(rows.size()) != record.nodes)
        fail_at(record.place, "{} has {} rows; expected one for each of the {} nodes", what, rows.size(),
                record.nodes);
    record.feature_width = read_rows(rows, what, record.place, record.features);
}

int node_number(const Json& value, int nodes, const Place& place, const char* what) {
    if (!value.is_number_integer())
        fail_at(place, "{}: {} is not a node; expected a whole number from 0 to {}", what, describe(value),
                nodes - 1);
    const auto node = value.get<std::int64_t>(); // beyond 2^63 it wraps to a negative number
    if (node < 0 || node >= nodes)
        fail_at(place, "{}: node {} is out of range; expected 0 to {}", what, value.dump(), nodes - 1);
    return static_cast<int>(node);
}

std::string type_text(const Json& value, const Place& place, const char* what) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    fail_at(place, "{}: the type is {}; expected a string or a whole number", what, describe(value));
}

} // namespace ggsnn
