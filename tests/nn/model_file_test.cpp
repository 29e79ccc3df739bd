// Model files: what is saved comes back exactly; what is damaged or hostile is an Error, never a crash, a
// hang or a large allocation.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/nn/safetensors.hpp"
#include "models.hpp"

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace ggsnn {
namespace {

using namespace test;
using ggsnn::testing::Folder;
using ::testing::HasSubstr;

Model small_model() {
    Schema schema;
    schema.edge_types = Vocabulary({"r"});
    schema.question_types = Vocabulary({"q"});
    schema.arguments = 1;
    return random_model(schema, 4, Variant::authors, 1, 1);
}

std::string bytes_of(const Model& model) {
    const Folder folder;
    save_model(model, folder / "model");
    return read_file(folder / "model");
}

class ModelFiles : public ::testing::Test {
  protected:
    Model load(const std::string& bytes) {
        folder_.put("model", bytes);
        return load_model(folder_ / "model");
    }
    // The message, or "" if the file is a model after all. Anything but Error fails the test.
    std::string reason(const std::string& bytes) {
        try {
            load(bytes);
        } catch (const Error& error) {
            const std::string text = error.what();
            EXPECT_THAT(text, HasSubstr(folder_ / "model: "));
            EXPECT_EQ(text.find('\n'), std::string::npos) << text;
            EXPECT_LT(text.size(), 600u) << text;
            return text;
        } catch (const std::exception& error) {
            ADD_FAILURE() << "not an Error: " << error.what();
            return "not an Error";
        }
        return "";
    }
    Folder folder_;
};

TEST_F(ModelFiles, ComeBackExactly) {
    for (AnswerKind kind : all_kinds()) {
        for (Variant variant : {Variant::paper, Variant::authors}) {
            Schema schema = schema_of(kind, 3);
            schema.edge_types.add("relation \"with\" \\ odd ä letters\n");
            Model model = random_model(schema, 9, variant, 2, 7,
                                       kind == AnswerKind::node ? Directions::added : Directions::apart);
            model.schema.scales.feature = {0.1, 1e-300};
            model.networks[0][0][0] = -0.0f;
            model.networks[0][0][1] = 1e-42f; // denormal
            const Model found = load(bytes_of(model));
            EXPECT_EQ(gated_shape(*found.network), gated_shape(*model.network));
            EXPECT_EQ(found.schema.answer, kind);
            EXPECT_EQ(found.schema.edge_types.names(), schema.edge_types.names());
            EXPECT_EQ(found.schema.question_types.names(), schema.question_types.names());
            EXPECT_EQ(found.schema.classes.names(), schema.classes.names());
            EXPECT_EQ(found.schema.features, schema.features);
            EXPECT_EQ(found.schema.arguments, schema.arguments);
            EXPECT_EQ(found.schema.values, schema.values);
            EXPECT_EQ(found.longest, model.longest);
            EXPECT_EQ(found.schema.scales.feature, model.schema.scales.feature);
            EXPECT_EQ(found.schema.scales.value_mean, model.schema.scales.value_mean);
            EXPECT_EQ(found.schema.scales.value, model.schema.scales.value);
            EXPECT_EQ(found.training, model.training);
            // Through bytes: pads are not saved, -0.0 is.
            EXPECT_EQ(bytes_of(found), bytes_of(model));
            Random random(1);
            const Dataset data = random_data(random, schema_of(kind, 3), 20);
            const auto before = predict(model, data), after = predict(found, data);
            for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].lists, before[i].lists);
        }
    }
}

TEST_F(ModelFiles, CutShortAnywhereAreErrors) {
    const std::string bytes = bytes_of(small_model());
    ASSERT_EQ(reason(bytes), "");
    for (std::size_t length = 0; length < bytes.size(); ++length)
        ASSERT_NE(reason(bytes.substr(0, length)), "") << length;
    EXPECT_NE(reason(bytes + '\0'), "") << "a byte too many";
}

// A changed byte may still give a model (a weight, a name); it must then be one that can be used.
TEST_F(ModelFiles, WithAnyByteChangedAreErrorsOrModels) {
    const std::string bytes = bytes_of(small_model());
    Dataset data;
    Random random(3);
    int errors = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int flip : {0x01, 0x80, 0x10, static_cast<int>(1 + random.below(255))}) {
            std::string changed = bytes;
            changed[at] = static_cast<char>(changed[at] ^ flip);
            try {
                folder_.put("model", changed);
                const Model model = load_model(folder_ / "model");
                const auto drafts = std::vector<Draft>{random_draft(random, model.schema)};
                predict(model, data_of(model.schema, drafts));
            } catch (const Error&) {
                ++errors;
            } catch (const std::exception& error) {
                FAIL() << "byte " << at << " ^ " << flip << ": not an Error: " << error.what();
            }
        }
    }
    EXPECT_GT(errors, 1000);
}

