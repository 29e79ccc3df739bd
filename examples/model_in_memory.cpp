// A trained model as part of a program, which then reads no file: CMake's ggsnn_embed_model makes the header
// of the model's bytes, decode_model the model.
#include "stations.h"

#include <ggsnn/nn/predict.hpp>

#include <cstdio>

using namespace ggsnn;

int main() {
    const std::string_view bytes(reinterpret_cast<const char*>(stations), stations_size);
    const Model model = decode_model(bytes, "stations");

    // Of a line of five stations, is the fourth before or after the second?
    const int next = model.schema.edge_types.find("next");
    const std::vector<Edge> line = {{0, next, 1}, {1, next, 2}, {2, next, 3}, {3, next, 4}};
    Dataset data;
    data.schema = model.schema;
    data.graphs.push_back({Graph(5, line), {}, {}});
    Example question;
    question.arguments = {3, 1};
    std::vector<Prediction> answers;
    Predictor(model, nullptr).predict(data, {&question}, answers);

    const int label = answers[0].labels[0];
    const std::string& name = model.schema.classes.name(label);
    std::printf("%s, with probability %.3f\n", name.c_str(), answers[0].lists[0][label]);
    return name == "after" ? 0 : 1;
}
