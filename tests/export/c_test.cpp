// Exported C files: gcc and clang take them without a word, and what they compute is what Predictor says.
#include "cases.hpp"
#include "cli/process.hpp"
#include "folder.hpp"
#include "ggsnn/export/c.hpp"
#include "ggsnn/export/weights.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;
using ::ggsnn::testing::Folder;

// As the file declares it.
struct NetGraph {
    int nodes, edges;
    const int *sources, *types, *targets;
    const float *edge_weights, *edge_numbers, *features;
    const unsigned char* tags;
    const int* arguments;
    int question;
};
using Predict = int (*)(const NetGraph*, int, float*, std::size_t, double*, std::size_t);

const std::vector<std::string> strict = {"-std=c99", "-O1",       "-Wall", "-Wextra",
                                         "-Werror",  "-pedantic", "-fPIC", "-ffp-contract=off"};

// A C file compiled and loaded. Sizes come from the file's own macros, through a second one that includes it.
class Loaded {
  public:
    Loaded(const std::string& text, const std::string& compiler) {
        folder_.put("small.c", text);
        folder_.put("sizes.c", "#define SMALL_DECLARATIONS\n#include \"small.c\"\n"
                               "unsigned long workspace(int n, int e);\nunsigned long out(int n, int m);\n"
                               "unsigned long workspace(int n, int e) { return SMALL_WORKSPACE(n, e); }\n"
                               "unsigned long out(int n, int m) { return SMALL_OUT(n, m); }\n");
        std::vector<std::string> arguments = strict;
        for (const std::string& more : {std::string("-shared"), std::string("-o"), folder_ / "small.so",
                                        folder_ / "small.c", folder_ / "sizes.c", std::string("-lm")})
            arguments.push_back(more);
        const testing::Result result = testing::Process(arguments, [] {}, compiler).wait();
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_EQ(result.err, "");
        library_ = ::dlopen((folder_ / "small.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) throw std::runtime_error(::dlerror());
        predict = reinterpret_cast<Predict>(::dlsym(library_, "small_predict"));
        workspace = reinterpret_cast<Size>(::dlsym(library_, "workspace"));
        out = reinterpret_cast<Size>(::dlsym(library_, "out"));
    }
    ~Loaded() { ::dlclose(library_); }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;

    using Size = unsigned long (*)(int, int);
    Predict predict = nullptr;
    Size workspace = nullptr, out = nullptr;

  private:
    Folder folder_;
    void* library_ = nullptr;
};

// A draft in the arrays of C.
class Arrays {
  public:
    Arrays(const Draft& draft, const Schema& schema) : draft_(draft), arguments_(draft.example.arguments) {
        for (const Edge& e : draft.edges) {
            sources_.push_back(e.source);
            types_.push_back(e.type);
            targets_.push_back(e.target);
        }
        tags_.assign(static_cast<std::size_t>(draft.nodes) * schema.tags.size(), 0);
        for (const auto& [v, t] : draft.tags) tags_[static_cast<std::size_t>(v) * schema.tags.size() + t] = 1;
    }
    NetGraph graph() const {
        return {draft_.nodes,
                static_cast<int>(draft_.edges.size()),
                sources_.data(),
                types_.data(),
                targets_.data(),
                draft_.weights.empty() ? nullptr : draft_.weights.data(),
                draft_.edge_numbers.data(),
                draft_.features.data(),
                tags_.data(),
                arguments_.data(),
                draft_.example.question};
    }

  private:
    const Draft& draft_;
    std::vector<int> arguments_, sources_, types_, targets_;
    std::vector<unsigned char> tags_;
};

// Memory of exactly the size that is asked for, with a number behind it that must stay.
template <class T>
class Guarded {
  public:
    explicit Guarded(std::size_t size) : values_(size + 1, static_cast<T>(NAN)), size_(size) {
        values_[size] = T(12345);
    }
    T* data() { return values_.data(); }
    std::size_t size() const { return size_; }
    bool untouched() const { return values_[size_] == T(12345); }

  private:
    std::vector<T> values_;
    std::size_t size_;
};

// Whether 'end', the last of a list, is as probable as the winner but for rounding: either may win.
bool is_close_end(const std::vector<double>& list) {
    return *std::max_element(list.begin(), list.end()) - list.back() < 1e-5;
}

// What was found of a file's answers.
struct Comparison {
    double worst = 0;  // difference to Predictor, above 1 by size; infinite where a number is not finite
    int early = 0;     // sequences that ended before Predictor's, 'end' being as probable as its label
    bool sound = true; // as many numbers as expected, and nothing written elsewhere
};

// Lists of one question; how many numbers there were.
std::size_t compare_lists(const Lists& expected, int lists, const double* found, double& worst) {
    std::size_t at = 0;
    for (int k = 0; k < lists; ++k)
        for (double value : expected[k]) {
            const double difference = std::abs(found[at++] - value) / std::max(1.0, std::abs(value));
            worst = std::max(worst, std::isfinite(difference) ? difference : INFINITY);
        }
    return at;
}

// Asks about every graph.
Comparison compare(const Loaded& c, const ExportCase& made) {
    const auto expected = predict(made.model, made.data);
    const bool sequence = is_sequence(made.model.schema.answer);
    Comparison result;
    for (std::size_t i = 0; i < made.drafts.size(); ++i) {
        const Arrays arrays(made.drafts[i], made.model.schema);
        const NetGraph graph = arrays.graph();
        const int all = static_cast<int>(expected[i].lists.size()), most = sequence ? all : 1;
        Guarded<float> work(c.workspace(graph.nodes, graph.edges));
        Guarded<double> out(c.out(graph.nodes, most));
        const int lists = c.predict(&graph, most, work.data(), work.size(), out.data(), out.size());
        const bool early = lists > 0 && lists < most && is_close_end(expected[i].lists[lists - 1]);
        result.early += early ? 1 : 0;
        result.sound = result.sound && work.untouched() && out.untouched() && (lists == most || early);
        if (lists < 1) continue;
        const std::size_t numbers =
            compare_lists(expected[i].lists, sequence ? lists : all, out.data(), result.worst);
        result.sound = result.sound && (numbers == out.size() || early);
    }
    return result;
}

class ExportedC : public ::testing::TestWithParam<std::pair<AnswerKind, ExportSettings>> {};
INSTANTIATE_TEST_SUITE_P(All, ExportedC, ::testing::ValuesIn(export_cases()), [](const auto& instance) {
    return std::string(name_of(instance.param.first)) + "_" + instance.param.second.name;
});

TEST_P(ExportedC, SaysWhatPredictorSays) {
    const ExportCase made = export_case(GetParam().first, GetParam().second, 200);
    const std::string text = export_c(made.model, "small");
    for (const char* compiler : {"/usr/bin/gcc", "/usr/bin/clang-19"}) {
        const Comparison found = compare(Loaded(text, compiler), made);
        EXPECT_LE(found.worst, 1e-5);
        EXPECT_LE(found.early, 4);
        EXPECT_TRUE(found.sound);
        RecordProperty("worst", fmt::format("{}", found.worst));
    }
}

struct ChangedSetting {
    AnswerKind kind;
    const char *settings, *from, *to;
};

std::ostream& operator<<(std::ostream& out, const ChangedSetting& change) {
    return out << change.settings << ": " << change.to << " for " << change.from;
}

const ChangedSetting changed_settings[] = {
    {AnswerKind::klass, "own", "SMALL_MEAN 1", "SMALL_MEAN 0"},
    {AnswerKind::klass, "own", "SMALL_RESIDUAL 1", "SMALL_RESIDUAL 0"},
    {AnswerKind::klass, "own", "SMALL_SQUASHED 1", "SMALL_SQUASHED 0"},
    {AnswerKind::klass, "own", "SMALL_STEPS 3", "SMALL_STEPS 2"},
    {AnswerKind::klass, "own", "weights[i] * g->edge_numbers", "weights[0] * g->edge_numbers"},
    {AnswerKind::klass, "own", "g->tags != NULL", "0"},
    {AnswerKind::node, "authors", "SMALL_GATED 1", "SMALL_GATED 0"},
    {AnswerKind::node, "authors", "* small_feature_scales[j]", "* (1 + 0 * small_feature_scales[j])"},
    {AnswerKind::node, "authors", "g->arguments[j] >= 0", "0"},
    {AnswerKind::values, "after", "SMALL_RESET_AFTER 1", "SMALL_RESET_AFTER 0"},
    {AnswerKind::values, "after", "SMALL_SETS 3", "SMALL_SETS 1"},
    {AnswerKind::values, "after", "small_value_means[j]", "0 * small_value_means[j]"},
    {AnswerKind::node_sequence, "observed", "SMALL_OBSERVED 1", "SMALL_OBSERVED 0"},
    {AnswerKind::class_sequence, "own_paper", "(SMALL_AT_NEXT_PROPAGATION > 0)", "(0)"},
    {AnswerKind::class_sequence, "paper", "(size_t)m * w.nodes", "(size_t)0 * w.nodes"}};

class ChangedC : public ::testing::TestWithParam<ChangedSetting> {};
INSTANTIATE_TEST_SUITE_P(All, ChangedC, ::testing::ValuesIn(changed_settings));

// The graphs that are asked about tell networks apart that differ in one setting.
TEST_P(ChangedC, SaysSomethingElse) {
    const auto& [kind, name, from, to] = GetParam();
    const auto all = export_settings();
    const auto settings = std::find_if(all.begin(), all.end(), [&](const ExportSettings& s) {
        return s.name == std::string_view(GetParam().settings);
    });
    ASSERT_NE(settings, all.end()) << name;
    const ExportCase made = export_case(kind, *settings, 20);
    std::string text = export_c(made.model, "small");
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string_view(from).size(), to);
    const Comparison found = compare(Loaded(text, "/usr/bin/gcc"), made);
    EXPECT_TRUE(found.worst > 1e-3 || !found.sound) << from;
}

// Every way to be called wrong has its code, and nothing is written.
TEST(ExportC, RefusesWhatItCannotRead) {
    const ExportCase made = export_case(AnswerKind::klass, export_settings()[2], 20);
    const Loaded c(export_c(made.model, "small"), "/usr/bin/gcc");
    const Draft& draft = *std::find_if(made.drafts.begin(), made.drafts.end(),
                                       [](const Draft& d) { return !d.edges.empty(); });
    const Arrays arrays(draft, made.model.schema);
    const NetGraph good = arrays.graph();
    const std::vector<int> no_node = {-1}, beyond(64, 99), none(8, -1);
    Guarded<float> work(c.workspace(good.nodes, good.edges));
    Guarded<double> out(c.out(good.nodes, 1));
    const auto call = [&](const std::function<void(NetGraph&)>& change, std::size_t work_less = 0,
                          std::size_t out_less = 0) {
        NetGraph graph = good;
        change(graph);
        return c.predict(&graph, 1, work.data(), work.size() - work_less, out.data(), out.size() - out_less);
    };
    EXPECT_EQ(call([](NetGraph&) {}, 1), -2);
    EXPECT_EQ(call([](NetGraph&) {}, 0, 1), -3);
    EXPECT_EQ(call([](NetGraph& g) { g.nodes = 0; }), -1);
    EXPECT_EQ(call([](NetGraph& g) { g.edges = -1; }), -1);
    EXPECT_EQ(call([](NetGraph& g) { g.question = 2; }), -1);
    EXPECT_EQ(call([](NetGraph& g) { g.question = -1; }), -1);
    EXPECT_EQ(call([](NetGraph& g) { g.sources = nullptr; }), -1);
    for (auto list : {&NetGraph::sources, &NetGraph::types, &NetGraph::targets}) {
        EXPECT_EQ(call([&](NetGraph& g) { g.*list = beyond.data(); }), -1);
        EXPECT_EQ(call([&](NetGraph& g) { g.edges = 1, g.*list = no_node.data(); }), -1);
    }
    EXPECT_EQ(call([&](NetGraph& g) { g.arguments = beyond.data(); }), -1);
    EXPECT_EQ(c.predict(nullptr, 1, work.data(), work.size(), out.data(), out.size()), -1);
    EXPECT_EQ(c.predict(&good, 0, work.data(), work.size(), out.data(), out.size()), -1);
    EXPECT_TRUE(std::isnan(out.data()[0]));
    EXPECT_EQ(call([&](NetGraph& g) { g.arguments = none.data(); }), 1);
    EXPECT_EQ(call([](NetGraph& g) { g.arguments = nullptr; }), 1);
    EXPECT_EQ(call([](NetGraph&) {}), 1);
}

// A network whose numbers run out of single precision says nothing, here as in Predictor.
TEST(ExportC, OverflowIsUniform) {
    ExportCase made = export_case(AnswerKind::klass, export_settings()[1], 10);
    for (float& p : made.model.networks[0][0]) p *= 1e30F;
    const Loaded c(export_c(made.model, "small"), "/usr/bin/gcc");
    EXPECT_TRUE(predict(made.model, made.data)[0].overflow);
    const Comparison found = compare(c, made);
    EXPECT_LE(found.worst, 1e-5);
    EXPECT_TRUE(found.sound);
}

// A program that asks about one graph, with memory of just the sizes that the file says.
const char* const asking = R"C(
#define SMALL_DECLARATIONS
#include "small.c"
#include <stdlib.h>
int main(void) {
    const int sources[] = {0, 1, 1, 2}, types[] = {0, 1, 1, 2}, targets[] = {1, 2, 2, 2};
    float *work = malloc(SMALL_WORKSPACE(3, 4) * sizeof(float));
    double *out = malloc(SMALL_OUT(3, 5) * sizeof(double));
    int *arguments = calloc(SMALL_ARGUMENTS, sizeof(int));
    float *features = calloc(3 * SMALL_FEATURES, sizeof(float)), *numbers = calloc(4 * SMALL_EDGE_NUMBERS + 1, 4);
    unsigned char *tags = calloc(3 * SMALL_TAGS + 1, 1);
    small_graph graph = {3, 4, sources, types, targets, NULL, NULL, NULL, NULL, NULL, 0};
    int lists;
    graph.edge_numbers = numbers;
    graph.features = features;
    graph.tags = tags;
    graph.arguments = arguments;
    lists = small_predict(&graph, 5, work, SMALL_WORKSPACE(3, 4), out, SMALL_OUT(3, 5));
    free(work), free(out), free(arguments), free(features), free(numbers), free(tags);
    return lists < 1;
}
)C";

