// Exported ONNX files say what Predictor says, on 200 graphs each: in an interpreter of our own on numpy,
// which always runs, and in onnxruntime where npm could install it.
#include "cases.hpp"
#include "cli/process.hpp"
#include "ggsnn/export/onnx.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace ggsnn {
namespace {

using namespace test;
using ::ggsnn::testing::Folder;

Json array(const char* type, const std::vector<std::size_t>& dims, Json data = Json::array()) {
    return {{"type", type}, {"dims", dims}, {"data", std::move(data)}};
}

// Of a sequence: enough to see that annotations go on from output to output.
constexpr std::size_t most_outputs = 4;

// Some of a case's questions as one batch of inputs, and the numbers expected of each step.
class Batch {
  public:
    Batch(const Model& model, int question) : model_(model), question_(question) {}

    void add(const Draft& draft, const Prediction& prediction) {
        const Schema& schema = model_.schema;
        const int end = schema.answer == AnswerKind::node_sequence ? 1 : 0;
        for (int v = 0; v < draft.nodes + end; ++v) {
            graph_.push_back(graphs_);
            end_.push_back(v == draft.nodes ? 1 : 0);
            for (int j = 0; j < schema.features; ++j)
                features_.push_back(
                    v < draft.nodes ? draft.features[static_cast<std::size_t>(v) * schema.features + j] : 0);
            for (int t = 0; t < schema.tags.size(); ++t)
                tags_.push_back(std::count(draft.tags.begin(), draft.tags.end(), std::pair(v, t)));
            for (int i = 0; i < schema.arguments; ++i)
                marks_.push_back(draft.example.arguments[i] == v ? 1 : 0);
        }
        for (std::size_t i = 0; i < draft.edges.size(); ++i) {
            sources_.push_back(nodes_ + draft.edges[i].source);
            types_.push_back(draft.edges[i].type);
            targets_.push_back(nodes_ + draft.edges[i].target);
            weights_.push_back(draft.weights.empty() ? 1.0F : draft.weights[i]);
        }
        for (float number : draft.edge_numbers) numbers_.push_back(number);
        lists_.push_back(&prediction.lists);
        nodes_ += draft.nodes + end;
        ++graphs_;
    }

    Json json() const {
        const Schema& schema = model_.schema;
        const std::size_t nodes = nodes_, edges = sources_.size();
        const auto wide = [](int value) { return static_cast<std::size_t>(value); };
        Json in = {{"graph", array("int64", {nodes}, graph_)},
                   {"sources", array("int64", {edges}, sources_)},
                   {"types", array("int64", {edges}, types_)},
                   {"targets", array("int64", {edges}, targets_)},
                   {"edge_weights", array("float32", {edges}, weights_)},
                   {"features", array("float32", {nodes, wide(schema.features)}, features_)},
                   {"marks", array("float32", {nodes, wide(schema.arguments)}, marks_)}};
        if (schema.tags.size() > 0) in["tags"] = array("float32", {nodes, wide(schema.tags.size())}, tags_);
        if (schema.edge_features > 0)
            in["edge_numbers"] = array("float32", {edges, wide(schema.edge_features)}, numbers_);
        if (schema.answer == AnswerKind::node_sequence) in["end"] = array("float32", {nodes, 1}, end_);
        if (is_sequence(schema.answer)) {
            const std::size_t members = model_.networks[question_].size(),
                              width = gated_shape(*model_.network).annotation;
            // What is not looked at in the first step should not matter.
            in["annotations"] =
                array("float32", {members, nodes, width}, Json(std::vector<int>(members * nodes * width, 7)));
            in["first"] = array("bool", {1}, {1});
        }
        return {{"inputs", in}, {"steps", steps()}};
    }

  private:
    // Lists in order; those of a sequence that is over are null.
    Json steps() const {
        const bool sequence = is_sequence(model_.schema.answer);
        std::size_t count = 1;
        for (const auto* lists : lists_)
            count = std::max(count, sequence ? std::min(lists->size(), most_outputs) : 1);
        Json all = Json::array();
        for (std::size_t k = 0; k < count; ++k) {
            Json& step = all.emplace_back(Json::array());
            for (const auto* lists : lists_)
                for (std::size_t i = 0; i < (sequence ? 1 : lists->size()); ++i) {
                    const bool over = sequence && k >= lists->size();
                    for (double value : (*lists)[sequence && !over ? k : i])
                        step.push_back(over ? Json() : Json(value));
                }
        }
        return all;
    }

