// Stories in English, in the text format of the bAbI tasks (Weston et al. 2015):
//
//   1 Mary moved to the bathroom.
//   2 John went to the hallway.
//   3 Where is Mary?<tab>bathroom<tab>1
//
// Lines are numbered from 1 in each story. A line with a tab is a question with its answer, words separated
// by commas, and the lines that support it, which are not needed; without answers a line that ends in a
// question mark is one. Each question is a record of its own with all sentences that its story told before
// it: nodes are the types of words, then the sentences, then the question; edges lead from a sentence to its
// words, by position, and to the next sentence.
#include "ggsnn/tasks/english.hpp"

#include <algorithm>
#include <cctype>

namespace ggsnn {

namespace {

// Words in lower case, without the punctuation around them.
std::vector<std::string> prose_words(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    const auto end_word = [&] {
        while (!word.empty() && std::string_view(".?!,;:\"").find(word.back()) != std::string_view::npos)
            word.pop_back();
        if (!word.empty()) words.push_back(word);
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ' || c == '\t') {
            end_word();
        } else {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    end_word();
    return words;
}

std::vector<std::string> split_at(std::string_view text, char mark) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = std::min(text.find(mark), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

struct Sentence {
    std::string text; // with its number; of a question without
    std::vector<std::string> words;
};

// The last one is the question.
void fill_record(const std::vector<Sentence>& all, const Place& place, Record& record) {
    record.place = place;
    for (const Sentence& sentence : all) {
        std::vector<int>& nodes = record.text.emplace_back();
        for (const std::string& word : sentence.words) {
            int node = record.find(word);
            if (node < 0) {
                node = static_cast<int>(record.names.size());
                record.names.push_back(word);
            }
            nodes.push_back(node);
        }
    }
    const int words = static_cast<int>(record.names.size()), count = static_cast<int>(all.size());
    for (int s = 0; s < count; ++s) {
        record.names.push_back(all[s].text);
        for (std::size_t i = 0; i < record.text[s].size(); ++i)
            record.edges.push_back({words + s, fmt::format("word {}", i + 1), record.text[s][i]});
        if (s + 2 < count) record.edges.push_back({words + s, "next", words + s + 1});
    }
    record.nodes = words + count;
    record.questions.push_back({"asks", {record.nodes - 1}, {}, {}, false, place});
}

class EnglishStories : public RecordReader {
  public:
    EnglishStories(std::unique_ptr<LineReader> lines, bool need_answers)
        : lines_(std::move(lines)), need_answers_(need_answers) {}

    const char* format() const override { return "English stories"; }
    Place place() const override { return lines_->place(); }

    bool next(Record& record) override {
        record = {};
        std::string_view line;
        while (lines_->next(line)) {
            if (lines_->line() == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
            if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
            if (!read_line(line, record)) continue;
            any_ = true;
            return true;
        }
        if (!any_)
            fail("{}: no question; expected lines `3 Where is Mary?`, a tab and the answer", lines_->path());
        return false;
    }

  private:
    // True if the line was a question, and record is it.
    bool read_line(std::string_view line, Record& record) {
        const std::string_view text = take_number(line);
        const std::size_t tab = text.find('\t');
        const bool asks = tab != std::string_view::npos || (!need_answers_ && text.ends_with('?'));
        std::vector<std::string> words = prose_words(text.substr(0, tab));
        if (words.empty()) fail_at(place(), "a line without words; expected a sentence");
        if (!asks) {
            if (text.ends_with('?'))
                fail_at(place(), "the question has no answer; expected a tab and the answer behind it");
            sentences_.push_back({std::string(line), std::move(words)});
            return false;
        }
        std::vector<Sentence> all = sentences_;
        all.push_back({std::string(text.substr(0, tab)), std::move(words)});
        fill_record(all, place(), record);
        read_answer(tab == std::string_view::npos ? std::string_view() : text.substr(tab + 1),
                    record.questions.back());
        return true;
    }

    // What follows the number; 1 begins a story.
    std::string_view take_number(std::string_view line) {
        const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
        if (digits == 0 || digits > 6 || digits == line.size() || line[digits] != ' ')
            fail_at(place(), "the line begins with '{}'; expected its number in the story and a blank",
                    line.substr(0, std::min<std::size_t>(digits + 1, 12)));
        const int number = std::stoi(std::string(line.substr(0, digits)));
        if (number != 1 && number <= number_)
            fail_at(place(),
                    "line {} of the story follows line {}; expected a larger number, or 1 for the next story",
                    number, number_);
        if (number == 1) sentences_.clear();
        number_ = number;
        return line.substr(digits + 1);
    }

    void read_answer(std::string_view text, RawQuestion& question) const {
        const std::string_view answer = text.substr(0, text.find('\t'));
        question.answer.ambiguous = true;
        for (const std::string& part : split_at(answer, ',')) {
            const std::vector<std::string> words = prose_words(part);
            if (!words.empty()) question.answer.words.push_back(fmt::format("{}", fmt::join(words, " ")));
        }
        question.answer.present = !question.answer.words.empty();
        if (!question.answer.present && need_answers_)
            fail_at(place(), "the question has no answer; expected one behind the tab");
    }

    std::unique_ptr<LineReader> lines_;
    bool need_answers_ = true, any_ = false;
    int number_ = 0;
    std::vector<Sentence> sentences_; // of the story so far
};

} // namespace

Record english_story(const std::vector<std::string>& sentences, const std::string& question) {
    std::vector<Sentence> all;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        all.push_back({fmt::format("{} {}", i + 1, sentences[i]), prose_words(sentences[i])});
    all.push_back({question, prose_words(question)});
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].words.empty())
            fail("story: {} has no words; expected a sentence",
                 i < sentences.size() ? fmt::format("sentence {}", i + 1) : "the question");
    Record record;
    fill_record(all, Place{"story"}, record);
    return record;
}

std::unique_ptr<RecordReader> open_english(std::unique_ptr<LineReader> lines, const ReadOptions& options) {
    return std::make_unique<EnglishStories>(std::move(lines), options.need_answers);
}

} // namespace ggsnn
