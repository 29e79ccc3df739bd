// Every word and flag of a gated network's settings that is not the usual one, one at a time: answers follow
// the equations, gradients agree with finite differences, model files hold it, threads change no bit. What is
// added to the settings of nn/ggnn/kind.cpp is tested here by being there.
#include "differences.hpp"
#include "folder.hpp"
#include "ggsnn/nn/kinds.hpp"
#include "plain.hpp"

#include <gtest/gtest.h>

namespace ggsnn {
namespace {

using namespace test;

struct Case {
    std::string name;
    Schema schema;
    GatedShape shape;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.name;
}

std::vector<Json> other_values(const Setting& setting) {
    std::vector<Json> values;
    if (setting.type == Setting::Type::flag) values.push_back(!setting.initial.get<bool>());
    for (const std::string& word : setting.words)
        if (word != setting.initial) values.emplace_back(word);
    return values;
}

// Small states have kernels of their own. Answers of every node, which any setting suits, and sequences, for
// which networks have more parts.
std::vector<Case> cases() {
    std::vector<Case> all;
    const Kind& kind = kind_named("ggnn");
    for (AnswerKind answer : {AnswerKind::node_classes, AnswerKind::node_sequence})
        for (const char* variant : {"paper", "authors"})
            for (int state : {8, 13})
                for (const Setting& setting : kind.settings)
                    for (const Json& value : other_values(setting)) {
                        if (setting.name == "variant") continue;
                        if (setting.name == "readout" && !is_each_node(answer)) continue;
                        Schema schema = schema_of(answer);
                        schema.arguments = 1;
                        const Json given = {
                            {"variant", variant}, {"state", state}, {"steps", 3}, {setting.name, value}};
                        const auto network =
                            kind.build({}, schema, kind, checked_settings(kind.settings, given, kind.name));
                        std::string name = fmt::format(
                            "{}_{}_{}_{}_{}", name_of(answer), setting.name,
                            value.is_string() ? value.get<std::string>() : value.dump(), variant, state);
                        std::replace(name.begin(), name.end(), '-', '_');
                        all.push_back({name, schema, gated_shape(*network)});
                    }
    return all;
}

class EachSetting : public ::testing::TestWithParam<Case> {
  protected:
    Model model() const {
        return random_model(GetParam().schema, 5, GetParam().shape.variant, 2, 0, Directions::apart,
                            [&](GatedShape& shape) { shape = GetParam().shape; });
    }
    std::vector<Draft> drafts() const {
        Random random(23);
        std::vector<Draft> list;
        for (int i = 0; i < 12; ++i) {
            list.push_back(random_draft(random, GetParam().schema));
            if (i % 2 != 0) weigh(random, list.back());
        }
        return list;
    }
};

INSTANTIATE_TEST_SUITE_P(All, EachSetting, ::testing::ValuesIn(cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST_P(EachSetting, AnswersFollowTheEquationsThroughAFile) {
    const Model model = this->model();
    const ggsnn::testing::Folder folder;
    save_model(model, folder / "model");
    const Model back = load_model(folder / "model");
    EXPECT_EQ(gated_shape(*back.network), GetParam().shape);
    const auto drafts = this->drafts();
    const Dataset data = data_of(model.schema, drafts);
    const auto predictions = predict(model, data);
    ThreadPool three(3);
    const auto read = predict(back, data, &three);
    for (std::size_t i = 0; i < drafts.size(); ++i) {
        const auto& lists = predictions[i].lists;
        EXPECT_EQ(lists, read[i].lists);
        const auto expected =
            plain_lists(model, drafts[i], GetParam().shape.sequence() ? static_cast<int>(lists.size()) : 1);
        ASSERT_EQ(lists.size(), expected.size()) << i;
        for (std::size_t k = 0; k < lists.size(); ++k)
            for (std::size_t j = 0; j < lists[k].size(); ++j)
                ASSERT_NEAR(lists[k][j], expected[k][j], 2e-4) << i << ", " << k << ", " << j;
    }
}

TEST_P(EachSetting, GradientsAgreeWithFiniteDifferences) {
    const GatedShape& shape = GetParam().shape;
    Random random(7);
    Extras extras;
    extras.weights = true;
    const auto chunk = random_chunk<double>(random, shape, 3, 6, 0, extras);
    Rig<double> rig(shape, 11);
    auto gradient = rig.gradient(chunk, Keep::all);
    EXPECT_EQ(gradient, rig.gradient(chunk, Keep::states));
    const std::size_t moving = compare_with_differences(rig.network.layout(), rig.parameters, gradient,
                                                        [&] { return rig.loss(chunk); }, {1e-8, 1e-6});
    EXPECT_GT(moving, rig.network.layout().count() / 3);
}

} // namespace
} // namespace ggsnn