std::string with_header(const std::string& header, const std::string& data = "") {
    const std::uint64_t length = header.size();
    std::string out(8, '\0');
    std::memcpy(out.data(), &length, 8);
    return out + header + data;
}

TEST_F(ModelFiles, WithLyingHeadersAreErrors) {
    for (const std::uint64_t length : {std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{0} - 7,
                                       std::uint64_t{1} << 40, std::uint64_t{9}}) {
        std::string bytes(16, ' ');
        std::memcpy(bytes.data(), &length, 8);
        EXPECT_THAT(reason(bytes), HasSubstr("cut short"));
    }
    const std::string start = R"({"t": {"dtype": "F32", )", eight(8, '\0');
    for (
        const char* rest :
        {R"("shape": [2], "data_offsets": [0, 16]}})",
         R"("shape": [2], "data_offsets": [8, 0]}})",
         R"("shape": [1], "data_offsets": [0, 4]}})",
         R"("shape": [2], "data_offsets": [-8, 0]}})",
         R"("shape": [2], "data_offsets": [0.0, 8.0]}})",
         R"("shape": [2], "data_offsets": [0]}})",
         R"("shape": [2], "data_offsets": "0"}})",
         R"("shape": 2, "data_offsets": [0, 8]}})",
         R"("shape": [-2], "data_offsets": [0, 8]}})",
         R"("shape": ["2"], "data_offsets": [0, 8]}})",
         R"("shape": [18446744073709551615], "data_offsets": [0, 8]}})",
         R"("shape": [4294967296, 4294967296], "data_offsets": [0, 0]}})",
         R"("shape": [4294967296, 1073741824], "data_offsets": [0, 0]}})",
         R"("shape": [4611686018427387904], "data_offsets": [0, 0]}})",
         R"("shape": [2305843009213693952, 2], "data_offsets": [0, 0]}})",
         R"("shape": [4294967296, 2147483648, 2], "data_offsets": [0, 8]}})",
         R"("shape": [2], "data_offsets": [18446744073709551608, 18446744073709551616]}})",
         R"("shape": [2], "data_offsets": [18446744073709551608, 0]}})",
         R"("shape": [2]}})",
         R"("data_offsets": [0, 8]}})",
         R"("shape": [2], "data_offsets": [0, 8]}, "u": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})",
         R"("shape": [2], "data_offsets": [0, 8]}, "u": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})"}) {
        const std::string text = reason(with_header(start + rest, eight));
        EXPECT_THAT(text, ::testing::Not(HasSubstr("not a model of this program"))) << rest;
        EXPECT_NE(text, "") << rest;
    }
    for (const char* header :
         {"", " ", "null", "[]", "5", "{", "{\"t\": 5}", "{\"t\": {}}", R"({"t": {"dtype": 5}})",
          R"({"t": {"dtype": "F64", "shape": [], "data_offsets": [0, 0]}})", R"({"__metadata__": 5})",
          R"({"__metadata__": {"a": 5}})", R"({"__metadata__": {"ggsnn": "[]"}})",
          R"({"__metadata__": {"ggsnn": "{\"format\": 5}"}})", R"({"__metadata__": {"ggsnn": "{"}})",
          R"({"__metadata__": {}})", "\xff\xfe", "{\"\xff\": 5}"})
        EXPECT_NE(reason(with_header(header)), "") << header;
}

TEST_F(ModelFiles, WithDeepNestingAreErrors) {
    const std::string deep = std::string(400000, '[') + std::string(400000, ']');
    EXPECT_NE(reason(with_header(deep)), "");
    EXPECT_NE(reason(with_header("{\"t\": " + deep + "}")), "");
    const std::string bytes = bytes_of(small_model());
    TensorFile file = decode_tensors(bytes, "bytes");
    std::string& meta = file.metadata["ggsnn"];
    meta.pop_back();
    meta += ", \"training\": " + deep + "}";
    EXPECT_NE(reason(encode_tensors(file)), "");
}

class Metadata : public ModelFiles {
  protected:
    // The small model with its metadata changed.
    std::string changed(const std::function<void(Json&)>& change) {
        TensorFile file = decode_tensors(bytes_, "bytes");
        Json meta = Json::parse(file.metadata["ggsnn"]);
        change(meta);
        file.metadata["ggsnn"] = meta.dump();
        return encode_tensors(file);
    }
    const std::string bytes_ = bytes_of(small_model());
};

