// ggsnn export and ggsnn import as a user calls them: what they write, and what they refuse.
#include "ggsnn/nn/model.hpp"
#include "process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace ggsnn::testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A model of two types of questions, and those that cannot be exported.
void train_models(const Folder& folder) {
    must({"generate", "babi4", "--count", "30", "-o", folder / "data"});
    must({"train", folder / "data", "-o", folder / "m", "--updates", "2", "--restarts", "1", "--quiet"});
    must({"train", folder / "data", "-o", folder / "rnn", "--model", "rnn", "--updates", "2", "--restarts",
          "1", "--quiet"});
    must({"train", folder / "data", "-o", folder / "far", "--reach", "2", "--updates", "2", "--restarts", "1",
          "--quiet"});
    must({"generate", "bfs", "--count", "4", "--nodes", "5", "--hints", "-o", folder / "hints"});
    must({"train", folder / "hints", "-o", folder / "steps", "--updates", "2", "--restarts", "1", "--quiet"});
    folder.put("english", "1 Ann went home.\n2 Where is Ann?\thome\n1 Bob left.\n2 Where is Bob?\tout\n");
    must({"train", folder / "english", "-o", folder / "reads", "--updates", "2", "--restarts", "1",
          "--quiet"});
}

TEST(Export, WritesFilesAndRefusesTheRest) {
    const Folder folder;
    train_models(folder);
    EXPECT_EQ(must({"export", folder / "m", "--onnx", folder / "m.onnx", "--question", "s", "--c",
                    folder / "my-net.c"}),
              "");
    EXPECT_THAT(read_file(folder / "m.onnx"), HasSubstr("ggsnn.question_type"));
    EXPECT_THAT(read_file(folder / "my-net.c"), StartsWith("/* A gated graph neural network"));
    EXPECT_THAT(read_file(folder / "my-net.c"), HasSubstr("int my_net_predict(const my_net_graph *graph"));
    const struct {
        Arguments arguments;
        const char* words;
    } wrong[] = {
        {{"export", folder / "m"}, "--onnx or --c is required"},
        {{"export", folder / "m", "--onnx", folder / "x"}, "holds that of --question, one of"},
        {{"export", folder / "m", "--onnx", folder / "x", "--question", "up"}, "--question up: "},
        {{"export", folder / "m", "--c", folder / "x.c", "--question", "s"}, "no meaning without --onnx"},
        {{"export", folder / "m", "--c", folder / "1.c"}, "has to begin with a letter"},
        {{"export", folder / "rnn", "--c", folder / "x.c"}, "is of kind rnn"},
        {{"export", folder / "steps", "--onnx", folder / "x"}, "is of kind stepper"},
        {{"export", folder / "reads", "--onnx", folder / "x"}, "is of kind reader"},
        {{"export", folder / "far", "--onnx", folder / "x", "--question", "s"},
         "is not for networks with \"reach\": 2"},
        {{"export", folder / "far", "--c", folder / "x.c"}, "is not for networks with \"reach\": 2"},
    };
    for (const auto& each : wrong) {
        const Result result = run(each.arguments);
        EXPECT_EQ(result.code, 2) << each.words;
        EXPECT_THAT(result.err, HasSubstr(each.words));
    }
}

// Messages over one edge, with a layer whose weights are zero but for the candidate: h' = (h + tanh(m)) / 2.
std::string layer_file(std::size_t layers) {
    TensorFile file;
    NamedTensor& weight = file.tensors["weight"];
    weight.shape = {layers, 2, 2};
    for (std::size_t i = 0; i < layers; ++i) weight.values.insert(weight.values.end(), {1, 0, 0, 1});
    file.tensors["rnn.weight_ih"] = {{6, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1}};
    file.tensors["rnn.weight_hh"] = {{6, 2}, std::vector<float>(12, 0)};
    return encode_tensors(file);
}

TEST(Import, MakesAModelThatAnswers) {
    const Folder folder;
    folder.put("w.safetensors", layer_file(1));
    must({"import", "--pyg", folder / "w.safetensors", "--edge-types", "cites", "-o", folder / "m"});
    EXPECT_THAT(must({"info", folder / "m"}), HasSubstr("reset after its matrix, linear readout"));
    folder.put("data", R"({"nodes": 2, "features": [[1, 0], [0, 0]], "edges": [[0, "cites", 1]], )"
                       R"("question": {"arguments": [], "answer": {"node_numbers": [[0, 0], [0, 0]]}}})"
                       "\n");
    // Node 0 hears no one: 1 / 2. Node 1: tanh(1) / 2.
    const std::string answer = must({"predict", folder / "m", folder / "data", "--json"});
    EXPECT_THAT(answer, HasSubstr("0.5"));
    EXPECT_THAT(answer, HasSubstr("0.38079"));
    folder.put("two.safetensors", layer_file(2));
    must({"import", "--pyg", folder / "two.safetensors", "--edge-types", "cites", "-o", folder / "two"});
    EXPECT_EQ(must({"predict", folder / "two", folder / "data", "--json", "--steps", "1"}), answer);
    const struct {
        Arguments arguments;
        const char* words;
        int code;
    } wrong[] = {
        {{"import", "-o", folder / "x"}, "expected one of --pyg and --dgl", 2},
        {{"import", "--pyg", "a", "--dgl", "b", "-o", folder / "x"}, "expected one of --pyg and --dgl", 2},
        {{"import", "--pyg", folder / "w.safetensors", "--messages", "max", "-o", folder / "x"},
         "--messages max",
         2},
        {{"import", "--dgl", folder / "w.safetensors", "-o", folder / "x"},
         "0 layers with a \"gru.weight_ih\"",
         1},
        {{"import", "--pyg", folder / "data", "-o", folder / "x"}, "data", 1},
        {{"predict", folder / "two", folder / "data", "--steps", "3"}, "there are 2 steps at the most", 2},
    };
    for (const auto& each : wrong) {
        const Result result = run(each.arguments);
        EXPECT_EQ(result.code, each.code) << each.words;
        EXPECT_THAT(result.err, HasSubstr(each.words));
    }
}

} // namespace
} // namespace ggsnn
