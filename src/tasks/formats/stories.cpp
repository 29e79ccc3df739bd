// Symbolic stories (tasks/story.hpp) as records.
#include "ggsnn/tasks/record.hpp"
#include "ggsnn/tasks/story.hpp"

namespace ggsnn {

namespace {

class Stories : public RecordReader {
  public:
    Stories(std::unique_ptr<LineReader> lines, const StoryRules& rules) : reader_(std::move(lines), rules) {}
    const char* format() const override { return "stories"; }
    Place place() const override { return reader_.place(); }

    bool next(Record& record) override {
        if (!reader_.next(story_)) return false;
        record = {};
        record.place = story_.place;
        record.nodes = static_cast<int>(story_.entities.size());
        record.names = story_.entities;
        record.more = reader_.rules().at_once;
        for (const Fact& f : story_.facts) record.edges.push_back({f.source, f.relation, f.target});
        for (const Question& q : story_.questions) {
            RawQuestion question{q.type, q.arguments, {}, {}, false, q.place};
            question.answer.present = !q.answer.empty();
            question.answer.ambiguous = true;
            question.answer.words = q.answer;
            record.questions.push_back(std::move(question));
        }
        return true;
    }

  private:
    StoryReader reader_;
    Story story_;
};

} // namespace

std::unique_ptr<RecordReader> open_stories(std::unique_ptr<LineReader> lines, const ReadOptions& options) {
    const StoryRules rules{.need_answers = options.need_answers,
                           .at_once = lines->is_stream() && options.before_wait != nullptr};
    return std::make_unique<Stories>(std::move(lines), rules);
}

} // namespace ggsnn
