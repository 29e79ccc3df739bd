#include "ggsnn/verify/read/scan.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace ggsnn::verify {

namespace {

bool name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}
bool name_part(char c) {
    return name_start(c) || digit(c);
}

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) { scan_.files.emplace_back(); }

    Scan run() {
        while (skip_space()) one();
        for (Annotation& annotation : scan_.annotations)
            annotation.following = std::min(annotation.following, scan_.words.size());
        return std::move(scan_);
    }

  private:
    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    void newline(std::size_t next) {
        ++line_;
        line_start_ = next;
    }
    TextPlace place() const { return {file_, line_, static_cast<int>(at_ - line_start_) + 1}; }

    // To the next word; false at the end.
    bool skip_space() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                newline(++at_);
                fresh_ = true;
            } else if (c == '#' && fresh_) {
                directive();
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0') {
                ++at_;
            } else if (c == '/' && at(at_ + 1) == '/') {
                line_comment();
            } else if (c == '/' && at(at_ + 1) == '*') {
                block_comment();
            } else {
                return true;
            }
        }
        return false;
    }

    // # 12 "name" 3: the next line is line 12 of that file; 3 means a system header. Others are skipped.
    void directive() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view rest = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end;
        while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
        if (rest.starts_with("line ")) rest.remove_prefix(5);
        if (rest.empty() || !digit(rest.front())) return;
        long number = 0;
        while (!rest.empty() && digit(rest.front()) && number < 100'000'000) {
            number = 10 * number + (rest.front() - '0');
            rest.remove_prefix(1);
        }
        line_ = static_cast<int>(number) - 1; // the line's end adds one
        const std::size_t open = rest.find('"');
        if (open == std::string_view::npos) return;
        std::string name;
        std::size_t i = open + 1;
        for (; i < rest.size() && rest[i] != '"'; ++i) {
            if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
            name += rest[i];
        }
        system_ = rest.substr(std::min(i, rest.size())).find(" 3") != std::string_view::npos;
        const auto [entry, added] = by_name_.try_emplace(name, static_cast<int>(scan_.files.size()));
        if (added) scan_.files.push_back(name);
        file_ = entry->second;
    }

    static Annotation::Piece piece(std::string_view text, TextPlace place) {
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
            text.remove_suffix(1);
        return {std::string(text), place};
    }

    void line_comment() {
        const std::size_t begin = at_;
        TextPlace from = place();
        while (at_ < text_.size() && text_[at_] != '\n') {
            const bool joined = text_[at_] == '\\' && at(at_ + 1) == '\n';
            at_ += joined ? 2 : 1;
            if (joined) newline(at_);
        }
        if (at(begin + 2) != '@' || system_) return;
        from.column += 3;
        Annotation annotation;
        annotation.pieces.push_back(piece(text_.substr(begin + 3, at_ - begin - 3), from));
        annotation.following = scan_.words.size();
        scan_.annotations.push_back(std::move(annotation));
    }

    void block_comment() {
        const std::size_t begin = at_, end = std::min(text_.find("*/", at_ + 2), text_.size());
        const bool noted = at(begin + 2) == '@' && !system_;
        Annotation annotation;
        annotation.following = scan_.words.size();
        at_ = std::min(begin + (noted ? 3 : 2), end);
        while (at_ <= end) {
            const std::size_t stop = std::min(text_.find('\n', at_), end);
            if (noted) annotation.pieces.push_back(inner_line(at_, stop));
            at_ = stop + 1;
            if (stop < end) newline(at_);
        }
        at_ = std::min(end + 2, text_.size());
        fresh_ = false;
        if (noted) scan_.annotations.push_back(std::move(annotation));
    }

    // Lines of a block may begin with a @ and end with one, as some write them.
    Annotation::Piece inner_line(std::size_t begin, std::size_t end) const {
        while (begin < end && std::isspace(static_cast<unsigned char>(text_[begin])) != 0) ++begin;
        if (begin < end && text_[begin] == '@') ++begin;
        if (end > begin && text_[end - 1] == '@') --end;
        return piece(text_.substr(begin, end - begin),
                     {file_, line_, static_cast<int>(begin - line_start_) + 1});
    }

    void one() {
        Word word;
        word.place = place();
        fresh_ = false;
        const char c = text_[at_];
        std::size_t end = at_ + 1;
        if (name_start(c)) {
            word.kind = Word::Kind::name;
            while (name_part(at(end))) ++end;
        } else if (digit(c) || (c == '.' && digit(at(at_ + 1)))) {
            word.kind = Word::Kind::number;
            while (name_part(at(end)) || at(end) == '.') ++end;
        } else if (c == '"' || c == '\'') {
            word.kind = Word::Kind::text;
            while (end < text_.size() && text_[end] != c && text_[end] != '\n')
                end += text_[end] == '\\' ? 2 : 1;
            end = std::min(text_.size(), at(end) == c ? end + 1 : end);
        }
        word.text = text_.substr(at_, end - at_);
        at_ = end;
        if (!system_) scan_.words.push_back(word);
    }

    std::string_view text_;
    std::size_t at_ = 0, line_start_ = 0;
    int line_ = 1, file_ = 0;
    bool fresh_ = true, system_ = false;
    Scan scan_;
    std::map<std::string, int> by_name_;
};

