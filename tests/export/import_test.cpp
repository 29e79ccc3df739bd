// Weights of PyTorch Geometric's and DGL's layers, imported: our answers are what their forward passes
// compute, as import_make.py writes them out. What is not such a layer is refused with words.
#include "cases.hpp"
#include "cli/process.hpp"
#include "ggsnn/export/import.hpp"
#include "ggsnn/export/npz.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;
using ::ggsnn::testing::Folder;
using ::testing::HasSubstr;

const std::string maker = GGSNN_SOURCE "/tests/export/import_make.py";
const char* const made_names[] = {
    "pyg", "pyg_one_layer_compressed", "pyg_mean", "pyg_weighted", "pyg_classes", "dgl", "dgl_one_type"};

testing::Result make(const std::string& how, const Folder& folder) {
    return testing::Process({maker, how, folder.path()}, [] {}, "/usr/bin/python3").wait();
}

ImportOptions options_of(const Json& given) {
    ImportOptions options;
    options.library = given["library"] == "pyg" ? Library::pyg : Library::dgl;
    options.features = given["features"];
    options.mean = given.value("mean", false);
    options.steps = given.value("steps", 0);
    options.linear = given.value("linear", "");
    for (int i = 0; i < given.value("classes", 0); ++i) options.classes.push_back("c" + std::to_string(i));
    return options;
}

Draft draft_of(const Json& graph, int features) {
    Draft draft;
    draft.nodes = static_cast<int>(graph["features"].size());
    for (const Json& row : graph["features"])
        for (const Json& number : row) draft.features.push_back(number);
    EXPECT_EQ(draft.features.size(), static_cast<std::size_t>(draft.nodes) * features);
    for (const Json& e : graph["edges"]) draft.edges.push_back({e[0], e[1], e[2]});
    draft.weights = graph["weights"].get<std::vector<float>>();
    return draft;
}

void compare(const Folder& folder, const std::string& name, const std::string& ending) {
    SCOPED_TRACE(name + ending);
    const Json made = parse_json(read_file(folder / (name + ".json")), {name, 0});
    const std::string path = folder / (name + ending);
    // Through a file of ours, which holds all of it.
    const Model model =
        decode_model(encode_model(import_layer(read_file(path), path, options_of(made["options"]))), path);
    std::vector<Draft> drafts;
    for (const Json& graph : made["graphs"]) drafts.push_back(draft_of(graph, model.schema.features));
    ASSERT_EQ(drafts.size(), 200U);
    const auto answers = predict(model, data_of(model.schema, drafts));
    double worst = 0;
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        const Json& expected = made["graphs"][i]["answer"];
        ASSERT_EQ(answers[i].lists.size(), expected.size());
        for (std::size_t v = 0; v < expected.size(); ++v) {
            ASSERT_EQ(answers[i].lists[v].size(), expected[v].size());
            for (std::size_t j = 0; j < expected[v].size(); ++j) {
                const double difference = std::abs(answers[i].lists[v][j] - expected[v][j].get<double>());
                ASSERT_LE(difference, 1e-5) << i;
                worst = std::max(worst, difference);
            }
        }
    }
    std::printf("%s%s %.3g\n", name.c_str(), ending.c_str(), worst);
}

