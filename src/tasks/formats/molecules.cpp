// JSON lines with `graph`, `node_features` and `targets`, as QM9 is published for graph networks.
#include "ggsnn/tasks/formats/json_lines.hpp"

#include <cmath>

namespace ggsnn {

namespace {

class Molecules : public RecordReader {
  public:
    Molecules(std::unique_ptr<LineReader> lines, const ReadOptions& options)
        : lines_(std::move(lines)), options_(options) {}
    const char* format() const override { return "molecules"; }
    Place place() const override { return lines_.place(); }

    bool next(Record& record) override {
        Json line;
        record = {};
        if (!lines_.next(line)) return false;
        record.place = lines_.place();
        if (line.contains("id")) record.id = line["id"].dump();
        for (const char* key : {"graph", "node_features"})
            if (!line.contains(key))
                fail_at(record.place, "\"{}\" is missing; expected graph, node_features and targets", key);
        if (!line["node_features"].is_array())
            fail_at(record.place, "node_features is {}; expected a list", describe(line["node_features"]));
        record.nodes = static_cast<int>(line["node_features"].size());
        if (record.nodes == 0) fail_at(record.place, "the graph has no nodes");
        read_features(line["node_features"], "node_features", record);
        if (!line["graph"].is_array())
            fail_at(record.place, "graph is {}; expected a list of edges", describe(line["graph"]));
        for (const Json& edge : line["graph"]) {
            if (!edge.is_array() || edge.size() != 3)
                fail_at(record.place, "graph holds {}; expected [source, type, target]", describe(edge));
            record.edges.push_back({node_number(edge[0], record.nodes, record.place, "graph"),
                                    type_text(edge[1], record.place, "graph"),
                                    node_number(edge[2], record.nodes, record.place, "graph")});
        }
        RawQuestion question{"targets", {}, {}, {}, false, record.place};
        if (line.contains("targets")) read_targets(line["targets"], record.place, question.answer);
        if (!question.answer.present && options_.need_answers)
            fail_at(record.place, "\"targets\" is missing");
        record.questions.push_back(std::move(question));
        return true;
    }

  private:
    void read_targets(const Json& targets, const Place& place, RawAnswer& answer) {
        if (!targets.is_array()) fail_at(place, "targets is {}; expected a list", describe(targets));
        std::vector<float> all;
        if (targets.empty()) fail_at(place, "targets is a list of 0; expected at least one number");
        for (const Json& t : targets) {
            const Json& value = t.is_array() && t.size() == 1 ? t[0] : t;
            all.push_back(value.is_null() ? NAN : finite_number(value, place, "targets"));
        }
        answer.present = true;
        answer.kind = AnswerKind::values;
        if (options_.targets.empty()) answer.values = all;
        for (int wanted : options_.targets) {
            if (wanted < 0 || wanted >= static_cast<int>(all.size()))
                fail_at(place, "target {} is out of range; expected 0 to {}", wanted, all.size() - 1);
            answer.values.push_back(all[wanted]);
        }
    }

    JsonLines lines_;
    ReadOptions options_;
};

} // namespace

std::unique_ptr<RecordReader> open_molecules(std::unique_ptr<LineReader> lines, const ReadOptions& options) {
    return std::make_unique<Molecules>(std::move(lines), options);
}

} // namespace ggsnn
