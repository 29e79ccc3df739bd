// What predict prints: one line for each question, for people or as JSON.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/prediction.hpp"
#include "ggsnn/tasks/record.hpp"

namespace ggsnn::show {

// JSON: without id and truth, which not the model but the data tells.
OrderedJson prediction_json(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top);
std::string prediction_text(const Schema& schema, const GraphRecord& graph, const Example& e,
                            const Prediction& p, int top);

// The answer that the data gives, in the form of the model's answers; null where it gives none. Also of
// classes that the model does not know.
OrderedJson truth_json(const Schema& schema, const Record& record, const RawAnswer& answer);

} // namespace ggsnn::show
