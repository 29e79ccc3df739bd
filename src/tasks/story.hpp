// Symbolic stories: the text in which the bAbI tasks, shortest paths and Eulerian circuits are written
// (section 'Explanatory Applications' of the paper). A line is a fact, `A relation B`, or a question,
// `eval` with a question type and arguments, a tab, and the answer:
//
//   D is A
//   A has_fear F
//   eval D has_fear<tab>F
//
// A blank line ends a story, and so does a fact that follows a question. In a question the first word
// that is not an entity of the story's facts is the type; the other words are the arguments, in order.
// An answer of several words is written with commas: `w,s`.
#pragma once

#include "ggsnn/base/error.hpp"
#include "ggsnn/base/files.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ggsnn {

struct Fact {
    int source = 0; // index into Story::entities
    std::string relation;
    int target = 0; // index into Story::entities
};

struct Question {
    std::string type;
    std::vector<int> arguments;      // indices into Story::entities
    int type_position = 0;           // how many arguments stand before the type in the text
    std::vector<std::string> answer; // one word, or a sequence; empty if the file gives none
    Place place;
};

struct Story {
    std::vector<std::string> entities; // in order of first appearance in the facts
    std::vector<Fact> facts;
    std::vector<Question> questions;
    Place place; // of the first fact

    // Keeps the memory, for reading many stories into one Story.
    void clear();
};

// Index of the entity of that name, or -1.
int find_entity(const Story& story, std::string_view name);

// "A, B, C": the entities for a message, cut short when there are many.
std::string list_entities(const Story& story);

struct StoryRules {
    bool need_answers = true;   // off for prediction: a question may end before the tab
    bool need_questions = true; // off where only the graphs matter
    // A question is given as soon as it is read, alone, with the facts of its story: for whoever asks one
    // after the other and waits.
    bool at_once = false;
};

// Reads the stories of a file one by one, in memory bounded by the longest story. Not thread-safe.
class StoryReader {
  public:
    // Throws Error when the file cannot be opened.
    explicit StoryReader(std::string path, StoryRules rules = {});
    // Reads on where lines stands, usually at its begin.
    explicit StoryReader(std::unique_ptr<LineReader> lines, StoryRules rules = {});

    // Replaces story by the next one; false at the end of the file. Throws Error, with file and line, on
    // anything that is not a story, and on a file without any. After an Error, or with at_once, story must be
    // the one of the call before: it goes on behind the bad line, which is as if it were not there.
    bool next(Story& story);

    const std::string& path() const { return lines_->path(); }
    Place place() const { return lines_->place(); } // of the line last read
    const StoryRules& rules() const { return rules_; }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    bool next_line(std::string_view& line);
    void begin(Story& story);
    bool read_until_end(Story& story);
    int intern(Story& story, std::string_view name);
    void read_fact(Story& story);
    void read_question(Story& story, std::string_view line);
    void read_answer(Question& question, std::string_view text);

    std::unique_ptr<LineReader> lines_;
    StoryRules rules_;
    std::string_view held_; // a line already read that begins the next story
    bool holding_ = false;
    bool any_ = false;
    bool within_ = false; // the story of the call before has not ended
    bool asked_ = false;  // it has a question, or a line that should have been one
    std::vector<std::string_view> words_;
    std::unordered_map<std::string, int, Hash, std::equal_to<>> index_;
};

// Appends the lines of a story, without a blank line after it.
void write_story(std::string& out, const Story& story);

} // namespace ggsnn
