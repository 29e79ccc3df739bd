// predict: a question in, a line out. Files are answered in pieces; where the input is a pipe or a terminal,
// whatever is complete is answered before more is waited for, so that a program can ask, wait and ask again.
// A bad line gets an error in its place, and the rest goes on.
#include "ggsnn/cli/answer.hpp"
#include "ggsnn/show/prediction_line.hpp"
#include "ggsnn/tasks/build.hpp"

#include <cstdio>

namespace ggsnn {

namespace {

class Predicting {
  public:
    Predicting(const AnswerCommand& command, const Model& model)
        : command_(command),
          schema_(model.schema),
          pool_(command.threads),
          predictor_(model, &pool_, {command.steps, command.beam, 0}),
          builder_(model.schema, false) {
        ReadOptions options;
        options.need_answers = false;
        options.before_wait = [this] {
            answer();
            std::fflush(stdout);
        };
        reader_ = cli::open_data(command, model, options);
    }

    void run() {
        Record record;
        while (next(record)) {
            take(record);
            if (builder_.data().examples.size() >= cli::piece_examples) answer();
        }
        answer();
    }
    long lines() const { return lines_; } // printed
    long bad() const { return bad_count_; }

  private:
    struct BadLine {
        Place place;
        std::string text, id;
    };

    bool next(Record& record);
    void take(const Record& record);
    std::string add(const Record& record);
    void add_bad(const Place& place, std::string message, const std::string& id);
    void answer();
    void print(const BadLine& bad);
    void print(std::size_t example, const Prediction& prediction);
    void print(const OrderedJson& line);

    const AnswerCommand& command_;
    const Schema& schema_;
    ThreadPool pool_;
    Predictor predictor_;
    DatasetBuilder builder_;
    std::unique_ptr<RecordReader> reader_;
    // Of the piece at hand, beside the builder's data.
    std::vector<std::string> ids_;    // of graphs
    std::vector<OrderedJson> truths_; // of examples
    std::vector<BadLine> bad_;
    std::vector<const Example*> examples_;
    std::vector<Prediction> predictions_;

    long lines_ = 0, bad_count_ = 0;
    long records_ = 0;           // that were begun
    bool story_goes_on_ = false; // with further questions, in records of this place:
    long story_line_ = 0;
    std::string last_error_;
};

// The next record of those that --skip and --count ask for. Questions of one story count once.
bool Predicting::next(Record& record) {
    const long end = command_.skip + command_.count;
    for (;;) {
        if (command_.count > 0 && records_ >= end && !story_goes_on_) return false;
        try {
            if (!reader_->next(record)) return false;
            if (!story_goes_on_ || record.place.line != story_line_) ++records_;
            story_goes_on_ = record.more;
            story_line_ = record.place.line;
            if (command_.count > 0 && records_ > end) return false;
            if (records_ > command_.skip) return true;
        } catch (const UsageError&) {
            throw;
        } catch (const Error& error) {
            // The same message of the same line twice: the reader does not get on.
            if (command_.strict || error.what() == last_error_) throw;
            last_error_ = error.what();
            const bool stories = reader_->format() == std::string("stories");
            if (!stories) ++records_;
            if (records_ > command_.skip || (stories && records_ == command_.skip))
                add_bad(reader_->place(), error.what(), record.id);
        }
    }
}

// Where not all questions of a record fit the model, each is tried on its own, and gets its own line.
void Predicting::take(const Record& record) {
    std::string wrong = add(record);
    if (wrong.empty()) return;
    if (record.questions.size() == 1) return add_bad(record.questions[0].place, std::move(wrong), record.id);
    Record one = record;
    for (const RawQuestion& question : record.questions) {
        one.questions = {question};
        wrong = add(one);
        if (!wrong.empty()) add_bad(question.place, std::move(wrong), record.id);
    }
}

// What is wrong with the record, or nothing: then it is part of the piece.
std::string Predicting::add(const Record& record) {
    Dataset& data = builder_.data();
    const std::size_t graphs = data.graphs.size(), examples = data.examples.size();
    try {
        builder_.add(record);
    } catch (const Error& error) {
        if (command_.strict) throw;
        data.graphs.resize(graphs);
        data.examples.resize(examples);
        return error.what();
    }
    ids_.resize(data.graphs.size(), record.id);
    for (const RawQuestion& q : record.questions)
        truths_.push_back(show::truth_json(schema_, record, q.answer));
    return {};
}

void Predicting::add_bad(const Place& place, std::string message, const std::string& id) {
    const std::string begin = place.text() + ": ";
    if (message.starts_with(begin)) message.erase(0, begin.size());
    bad_.push_back({place, std::move(message), id});
    ++bad_count_;
    if (bad_.size() >= cli::piece_examples) answer();
}

// Answers the piece at hand; lines and errors in the order of the data.
void Predicting::answer() {
    Dataset& data = builder_.data();
    examples_.clear();
    for (const Example& e : data.examples) examples_.push_back(&e);
    if (!examples_.empty()) predictor_.predict(data, examples_, predictions_);
    std::size_t errors = 0;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        while (errors < bad_.size() && bad_[errors].place.line < examples_[i]->place.line)
            print(bad_[errors++]);
        print(i, predictions_[i]);
    }
    while (errors < bad_.size()) print(bad_[errors++]);
    builder_.clear();
    ids_.clear();
    truths_.clear();
    bad_.clear();
}

void Predicting::print(const BadLine& bad) {
    if (!command_.json) {
        ++lines_;
        std::puts(fmt::format("{}: error: {}", bad.place.text(), bad.text).c_str());
        return;
    }
    OrderedJson line;
    if (!bad.id.empty()) line["id"] = OrderedJson::parse(bad.id);
    line["file"] = bad.place.file;
    line["line"] = bad.place.line;
    line["error"] = bad.text;
    print(line);
}

void Predicting::print(std::size_t example, const Prediction& prediction) {
    const Example& e = *examples_[example];
    const GraphRecord& graph = builder_.data().graphs[e.graph];
    if (!command_.json) {
        ++lines_;
        std::puts(show::prediction_text(schema_, graph, e, prediction, command_.top).c_str());
        return;
    }
    OrderedJson line;
    if (!ids_[e.graph].empty()) line["id"] = OrderedJson::parse(ids_[e.graph]);
    line.update(show::prediction_json(schema_, graph, e, prediction, command_.top));
    if (!truths_[example].is_null()) line["truth"] = truths_[example];
    print(line);
}

void Predicting::print(const OrderedJson& line) {
    ++lines_;
    // A file's name may be no UTF-8.
    std::puts(line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
}

} // namespace

int run_predict(const AnswerCommand& command) {
    const Model model = load_to_answer(command.model);
    cli::check_options(command, model);
    Predicting predicting(command, model);
    predicting.run();
    if (predicting.lines() == 0) fail("{}: no questions in the part asked for", command.input);
    if (predicting.bad() > 0)
        fail("{}: {} of {} lines could not be answered; see there", command.input, predicting.bad(),
             predicting.lines());
    return 0;
}

} // namespace ggsnn
