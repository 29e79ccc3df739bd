// From records to numbers. Training learns the schema (vocabularies, kind of answers, widths) from the
// records; everything else reads records against the schema of a model, and what does not fit is an error
// that says where and what was expected.
#pragma once

#include "ggsnn/tasks/record.hpp"

#include <span>

namespace ggsnn {

// What networks make of a record: a graph, or also the tokens of each question, with answers that are classes
// even where they name nodes. natural: tokens of stories in English, graphs of all else.
enum class Form { graphs, tokens, natural };

class DatasetBuilder {
  public:
    explicit DatasetBuilder(Form form = Form::graphs) : form_(form) {}       // learns the schema
    explicit DatasetBuilder(const Schema& schema, bool need_answers = true); // keeps to the schema

    // Throws Error with the record's place if it does not fit.
    void add(const Record& record) { add(record, record.questions, record.split); }
    // The same with other questions and parts than the record has.
    void add(const Record& record, std::span<const RawQuestion> questions, const std::vector<Part>& split);
    // Learned schemas are complete from here on; answers are resolved.
    void finish();

    Dataset& data() { return data_; }
    void clear(); // forgets graphs and examples, keeps the schema

  private:
    struct Pending { // an answer that waits for the kind of the file's answers
        std::size_t example;
        RawAnswer answer;
    };
    void learn_form(const Record& record);
    void check_form(const Record& record) const;
    void learn_widths(const Record& record);
    void check_widths(const Record& record);
    void resolve(const RawAnswer& answer, const GraphRecord& graph, Example& example);
    void resolve_if_known(const RawAnswer& answer, const GraphRecord& graph, Example& example);
    void check_observed() const;
    void check_split(const Example& example) const;
    std::vector<std::pair<int, int>> tags_of(const Record& record);
    std::vector<Edge> edges_of(const Record& record);
    AnswerKind decide_kind() const;
    void learn_classes();
    RawAnswer as_words(const RawAnswer& answer, const Record& record, const Place& place) const;

    Dataset data_;
    Form form_ = Form::graphs;
    bool learning_ = true, need_answers_ = true, any_ = false, any_edges_ = false;
    std::vector<Pending> pending_;
};

// Splits off the records [first, first + count) of a data set that was built from one record a graph.
Dataset slice(const Dataset& data, std::size_t first, std::size_t count);

} // namespace ggsnn