TEST_F(Metadata, OfTheWrongTypeOrMissingIsAnError) {
    const std::vector<Json> values = {nullptr,
                                      true,
                                      -1,
                                      1.5,
                                      "x",
                                      Json::array(),
                                      Json::array({nullptr}),
                                      Json::array({Json::object()}),
                                      Json::object(),
                                      std::uint64_t(1) << 63,
                                      1e300};
    Json meta;
    changed([&](Json& m) { meta = m; });
    // A model is still one where a count's list is as empty as before, or an unused size is another.
    const auto tolerable = [&](const Json& before, const Json& after) {
        return before == after || (before.is_array() && before.empty() && after == Json::array());
    };
    for (const auto& [key, content] : meta.items()) {
        if (key == "training") continue;
        EXPECT_NE(reason(changed([&](Json& m) { m.erase(key); })), "") << key << " missing";
        for (const Json& value : values) {
            if (tolerable(content, value)) continue;
            EXPECT_NE(reason(changed([&](Json& m) { m[key] = value; })), "") << key << " = " << value;
        }
    }
    for (const auto& [key, content] : meta["network"].items()) {
        EXPECT_NE(reason(changed([&](Json& m) { m["network"].erase(key); })), "") << key << " missing";
        for (const Json& value : values) {
            if (content.is_boolean() && value.is_boolean()) continue;
            EXPECT_NE(reason(changed([&](Json& m) { m["network"][key] = value; })), "")
                << key << " = " << value;
        }
    }
    // May be missing; this model's are apart.
    for (const Json& value : values)
        EXPECT_NE(reason(changed([&](Json& m) { m["network"]["directions"] = value; })), "") << value;
    EXPECT_NE(reason(changed([](Json& m) { m["network"]["directions"] = "added"; })), "");
    EXPECT_EQ(reason(changed([](Json& m) { m["network"]["directions"] = "apart"; })), "");
}

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

TEST_F(Metadata, WithHugeSizesIsAnErrorAndAllocatesNothing) {
    const long before = peak_kilobytes();
    for (const char* key : {"features", "arguments", "values", "longest"})
        for (const std::int64_t value :
             {std::int64_t{1} << 30, std::int64_t{1} << 31, std::int64_t{1} << 40, std::int64_t{1} << 62})
            EXPECT_NE(reason(changed([&](Json& m) { m[key] = value; })), "") << key << " = " << value;
    for (const char* key : {"state", "annotation", "edge_types", "outputs", "steps"}) {
        for (const std::int64_t value :
             {std::int64_t{1} << 14, std::int64_t{1} << 31, std::int64_t{1} << 62}) {
            if (std::string(key) == "steps" && value == 1 << 14) continue; // slow, but a model
            EXPECT_NE(reason(changed([&](Json& m) { m["network"][key] = value; })), "")
                << key << " = " << value;
        }
    }
    EXPECT_NE(
        reason(changed([&](Json& m) { m["network"]["state"] = 16384, m["network"]["annotation"] = 16384; })),
        "");
    EXPECT_NE(reason(changed([&](Json& m) { m["members"] = {std::int64_t{1} << 62}; })), "");
    EXPECT_NE(reason(changed([&](Json& m) { m["members"] = {1024}; })), "");
    EXPECT_LT(peak_kilobytes() - before, 100000);
}

TEST_F(Metadata, ThatDoesNotFitTheTensorsIsAnError) {
    EXPECT_THAT(reason(changed([](Json& m) { m["question_types"] = {"q", "p"}, m["members"] = {1, 1}; })),
                HasSubstr("is missing"));
    EXPECT_THAT(reason(changed([](Json& m) { m["question_types"] = {"q", "q"}; })), HasSubstr("named twice"));
    EXPECT_THAT(
        reason(changed([](Json& m) { m["question_types"] = Json::array(), m["members"] = Json::array(); })),
        HasSubstr("is empty"));
    EXPECT_THAT(reason(changed([](Json& m) { m["network"]["state"] = 2; })),
                HasSubstr("has the wrong shape; expected 2 x 2"));
    EXPECT_THAT(reason(changed([](Json& m) { m["network"]["state"] = 100; })), HasSubstr("needs more than"));
    EXPECT_THAT(reason(changed([](Json& m) { m["answer"] = "numbers"; })), HasSubstr("does not fit"));
    EXPECT_THAT(reason(changed([](Json& m) { m["version"] = 2; })), HasSubstr("version 2"));
    EXPECT_THAT(reason(changed([](Json& m) { m["feature_scale"] = {1.0}; })), HasSubstr("scales do not fit"));
}

TEST_F(ModelFiles, WithNumbersThatAreNotFiniteAreErrors) {
    for (const float value : {NAN, INFINITY, -INFINITY}) {
        Model model = small_model();
        model.networks[0][0][0] = value;
        EXPECT_THAT(reason(bytes_of(model)), HasSubstr("not finite"));
    }
}

TEST_F(ModelFiles, ThatAreNotThereOrNotFilesAreErrors) {
    EXPECT_THROW(load_model(folder_ / "none"), Error);
    EXPECT_THROW(load_model(folder_.path()), Error);
}

} // namespace
} // namespace ggsnn
