// From records to numbers. Training learns the schema (vocabularies, kind of answers, widths) from the
// records; everything else reads records against the schema of a model, and what does not fit is an error
// that says where and what was expected.
#pragma once

#include "tasks/record.hpp"

namespace ggsnn {

class DatasetBuilder {
  public:
    DatasetBuilder() = default;                                              // learns the schema
    explicit DatasetBuilder(const Schema& schema, bool need_answers = true); // keeps to the schema

    // Throws Error with the record's place if it does not fit.
    void add(const Record& record);
    // Learned schemas are complete from here on; answers are resolved.
    void finish();

    Dataset& data() { return data_; }
    void clear(); // forgets graphs and examples, keeps the schema

  private:
    struct Pending { // an answer that waits for the kind of the file's answers
        std::size_t example;
        RawAnswer answer;
    };
    void learn_widths(const Record& record);
    void check_widths(const Record& record);
    void resolve(const RawAnswer& answer, const GraphRecord& graph, Example& example);
    AnswerKind decide_kind() const;

    Dataset data_;
    bool learning_ = true, need_answers_ = true, any_ = false;
    std::vector<Pending> pending_;
};

// Divides node features by the largest magnitude of their column, and standardises regression targets, by
// what `train` holds; the scales become the model's. Applied to every set the model sees.
struct Scales {
    std::vector<double> feature_scale, value_mean, value_scale;
};
Scales find_scales(const Dataset& train);
void scale_features(Dataset& data, const std::vector<double>& feature_scale);
void standardise_values(Dataset& data, const Scales& scales);

// Splits off the records [first, first + count) of a data set that was built from one record a graph.
Dataset slice(const Dataset& data, std::size_t first, std::size_t count);

} // namespace ggsnn
