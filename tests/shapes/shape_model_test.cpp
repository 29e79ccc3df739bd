// Model files of heap shapes: the shipped ones load, and a damaged one is refused, never believed.
#include "folder.hpp"
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/nn/safetensors.hpp"
#include "ggsnn/shapes/shape_model.hpp"
#include "ggsnn/shapes/shipped.hpp"

#include <gmock/gmock.h>

#include <cstring>

namespace ggsnn::shapes {
namespace {

using testing::Folder;
using ::testing::HasSubstr;

const std::string& flat_bytes() {
    static const std::string bytes = read_file(GGSNN_SOURCE "/models/flat.ggsnn");
    return bytes;
}

std::string error_of(const std::string& bytes) {
    try {
        decode_shape_model(bytes, "m.ggsnn");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// The error for the flat model after something was done to it.
template <class Damage>
std::string error_after(Damage&& damage) {
    TensorFile file = decode_tensors(flat_bytes(), "flat");
    damage(file);
    return error_of(encode_tensors(file));
}

TEST(ShapeModel, TheShippedOnesAnswerTheirQuestions) {
    for (const bool nested : {false, true}) {
        const ShapeModel model = shipped_model(nested);
        EXPECT_EQ(model.grammar.nested, nested);
        std::size_t parameters = 0;
        for (const Decision d : all_decisions) {
            EXPECT_EQ(model[d].schema.question_types.name(0), name_of(d));
            parameters += model[d].parameter_count();
        }
        EXPECT_EQ(model.parameter_count(), parameters);
        EXPECT_GT(parameters, 1000U);
    }
}

TEST(ShapeModel, SavedAgainTheFileIsTheSame) {
    const Folder folder;
    save_shape_model(decode_shape_model(flat_bytes(), "flat"), folder / "m.ggsnn");
    EXPECT_EQ(read_file(folder / "m.ggsnn"), flat_bytes());
    EXPECT_TRUE(is_shape_model(folder / "m.ggsnn"));
}

TEST(ShapeModel, OtherFilesAreNotShapeModels) {
    const Folder folder;
    TensorFile other;
    other.metadata["ggsnn"] = "{}";
    folder.put("tensors.ggsnn", encode_tensors(other));
    folder.put("text", "hello");
    folder.put("empty", "");
    folder.put("cut", flat_bytes().substr(0, 100));
    for (const char* name : {"tensors.ggsnn", "text", "empty", "cut", "absent"}) {
        EXPECT_FALSE(is_shape_model(folder / name)) << name;
        EXPECT_THROW(load_shape_model(folder / name), Error) << name;
    }
    EXPECT_THAT(error_of(encode_tensors(other)), HasSubstr("not a model of heap shapes"));
}

TEST(ShapeModel, CutAnywhereItIsRefused) {
    const std::string& bytes = flat_bytes();
    for (std::size_t keep = 0; keep < bytes.size(); keep += 1 + bytes.size() / 211)
        EXPECT_NE(error_of(bytes.substr(0, keep)), "") << keep;
    EXPECT_NE(error_of(bytes + std::string(4, '\0')), "") << "longer than it says";
}

TEST(ShapeModel, WhatIsMissingWrongOrTooMuchIsNamed) {
    const std::string key = "ggsnn-shapes";
    EXPECT_THAT(error_after([&](TensorFile& f) { f.metadata.erase(key); }),
                HasSubstr("m.ggsnn: a tensor file, but not a model of heap shapes"));
    for (const char* meta : {"{\"version\":2,\"nested\":false}", "{\"version\":1}", "[]",
                             "{\"version\":1,\"nested\":\"no\"}", "{\"nested\":false}"})
        EXPECT_THAT(error_after([&](TensorFile& f) { f.metadata[key] = meta; }),
                    HasSubstr("is not of version 1"))
            << meta;
    EXPECT_THAT(error_after([&](TensorFile& f) { f.metadata[key] = "{"; }), HasSubstr("m.ggsnn"));
    for (const Decision d : all_decisions)
        EXPECT_THAT(error_after([&](TensorFile& f) { f.metadata.erase(name_of(d)); }),
                    HasSubstr(fmt::format("the network \"{}\" is missing", name_of(d))));
    EXPECT_THAT(error_after([&](TensorFile& f) { f.tensors["nothing/known"] = {{1}, {0.0f}}; }),
                HasSubstr("tensors; expected"));
    EXPECT_NE(error_after([&](TensorFile& f) { f.tensors.erase(f.tensors.begin()); }), "");
    EXPECT_NE(error_after([&](TensorFile& f) { f.metadata["end"] = "{}"; }), "");
}

// A model that says it is nested has one more edge type than these networks know.
TEST(ShapeModel, NetworksThatAnswerAnotherQuestionAreRefused) {
    EXPECT_THAT(error_after([&](TensorFile& f) {
                    std::string& meta = f.metadata["ggsnn-shapes"];
                    meta.replace(meta.find("false"), 5, "true");
                }),
                HasSubstr("does not answer that question about heaps"));
    EXPECT_THAT(error_after([&](TensorFile& f) {
                    std::swap(f.metadata["pick"], f.metadata["end"]);
                    std::map<std::string, NamedTensor> swapped;
                    for (auto& [name, tensor] : f.tensors) {
                        std::string other = name;
                        if (name.starts_with("pick/")) other = "end/" + name.substr(5);
                        if (name.starts_with("end/")) other = "pick/" + name.substr(4);
                        swapped[other] = std::move(tensor);
                    }
                    f.tensors = std::move(swapped);
                }),
                HasSubstr("does not answer that question about heaps"));
}

// Whatever a byte becomes, there is an Error or a model, and nothing worse.
TEST(ShapeModel, FlippedBytesOfTheHeaderDoNoHarm) {
    Random random(8);
    std::uint64_t header = 0;
    std::memcpy(&header, flat_bytes().data(), sizeof header);
    int refused = 0;
    for (int round = 0; round < 400; ++round) {
        std::string bytes = flat_bytes();
        bytes[random.below(8 + header)] = static_cast<char>(random.below(256));
        refused += error_of(bytes).empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 100);
}

} // namespace
} // namespace ggsnn::shapes