    const Model& model_;
    int question_;
    int nodes_ = 0, graphs_ = 0;
    std::vector<int> graph_, sources_, types_, targets_, end_;
    std::vector<float> features_, weights_, numbers_;
    std::vector<long> tags_, marks_;
    std::vector<const Lists*> lists_;
};

// Batches of one graph, of a few, and of all that are left.
Json batches(const ExportCase& made, int question, std::size_t& count) {
    const auto expected = predict(made.model, made.data);
    std::vector<Batch> all = {{made.model, question}, {made.model, question}, {made.model, question}};
    std::size_t taken = 0;
    for (std::size_t i = 0; i < made.drafts.size(); ++i) {
        if (made.drafts[i].example.question != question) continue;
        all[taken == 0 ? 0 : taken < 6 ? 1 : 2].add(made.drafts[i], expected[i]);
        ++taken;
    }
    EXPECT_GE(taken, 7U);
    Json list = Json::array();
    for (const Batch& batch : all) list.push_back(batch.json());
    for (const Json& batch : list)
        for (const Json& step : batch["steps"])
            for (const Json& value : step) count += value.is_null() ? 0 : 1;
    return list;
}

// Models and their cases in a folder, and how many numbers each has to compare.
class OnnxFiles {
  public:
    void add(const ExportCase& made) {
        for (std::size_t q = 0; q < made.model.networks.size(); ++q) {
            const int question = static_cast<int>(q);
            const std::string name = made.name + "_" + std::to_string(q);
            folder_.put(name + ".onnx", export_onnx(made.model, question));
            std::size_t count = 0;
            folder_.put(name + ".json", batches(made, question, count).dump());
            counts_[name] = count;
        }
    }
    const Folder& folder() const { return folder_; }

    // Runs them; every number must have been compared.
    void check(const std::string& program, const std::vector<std::string>& arguments) const {
        const testing::Result result = testing::Process(arguments, [] {}, program).wait();
        ASSERT_EQ(result.code, 0) << result.err;
        std::istringstream lines(result.out);
        std::string name;
        std::size_t count = 0, models = 0;
        double worst = 0;
        for (; lines >> name >> count >> worst; ++models) {
            EXPECT_EQ(count, counts_.at(name)) << name;
            EXPECT_LE(worst, 1e-5);
        }
        EXPECT_EQ(models, counts_.size()) << result.out;
        std::fputs(result.out.c_str(), stdout);
    }

  private:
    Folder folder_;
    std::map<std::string, std::size_t> counts_;
};

class ExportedOnnx : public ::testing::TestWithParam<AnswerKind> {
  protected:
    void SetUp() override {
        for (const auto& [kind, settings] : export_cases())
            if (kind == GetParam()) files_.add(export_case(kind, settings, settings.questions * 200));
    }
    OnnxFiles files_;
};
INSTANTIATE_TEST_SUITE_P(All, ExportedOnnx, ::testing::ValuesIn(plain_kinds()),
                         [](const auto& instance) { return std::string(name_of(instance.param)); });

const std::string own_runner = GGSNN_SOURCE "/tests/export/onnx_run.py",
                  their_runner = GGSNN_SOURCE "/tests/export/onnx_run.mjs";
// Where scripts/main.sh has npm put onnxruntime.
const std::string modules = GGSNN_SOURCE "/build/onnxruntime/node_modules";

bool has_onnxruntime() {
    return std::filesystem::exists(modules + "/onnxruntime-web/package.json");
}

TEST_P(ExportedOnnx, SaysTheSameInNumpy) {
    files_.check("/usr/bin/python3", {own_runner, files_.folder().path()});
}

// All at once: onnxruntime takes seconds to start.
TEST(ExportOnnx, SaysTheSameInOnnxruntime) {
    if (!has_onnxruntime())
        GTEST_SKIP() << "no onnxruntime-web in " << modules << ": npm could not install it";
    OnnxFiles files;
    for (const auto& [kind, settings] : export_cases())
        files.add(export_case(kind, settings, settings.questions * 200));
    files.check("/usr/bin/env", {"node", their_runner, files.folder().path(), modules});
}

// Scores whose powers are beyond double precision are shifted by the largest of their graph. Here they are
// sums of +-100, +-200, ..., which have no rounding errors that the powers would make large.
TEST(ExportOnnx, LargeScoresDoNotOverflow) {
    ExportCase made = export_case(AnswerKind::node, export_settings()[1], 60);
    for (const Tensor& t : made.model.network->layout().tensors())
        for (auto& parameters : made.model.networks[0])
            for (int i = 0; i < t.rows; ++i)
                for (int j = 0; j < t.cols; ++j) {
                    float& w = parameters[t.offset + static_cast<std::size_t>(i) * t.ld + j];
                    if (t.name == "output.W_1" || t.name == "output.b_1") w *= 1e6F;
                    if (t.name == "output.W_2") w = 100.0F * static_cast<float>(i + 1);
                }
    OnnxFiles files;
    files.add(made);
    files.check("/usr/bin/python3", {own_runner, files.folder().path()});
}

} // namespace
} // namespace ggsnn