class Imported : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, Imported, ::testing::Values("numpy", "torch"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_P(Imported, SaysWhatTheirLayersSay) {
    const Folder folder;
    const testing::Result result = make(GetParam(), folder);
    if (result.err.find("No module named 'torch'") != std::string::npos)
        GTEST_SKIP() << "no python3-torch here";
    ASSERT_EQ(result.code, 0) << result.err;
    for (const char* name : made_names)
        for (const char* ending : {".safetensors", ".npz"}) compare(folder, name, ending);
}

// A layer of PyTorch Geometric with D = 2.
TensorFile small_layer() {
    TensorFile file;
    const auto add = [&](const std::string& name, const std::vector<std::size_t>& shape) {
        std::size_t count = 1;
        for (std::size_t extent : shape) count *= extent;
        file.tensors[name] = {shape, std::vector<float>(count, 0.5F)};
    };
    add("weight", {3, 2, 2});
    add("rnn.weight_ih", {6, 2});
    add("rnn.weight_hh", {6, 2});
    add("rnn.bias_ih", {6});
    add("rnn.bias_hh", {6});
    return file;
}

std::string refusal(const TensorFile& file, const ImportOptions& options = {}) {
    try {
        import_layer(encode_tensors(file), "w", options);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Import, RefusesWhatIsNoSuchLayer) {
    EXPECT_EQ(refusal(small_layer()), "");
    struct Wrong {
        std::function<void(TensorFile&)> change;
        const char* words;
    };
    const Wrong all[] = {
        {[](TensorFile& f) { f.tensors.erase("weight"); }, "\"weight\" is missing"},
        {[](TensorFile& f) { f.tensors.erase("rnn.weight_ih"); }, "0 layers with a \"rnn.weight_ih\""},
        {[](TensorFile& f) { f.tensors.erase("rnn.bias_hh"); }, "\"rnn.bias_hh\" is missing"},
        {[](TensorFile& f) { f.tensors.erase("rnn.bias_ih"); }, "\"rnn.bias_hh\" is not one of"},
        {[](TensorFile& f) { f.tensors["rnn.weight_ih"].shape = {4, 3}; }, "expected [3 D, D]"},
        {[](TensorFile& f) { f.tensors["rnn.weight_hh"].shape = {2, 6}; },
         "has shape [2, 6]; expected [6, 2]"},
        {[](TensorFile& f) { f.tensors["weight"].shape = {12, 1}; }, "expected [num_layers, D, D]"},
        {[](TensorFile& f) { f.tensors["weight"].values[3] = NAN; },
         "\"weight\" holds a number that is not finite"},
        {[](TensorFile& f) { f.tensors["other"] = f.tensors["weight"]; }, "\"other\" is not one of"},
        {[](TensorFile& f) { f.tensors["a.rnn.weight_ih"] = f.tensors["rnn.weight_ih"]; },
         "2 layers with a \"rnn.weight_ih\""},
    };
    for (const Wrong& wrong : all) {
        TensorFile file = small_layer();
        wrong.change(file);
        EXPECT_THAT(refusal(file), HasSubstr(wrong.words));
    }
}

TEST(Import, RefusesOptionsThatDoNotFit) {
    EXPECT_THAT(refusal(small_layer(), {.features = 3}), HasSubstr("--features 3"));
    EXPECT_THAT(refusal(small_layer(), {.steps = 2}), HasSubstr("has matrices for 3 steps"));
    EXPECT_THAT(refusal(small_layer(), {.edge_types = {"a", "b"}}), HasSubstr("--edge-types names 2"));
    EXPECT_THAT(refusal(small_layer(), {.classes = {"a", "b"}}), HasSubstr("--classes needs --linear"));
    EXPECT_THAT(refusal(small_layer(), {.linear = "lin"}), HasSubstr("\"lin.weight\" is missing"));
    EXPECT_THAT(refusal(small_layer(), {.library = Library::dgl}),
                HasSubstr("0 layers with a \"gru.weight_ih\""));
}

// One layer of a larger network is taken by its name, and others stay where they are.
TEST(Import, TakesTheLayerThatIsNamed) {
    TensorFile file;
    for (const auto& [name, tensor] : small_layer().tensors)
        for (const char* prefix : {"conv.", "conv2."}) file.tensors[prefix + name] = tensor;
    EXPECT_THAT(refusal(file), HasSubstr("--layer, one of conv., conv2."));
    EXPECT_EQ(refusal(file, {.layer = "conv"}), "");
    EXPECT_EQ(refusal(file, {.layer = "conv2."}), "");
    EXPECT_THAT(refusal(file, {.layer = "con"}), HasSubstr("\"con.rnn.weight_ih\" is missing"));
    file.tensors["conv.more"] = file.tensors["conv.weight"];
    EXPECT_THAT(refusal(file, {.layer = "conv"}), HasSubstr("\"conv.more\" is not one of"));
}

// Of a damaged file every byte is checked by something, or says nothing of the arrays.
TEST(Npz, DamageIsAnErrorOrChangesNothing) {
    const Folder folder;
    ASSERT_EQ(make("numpy", folder).code, 0);
    for (const char* name : {"pyg", "pyg_one_layer_compressed"}) {
        const std::string whole = read_file(folder / (std::string(name) + ".npz"));
        const auto expected = decode_npz(whole, "w");
        ASSERT_EQ(expected.size(), std::string(name) == "pyg" ? 5U : 3U);
        const auto same = [&](const std::string& bytes) {
            const auto found = decode_npz(bytes, "w");
            return std::all_of(found.begin(), found.end(), [&](const auto& each) {
                const auto at = expected.find(each.first);
                return at == expected.end() || at->second.values == each.second.values;
            });
        };
        Random random(3);
        int refused = 0;
        for (int i = 0; i < 400; ++i) {
            std::string bytes = whole;
            if (i % 4 == 0) {
                bytes.resize(random.below(bytes.size()));
            } else {
                bytes[random.below(bytes.size())] ^= static_cast<char>(1 + random.below(255));
            }
            try {
                EXPECT_TRUE(same(bytes));
            } catch (const Error&) {
                ++refused;
            }
        }
        EXPECT_GT(refused, 100);
    }
    EXPECT_THROW(decode_npz("", "w"), Error);
    EXPECT_THROW(decode_npz("PK", "w"), Error);
}

} // namespace
} // namespace ggsnn
