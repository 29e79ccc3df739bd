// The networks of one of the two algorithms, a model for each decision, in one safetensors file: the tensors
// of a decision carry its name in front.
#pragma once

#include "ggsnn/nn/model.hpp"
#include "ggsnn/shapes/decision.hpp"

namespace ggsnn::shapes {

struct ShapeModel {
    Grammar grammar;
    std::array<Model, decision_count> models;
    Json training; // how it was trained, for people

    const Model& operator[](Decision d) const { return models[static_cast<std::size_t>(d)]; }
    Model& operator[](Decision d) { return models[static_cast<std::size_t>(d)]; }
    std::size_t parameter_count() const;
};

void save_shape_model(const ShapeModel& model, const std::string& path);
// Throws Error with the reason if the file is not such a model, is cut short or lies about itself.
ShapeModel load_shape_model(const std::string& path);
ShapeModel decode_shape_model(const std::string& bytes, const std::string& path);
// Whether a file that can be read holds a model of this kind; false for all else.
bool is_shape_model(const std::string& path);

} // namespace ggsnn::shapes
