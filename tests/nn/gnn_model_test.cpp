// Model files of the original graph neural network: everything comes back, and a file that lies is refused.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/predict.hpp"
#include "ggsnn/nn/safetensors.hpp"
#include "ggsnn/nn/train/trainer.hpp"
#include "gnn_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;
using testing::Folder;
using ::testing::HasSubstr;

Model small_model(const Dataset& data, EdgeFunction f) {
    TrainOptions options;
    options.kind = "gnn";
    options.network = {{"edge_function", name_of(f)}, {"contraction", 0.8}, {"state", 3}};
    options.updates = 5;
    options.restarts = 2;
    options.ensemble = 2;
    ThreadPool pool(1);
    return train(data, Dataset(), options, pool);
}

std::vector<const Example*> all(const Dataset& data) {
    std::vector<const Example*> examples;
    for (const Example& e : data.examples) examples.push_back(&e);
    return examples;
}

TEST(GnnModel, ComesBackFromItsFileAndAnswersTheSame) {
    const Folder folder;
    for (AnswerKind kind : {AnswerKind::node, AnswerKind::klass, AnswerKind::values, AnswerKind::node_classes,
                            AnswerKind::node_values}) {
        for (EdgeFunction f : {EdgeFunction::linear, EdgeFunction::neural}) {
            const Dataset data = labelled_graphs(3, kind, 12);
            const Model model = small_model(data, f);
            save_model(model, folder / "model");
            const Model back = load_model(folder / "model");
            EXPECT_EQ(gnn_shape(*back.network), gnn_shape(*model.network));
            EXPECT_EQ(back.networks, model.networks);
            ThreadPool pool(2);
            std::vector<Prediction> before, after;
            Predictor(model, nullptr).predict(data, all(data), before);
            Predictor(back, &pool).predict(data, all(data), after);
            ASSERT_EQ(before.size(), 12u);
            for (std::size_t i = 0; i < before.size(); ++i) {
                EXPECT_EQ(before[i].lists, after[i].lists);
                EXPECT_EQ(before[i].labels, after[i].labels);
                const std::size_t nodes = data.graphs[data.examples[i].graph].graph.nodes();
                const bool per_node = is_each_node(kind);
                ASSERT_EQ(after[i].lists.size(), per_node ? nodes : 1);
                if (kind == AnswerKind::node) EXPECT_EQ(after[i].lists[0].size(), nodes);
                for (double v : after[i].lists[0]) EXPECT_TRUE(std::isfinite(v));
            }
        }
    }
}

TEST(GnnModel, StepsHaveNoMeaning) {
    const Dataset data = labelled_graphs(3, AnswerKind::node, 12);
    const Model model = small_model(data, EdgeFunction::linear);
    std::vector<Prediction> out;
    EXPECT_THROW(Predictor(model, nullptr, {7, 0}).predict(data, all(data), out), UsageError);
}

TEST(GnnModel, SequencesAreRefused) {
    Dataset data = labelled_graphs(3, AnswerKind::node, 3);
    data.schema.answer = AnswerKind::node_sequence;
    EXPECT_THROW(small_model(data, EdgeFunction::linear), Error);
}

// A file whose metadata says something else than its tensors, or nonsense.
TEST(GnnModel, AFileThatLiesIsRefused) {
    const Folder folder;
    const Dataset data = labelled_graphs(3, AnswerKind::klass, 12);
    save_model(small_model(data, EdgeFunction::linear), folder / "model");
    const TensorFile honest = decode_tensors(read_file(folder / "model"), "model");
    const auto message = [&](auto change) -> std::string {
        TensorFile file = honest;
        Json meta = Json::parse(file.metadata["ggsnn"]);
        change(meta["network"]);
        file.metadata["ggsnn"] = meta.dump();
        write_file(folder / "lie", encode_tensors(file));
        try {
            load_model(folder / "lie");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message([](Json&) {}), "");
    EXPECT_THAT(message([](Json& n) { n["model"] = 3; }), HasSubstr("expected ggnn or gnn"));
    EXPECT_THAT(message([](Json& n) { n["model"] = "ggnn"; }), HasSubstr("lie"));
    EXPECT_THAT(message([](Json& n) { n["edge_function"] = "cubic"; }), HasSubstr("linear or neural"));
    EXPECT_THAT(message([](Json& n) { n["edge_function"] = "neural"; }), HasSubstr("lie"));
    EXPECT_THAT(message([](Json& n) { n["contraction"] = 1.0; }), HasSubstr("between 0 and 1"));
    EXPECT_THAT(message([](Json& n) { n.erase("contraction"); }), HasSubstr("between 0 and 1"));
    EXPECT_THAT(message([](Json& n) { n["label_values"].erase(0); }), HasSubstr("a multiple of 3"));
    EXPECT_THAT(message([](Json& n) { n["label_values"] = Json::array(); }), HasSubstr("a multiple of 3"));
    EXPECT_THAT(message([](Json& n) { n["label_values"][0] = 1e300; }), HasSubstr("not finite"));
    EXPECT_THAT(message([](Json& n) { n["label_values"][0] = 7; }), HasSubstr("not in order"));
    EXPECT_THAT(message([](Json& n) { n["label_values"] = "all"; }), HasSubstr("not a list"));
    EXPECT_THAT(message([](Json& n) { n["triples"][0][0] = -1; }), HasSubstr("does not fit"));
    EXPECT_THAT(message([](Json& n) { n["triples"][0][1] = 6; }), HasSubstr("does not fit"));
    EXPECT_THAT(message([](Json& n) { n["triples"][0][2] = 9; }), HasSubstr("does not fit"));
    EXPECT_THAT(message([](Json& n) { n["triples"][0].erase(0); }), HasSubstr("does not fit"));
    EXPECT_THAT(message([](Json& n) { std::swap(n["triples"][0], n["triples"][1]); }),
                HasSubstr("not in order"));
    EXPECT_THAT(message([](Json& n) { n["triples"].erase(0); }), HasSubstr("tensors; expected"));
    EXPECT_THAT(message([](Json& n) { n["triples"][0][1] = 5; }), HasSubstr("lie"));
    EXPECT_THAT(message([](Json& n) { n["state"] = 4000; }), HasSubstr("cut short"));
    EXPECT_THAT(message([](Json& n) { n["annotation"] = 4; }), HasSubstr("from 3 to 3"));
}

} // namespace
} // namespace ggsnn