TEST_P(ExportedC, ReadsAndWritesNoOtherMemory) {
    const Folder folder;
    folder.put("small.c", export_c(export_model(GetParam().first, GetParam().second), "small"));
    folder.put("main.c", asking);
    std::vector<std::string> arguments = strict;
    for (const std::string& more :
         {std::string("-fsanitize=address,undefined"), std::string("-fno-sanitize-recover=all"),
          std::string("-o"), folder / "main", folder / "main.c", folder / "small.c", std::string("-lm")})
        arguments.push_back(more);
    const testing::Result built = testing::Process(arguments, [] {}, "/usr/bin/gcc").wait();
    ASSERT_EQ(built.code, 0) << built.err;
    const testing::Result result = testing::Process({}, [] {}, folder / "main").wait();
    EXPECT_EQ(result.code, 0) << result.err;
}

TEST(ExportC, NamesCannotLeaveTheComment) {
    Schema schema = schema_of(AnswerKind::klass);
    schema.classes = Vocabulary({"*/ int x;", "/* ?\?/", "net_predict\n\\"});
    const Loaded c(export_c(random_model(schema, 3), "small"), "/usr/bin/gcc");
    EXPECT_THAT(export_c(random_model(schema, 3), "small"), ::testing::HasSubstr("net_predict\\n\\\\"));
}

TEST(ExportC, PrefixIsAnIdentifier) {
    EXPECT_EQ(c_prefix("some.where/My-net.c"), "my_net");
    EXPECT_THROW(c_prefix("out/1.c"), UsageError);
    EXPECT_THROW(c_prefix("out/.c"), UsageError);
}

} // namespace
} // namespace ggsnn
