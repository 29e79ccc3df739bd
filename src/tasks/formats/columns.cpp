// What the columns of tables mean: the rules of table.hpp.
#include "ggsnn/tasks/formats/table.hpp"

#include <algorithm>
#include <cmath>

namespace ggsnn {

namespace {

// `y`, or the columns `y[0]`, `y[1]`, ... that a list became.
bool belongs_to(std::string_view column, std::string_view name) {
    return column == name || (column.starts_with(name) && column.substr(name.size()).starts_with('['));
}

std::vector<int> columns_named(const Table& table, std::string_view name, bool any_case) {
    std::vector<int> found;
    for (int c = 0; c < table.columns(); ++c)
        if (belongs_to(any_case ? lower(table.name(c)) : table.name(c), name)) found.push_back(c);
    return found;
}

bool all_empty(const Table& table, const std::vector<int>& columns) {
    return std::all_of(columns.begin(), columns.end(), [&](int c) { return table.is_empty(c); });
}

// The columns of the answer, empty ones where no others are; none where the table has none.
std::vector<int> label_columns(const Table& table, const ReadOptions& options) {
    const std::string& wanted = options.label.empty() ? options.trained_label : options.label;
    if (!wanted.empty()) return columns_named(table, wanted, false);
    std::vector<int> found;
    for (const char* name : {"label", "class", "y", "target"}) {
        const std::vector<int> columns = columns_named(table, name, true);
        if (columns.empty()) continue;
        if (!all_empty(table, found) && !all_empty(table, columns))
            fail("{}: the columns {} and {} could both be the answer; say which with --label", table.file(),
                 table.name(found[0]), table.name(columns[0]));
        if (all_empty(table, found)) found = columns;
    }
    return found;
}

Part part_in(const Table& table, int column, int row) {
    const std::string name = lower(table.cell(column, row));
    if (name.empty() || name == "none") return Part::none;
    if (name == "train") return Part::train;
    if (is_one_of(name, {"valid", "val", "validation", "dev"})) return Part::valid;
    if (name == "test") return Part::test;
    fail_at(table.place(row), "{}: \"{}\" is not a part; expected train, valid or test", table.name(column),
            name.substr(0, 60));
}

Part part_of_mask(std::string_view name) {
    if (is_one_of(name, {"train_mask"})) return Part::train;
    if (is_one_of(name, {"val_mask", "valid_mask"})) return Part::valid;
    return is_one_of(name, {"test_mask"}) ? Part::test : Part::none;
}

// Which part each node belongs to; marks the columns that say so.
void read_parts(const Table& table, std::vector<char>& used, Record& record) {
    for (int c = 0; c < table.columns(); ++c) {
        const bool split = is_one_of(table.name(c), {"split"});
        const Part part = part_of_mask(table.name(c));
        if (used[c] != 0 || (!split && part == Part::none)) continue;
        used[c] = 1;
        if (table.is_empty(c)) continue;
        record.split.resize(record.nodes, Part::none);
        for (int v = 0; v < record.nodes; ++v) {
            const Part found = split                                 ? part_in(table, c, v)
                               : table.number(c, v).value_or(0) != 0 ? part
                                                                     : Part::none;
            if (found == Part::none) continue;
            if (record.split[v] != Part::none && record.split[v] != found)
                fail_at(table.place(v), "{}: the node is in two parts", table.name(c));
            record.split[v] = found;
        }
    }
}

// A class for each row, or numbers for each; nothing from empty columns.
void read_labels(const Table& table, const std::vector<int>& columns, bool of_graph, RawAnswer& answer) {
    answer.present = !all_empty(table, columns);
    if (!answer.present) return;
    const bool classes = columns.size() == 1 && (!table.is_number(columns[0]) || table.is_whole(columns[0]));
    if (classes) {
        answer.kind = of_graph ? AnswerKind::klass : AnswerKind::node_classes;
        const bool numbers = table.is_number(columns[0]);
        for (int r = 0; r < table.rows(); ++r) {
            const std::string_view text = table.cell(columns[0], r);
            const bool missing = numbers ? !table.number(columns[0], r) : text.empty();
            answer.words.emplace_back(missing ? "" : text);
            if (!of_graph) answer.missing.push_back(missing ? 1 : 0);
        }
        return;
    }
    answer.kind = of_graph ? AnswerKind::values : AnswerKind::node_values;
    for (int r = 0; r < table.rows(); ++r)
        for (const int c : columns) answer.values.push_back(table.number(c, r).value_or(NAN));
}

void add_categories(const Table& table, int column, Record& record) {
    for (int v = 0; v < record.nodes; ++v)
        if (const std::string_view text = table.cell(column, v); !text.empty())
            record.tags.emplace_back(v, fmt::format("{}={}", table.name(column), text));
}

// Columns of numbers side by side, a row for each node or edge; `missing(row, column)` for each that is not
// there.
template <class Missing>
std::vector<float> numbers_of(const Table& table, const std::vector<int>& columns, Missing missing) {
    std::vector<float> out;
    out.reserve(columns.size() * static_cast<std::size_t>(table.rows()));
    for (int r = 0; r < table.rows(); ++r) {
        for (const int c : columns) {
            const auto number = table.number(c, r);
            if (!number) missing(r, c);
            out.push_back(number.value_or(0));
        }
    }
    return out;
}

// What Gephi calls the type of an edge.
bool says_directed(const Table& table, int column) {
    for (int r = 0; r < table.rows(); ++r)
        if (!table.cell(column, r).empty() && !is_one_of(table.cell(column, r), {"directed", "undirected"}))
            return false;
    return true;
}

int type_column(const Table& table, std::vector<char>& used) {
    for (const char* name : {"type", "edge_type", "relation", "rel", "predicate", "kind", "label"}) {
        for (int c = 0; c < table.columns(); ++c) {
            if (used[c] != 0 || table.is_empty(c) || lower(table.name(c)) != name) continue;
            used[c] = 1;
            if (!says_directed(table, c)) return c;
        }
    }
    return -1;
}

} // namespace

void read_nodes(const Table& table, int aside, const ReadOptions& options, bool graph_labelled,
                Record& record, RawAnswer& answer) {
    GGSNN_ASSERT(table.rows() == record.nodes);
    std::vector<char> used(table.columns(), 0);
    if (aside >= 0) used[aside] = 1;
    if (!graph_labelled) {
        const std::vector<int> label = label_columns(table, options);
        for (const int c : label) used[c] = 1;
        read_labels(table, label, false, answer);
        read_parts(table, used, record);
    }
    std::vector<int> numbers;
    for (int c = 0; c < table.columns(); ++c) {
        if (used[c] != 0 || is_one_of(table.name(c), {"id", "name"})) continue;
        if (table.is_number(c)) {
            numbers.push_back(c);
        } else {
            add_categories(table, c, record);
        }
    }
    record.feature_width = static_cast<int>(numbers.size());
    record.features = numbers_of(table, numbers, [&](int node, int column) {
        record.tags.emplace_back(node, table.name(column) + " missing");
    });
}

void read_edges(const Table& table, std::initializer_list<int> aside, Record& record) {
    GGSNN_ASSERT(static_cast<std::size_t>(table.rows()) == record.edges.size());
    std::vector<char> used(table.columns(), 0);
    for (const int c : aside) used[c] = 1;
    const int type = type_column(table, used);
    for (int e = 0; e < table.rows() && type >= 0; ++e)
        if (const std::string_view text = table.cell(type, e); !text.empty()) record.edges[e].type = text;
    std::vector<int> numbers;
    for (int c = 0; c < table.columns(); ++c) {
        if (used[c] != 0 || is_one_of(table.name(c), {"id", "key", "name"})) continue;
        if (is_one_of(table.name(c), {"weight", "edge_weight"})) {
            if (!record.edge_weights.empty()) fail("{}: two columns of weights; expected one", table.file());
            for (int e = 0; e < table.rows(); ++e)
                record.edge_weights.push_back(table.number(c, e).value_or(1));
        } else if (table.is_number(c)) {
            numbers.push_back(c);
        } else {
            for (int e = 0; e < table.rows(); ++e)
                if (!table.cell(c, e).empty() && !number_in(table.cell(c, e)))
                    fail_at(
                        table.place(e),
                        "{} holds the text \"{}\"; edges have one column of text, their type, and otherwise "
                        "expected are numbers",
                        table.name(c), table.cell(c, e).substr(0, 60));
        }
    }
    record.edge_width = static_cast<int>(numbers.size());
    record.edge_features = numbers_of(table, numbers, [](int, int) {});
}

bool read_graph(const Table& table, const ReadOptions& options, Record& record, RawAnswer& answer) {
    GGSNN_ASSERT(table.rows() == 1);
    const std::vector<int> label = label_columns(table, options);
    read_labels(table, label, true, answer);
    for (int c = 0; c < table.columns(); ++c)
        if (is_one_of(table.name(c), {"split"}) && part_in(table, c, 0) != Part::none)
            record.split = {part_in(table, c, 0)};
    return !label.empty();
}

void ask(RawAnswer answer, const ReadOptions& options, const std::string& columns, Record& record) {
    if (!answer.present && options.need_answers) {
        const std::string& wanted = options.label.empty() ? options.trained_label : options.label;
        if (wanted.empty())
            fail_at(record.place,
                    "nothing says the answer: expected a column label, class, y or target, or --label with "
                    "one of "
                    "{}",
                    columns);
        fail_at(record.place, "there is no column \"{}\" of answers; expected one of {}", wanted, columns);
    }
    record.questions.push_back({"question", {}, std::move(answer), {}, false, record.place});
}

void add_reverse(Record& record, const std::vector<char>& undirected) {
    const std::size_t width = record.edge_width;
    for (std::size_t e = 0; e < undirected.size(); ++e) {
        const RawEdge edge = record.edges[e];
        if (undirected[e] == 0 || edge.source == edge.target) continue;
        record.edges.push_back({edge.target, edge.type, edge.source});
        if (!record.edge_weights.empty()) record.edge_weights.push_back(record.edge_weights[e]);
        for (std::size_t j = 0; j < width; ++j)
            record.edge_features.push_back(record.edge_features[e * width + j]);
    }
}

} // namespace ggsnn
