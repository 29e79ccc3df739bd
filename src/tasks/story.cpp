#include "ggsnn/tasks/story.hpp"

#include <algorithm>

namespace ggsnn {

namespace {

constexpr std::string_view blanks = " \t";

void split_words(std::string_view line, std::vector<std::string_view>& words) {
    words.clear();
    for (;;) {
        const std::size_t begin = line.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return;
        line.remove_prefix(begin);
        const std::size_t end = std::min(line.find_first_of(blanks), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// What a message shows of the input, cut at a whole character.
std::string shorten(std::string_view text) {
    constexpr std::size_t longest = 60;
    if (text.size() <= longest) return std::string(text);
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    return fmt::format("{}...", text.substr(0, end));
}

std::string quote(std::string_view text) {
    return fmt::format("'{}'", shorten(text));
}

// Length of the UTF-8 character that begins here, or 0 if none does.
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80   ? 1
                               : byte(0) < 0xc2 ? 0
                               : byte(0) < 0xe0 ? 2
                               : byte(0) < 0xf0 ? 3
                               : byte(0) < 0xf5 ? 4
                                                : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
    const bool surrogate = byte(0) == 0xed && byte(1) >= 0xa0;
    const bool beyond = byte(0) == 0xf4 && byte(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

void check_text(std::string_view line, const Place& place) {
    for (std::size_t i = 0; i < line.size();) {
        const auto byte = static_cast<unsigned char>(line[i]);
        const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7f;
        const std::size_t length = utf8_length(line.substr(i));
        if (control || length == 0)
            fail_at(place, "byte 0x{:02x} in column {}; expected text in UTF-8", byte, i + 1);
        i += length;
    }
}

} // namespace

void Story::clear() {
    entities.clear();
    facts.clear();
    questions.clear();
    place = {};
}

int find_entity(const Story& story, std::string_view name) {
    const auto found = std::find(story.entities.begin(), story.entities.end(), name);
    return found == story.entities.end() ? -1 : static_cast<int>(found - story.entities.begin());
}

std::string list_entities(const Story& story) {
    constexpr std::size_t shown = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, story.entities.size()); ++i)
        text += (i > 0 ? ", " : "") + shorten(story.entities[i]);
    if (story.entities.size() > shown) text += fmt::format(" and {} more", story.entities.size() - shown);
    return text;
}

StoryReader::StoryReader(std::string path, StoryRules rules)
    : StoryReader(std::make_unique<LineReader>(std::move(path)), rules) {}

StoryReader::StoryReader(std::unique_ptr<LineReader> lines, StoryRules rules)
    : lines_(std::move(lines)), rules_(rules) {}

bool StoryReader::next_line(std::string_view& line) {
    if (holding_) {
        line = held_;
        holding_ = false;
        return true;
    }
    if (!lines_->next(line)) return false;
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (lines_->line() == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    check_text(line, lines_->place());
    return true;
}

int StoryReader::intern(Story& story, std::string_view name) {
    if (const auto found = index_.find(name); found != index_.end()) return found->second;
    const int id = static_cast<int>(story.entities.size());
    story.entities.emplace_back(name);
    index_.emplace(story.entities.back(), id);
    return id;
}

void StoryReader::read_fact(Story& story) {
    if (words_.size() != 3)
        fail_at(lines_->place(),
                "a fact of {} word{}, beginning with {}; expected three: source relation target",
                words_.size(), words_.size() == 1 ? "" : "s", quote(words_.front()));
    if (story.facts.empty()) story.place = lines_->place();
    const int source = intern(story, words_[0]);
    const int target = intern(story, words_[2]);
    story.facts.push_back({source, std::string(words_[1]), target});
}

void StoryReader::read_question(Story& story, std::string_view line) {
    const Place place = lines_->place();
    if (story.facts.empty())
        fail_at(place, "a question before any fact of its story; expected `source relation target` first");
    const std::size_t tab = line.find('\t', line.find_first_not_of(blanks));
    split_words(line.substr(0, tab), words_);
    Question question;
    question.place = place;
    bool typed = false;
    for (std::size_t i = 1; i < words_.size(); ++i) {
        if (const auto found = index_.find(words_[i]); found != index_.end()) {
            question.arguments.push_back(found->second);
        } else if (!typed) {
            question.type = words_[i];
            question.type_position = static_cast<int>(question.arguments.size());
            typed = true;
        } else {
            fail_at(place,
                    "neither {} nor {} is an entity of the story; expected one question type and arguments "
                    "among the entities {}",
                    quote(question.type), quote(words_[i]), list_entities(story));
        }
    }
    if (!typed)
        fail_at(place,
                "a question without a type; expected a word after `eval` that is not one of the entities {}",
                list_entities(story));
    read_answer(question, tab == std::string_view::npos ? std::string_view{} : line.substr(tab + 1));
    story.questions.push_back(std::move(question));
}

void StoryReader::read_answer(Question& question, std::string_view text) {
    text = trim(text);
    if (text.empty()) {
        if (rules_.need_answers)
            fail_at(question.place, "a question without an answer; expected a tab and the answer after it");
        return;
    }
    if (text.find_first_of(blanks) != std::string_view::npos)
        fail_at(question.place, "the answer {} holds a space or a tab; expected words joined by commas",
                quote(text));
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma == 0)
            fail_at(question.place, "an empty word in the answer; expected words joined by commas");
        question.answer.emplace_back(text.substr(0, comma));
        if (comma == text.size()) return;
        text.remove_prefix(comma + 1);
    }
}

void StoryReader::begin(Story& story) {
    story.clear();
    index_.clear();
    asked_ = false;
}

// Takes lines until the story ends (true), or until its next question where that is wanted at once (false).
bool StoryReader::read_until_end(Story& story) {
    std::string_view line;
    while (next_line(line)) {
        split_words(line, words_);
        if (words_.empty()) {
            if (!story.facts.empty()) return true;
            continue;
        }
        any_ = true;
        if (words_.front() == "eval") {
            asked_ = true;
            read_question(story, line);
            if (rules_.at_once) return false;
        } else if (asked_ && !story.facts.empty()) {
            held_ = line;
            holding_ = true;
            return true;
        } else {
            asked_ = false;
            read_fact(story);
        }
    }
    return true;
}

bool StoryReader::next(Story& story) {
    for (;;) {
        if (!within_) begin(story);
        if (rules_.at_once) story.questions.clear();
        within_ = true; // an Error leaves it so
        if (!read_until_end(story)) return true;
        within_ = false;
        if (story.facts.empty()) {
            if (!any_)
                fail("{}: no story found; expected facts `source relation target` and questions", path());
            return false;
        }
        if (rules_.need_questions && !asked_)
            fail_at(story.place,
                    "a story of {} fact{} without a question; expected a line that begins with `eval`",
                    story.facts.size(), story.facts.size() == 1 ? "" : "s");
        if (!rules_.at_once) return true;
    }
}

void write_story(std::string& out, const Story& story) {
    const auto name = [&](int entity) -> const std::string& {
        return story.entities[static_cast<std::size_t>(entity)];
    };
    for (const Fact& fact : story.facts)
        fmt::format_to(std::back_inserter(out), "{} {} {}\n", name(fact.source), fact.relation,
                       name(fact.target));
    for (const Question& question : story.questions) {
        out += "eval";
        for (int i = 0; i <= static_cast<int>(question.arguments.size()); ++i) {
            if (i == question.type_position) out += " " + question.type;
            if (i < static_cast<int>(question.arguments.size()))
                out += " " + name(question.arguments[static_cast<std::size_t>(i)]);
        }
        for (std::size_t i = 0; i < question.answer.size(); ++i)
            out += (i > 0 ? ',' : '\t') + question.answer[i];
        out += '\n';
    }
}

} // namespace ggsnn