// One behind the bracket that closes the one at `open`.
std::size_t behind(const std::vector<Word>& words, std::size_t open, std::string_view left,
                   std::string_view right) {
    int depth = 0;
    for (std::size_t i = open; i < words.size(); ++i) {
        if (words[i].text == left) ++depth;
        if (words[i].text == right && --depth == 0) return i + 1;
    }
    return words.size();
}

// Whether { at `brace` opens the body of the function that is declared from `begin` on.
bool opens_body(const std::vector<Word>& words, std::size_t begin, std::size_t brace) {
    bool head = false;
    for (std::size_t i = begin; i < brace; ++i) {
        if (words[i].text == "=" || words[i].text == "typedef") return false;
        head = head || words[i].text == "(";
    }
    const auto is_tag = [&](std::size_t i) {
        return i >= begin &&
               (words[i].text == "struct" || words[i].text == "union" || words[i].text == "enum");
    };
    return head && brace > begin && !is_tag(brace - 1) && !(brace > begin + 1 && is_tag(brace - 2));
}

} // namespace

std::vector<Declaration> Scan::declarations() const {
    std::vector<Declaration> all;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i].text;
        if (word == "(") {
            i = behind(words, i, "(", ")") - 1;
        } else if (word == ";") {
            all.push_back({begin, i + 1, i + 1});
            begin = i + 1;
        } else if (word == "{") {
            const std::size_t end = behind(words, i, "{", "}");
            // In old C the declarations of the parameters stand before the body.
            while (i == begin && !all.empty() && all.back().body == all.back().end) {
                const std::size_t before = all.back().begin;
                all.pop_back();
                if (opens_body(words, before, i)) begin = before;
            }
            if (opens_body(words, begin, i)) {
                all.push_back({begin, end, i});
                begin = end;
            }
            i = end - 1;
        }
    }
    if (begin < words.size()) all.push_back({begin, words.size(), words.size()});
    return all;
}

std::vector<LoopHead> Scan::loops() const {
    std::vector<LoopHead> all;
    std::vector<int> open; // depths of do whose while is to come
    int depth = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i].text;
        if (word == "{") ++depth;
        if (word == "}") --depth;
        if (word == "do") {
            open.push_back(depth);
            all.push_back({i, i + 1});
        }
        if (word != "while" && word != "for") continue;
        if (i + 1 >= words.size() || words[i + 1].text != "(") continue;
        const std::size_t body = behind(words, i + 1, "(", ")");
        const bool tail = word == "while" && !open.empty() && open.back() == depth && body < words.size() &&
                          words[body].text == ";";
        if (tail)
            open.pop_back();
        else
            all.push_back({i, body});
    }
    return all;
}

Scan scan_text(std::string_view text) {
    return Scanner(text).run();
}

} // namespace ggsnn::verify
