// See front_scan.hpp. Here: words and annotations.
#include "verify/front_scan.hpp"

#include "base/error.hpp"

#include <cctype>

namespace ggsnn::verify {

namespace {

bool name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}

class Scanner {
  public:
    Scanner(std::string_view text, const std::string& name) : text_(text) { scan_.name = name; }

    Scan run() {
        while (skip_space()) one();
        for (Annotation& annotation : scan_.annotations)
            if (annotation.following == 0) annotation.following = text_.size();
        find_includes();
        return std::move(scan_);
    }

  private:
    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
    // Bytes of a joined line end (backslash, newline) at i; 0 if there is none.
    std::size_t joint(std::size_t i) const {
        if (at(i) != '\\') return 0;
        if (at(i + 1) == '\n') return 2;
        return at(i + 1) == '\r' && at(i + 2) == '\n' ? 3 : 0;
    }
    void newline(std::size_t next) {
        ++line_;
        line_start_ = next;
    }
    Position position() const { return {line_, static_cast<int>(at_ - line_start_) + 1}; }

    // To the next word; false at the end.
    bool skip_space() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                newline(++at_);
                fresh_ = true;
            } else if (const std::size_t n = joint(at_); n > 0) {
                const bool in_word = at_ > 0 && name_part(text_[at_ - 1]) && name_part(at(at_ + n));
                if (in_word) fail_at({scan_.name, line_}, "a backslash breaks a word over two lines");
                at_ += n;
                newline(at_);
            } else if (std::isspace(static_cast<unsigned char>(c)) || c == '\0') {
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

    static bool name_part(char c) { return name_start(c) || digit(c); }

    // One line of an annotation, from here to end.
    static Annotation::Piece piece(std::string_view text, Position position) {
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
        return {std::string(text), position};
    }

    void line_comment() {
        const std::size_t begin = at_;
        const Position place = position();
        while (at_ < text_.size() && text_[at_] != '\n') {
            if (const std::size_t n = joint(at_); n > 0) {
                at_ += n;
                newline(at_);
            } else {
                ++at_;
            }
        }
        if (at(begin + 2) != '@') return;
        Annotation annotation;
        annotation.offset = begin;
        annotation.pieces.push_back(
            piece(text_.substr(begin + 3, at_ - begin - 3), {place.line, place.column + 3}));
        scan_.annotations.push_back(std::move(annotation));
    }

    void block_comment() {
        const std::size_t begin = at_, end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail_at({scan_.name, line_}, "this comment has no end");
        const bool noted = at(begin + 2) == '@';
        Annotation annotation;
        annotation.offset = begin;
        annotation.whole_lines = false;
        at_ = begin + (noted ? 3 : 2);
        while (at_ <= end) {
            const std::size_t stop = std::min(text_.find('\n', at_), end);
            if (noted) annotation.pieces.push_back(inner_line(at_, stop));
            at_ = stop + 1;
            if (stop < end) newline(at_);
        }
        at_ = end + 2;
        if (noted) scan_.annotations.push_back(std::move(annotation));
    }

    // Lines of a block may begin with a @ and end with one, as some write them.
    Annotation::Piece inner_line(std::size_t begin, std::size_t end) const {
        while (begin < end && std::isspace(static_cast<unsigned char>(text_[begin]))) ++begin;
        if (begin < end && text_[begin] == '@') ++begin;
        if (end > begin && text_[end - 1] == '@') --end;
        return piece(text_.substr(begin, end - begin), {line_, static_cast<int>(begin - line_start_) + 1});
    }

    void one() {
        Word word;
        word.offset = at_;
        word.line = line_;
        word.starts_line = fresh_;
        fresh_ = false;
        const char c = text_[at_];
        std::size_t end = at_ + 1;
        if (name_start(c)) {
            word.kind = Word::Kind::name;
            while (name_part(at(end))) ++end;
        } else if (digit(c) || (c == '.' && digit(at(at_ + 1)))) {
            word.kind = Word::Kind::number;
            while (name_part(at(end)) || at(end) == '.' ||
                   ((at(end) == '+' || at(end) == '-') && exponent(at(end - 1))))
                ++end;
        } else if (c == '"' || c == '\'') {
            word.kind = Word::Kind::text;
            end = literal(c);
        } else if ((c == '#' && at(end) == '#') || (c == '%' && at(end) == ':')) {
            ++end;
        }
        word.text = text_.substr(word.offset, end - word.offset);
        for (auto i = scan_.annotations.size(); i > 0 && scan_.annotations[i - 1].following == 0; --i)
            scan_.annotations[i - 1].following = word.offset;
        at_ = end;
        scan_.words.push_back(word);
    }

    static bool exponent(char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; }

    // The end of a literal: its closing quote, or the line's end if it is not closed.
    std::size_t literal(char quote) {
        std::size_t i = at_ + 1;
        while (i < text_.size() && text_[i] != quote && text_[i] != '\n') {
            if (const std::size_t n = joint(i); n > 0) {
                i += n;
                newline(i);
            } else {
                i += text_[i] == '\\' && at(i + 1) != '\n' ? 2 : 1;
            }
        }
        return std::min(text_.size(), at(i) == quote ? i + 1 : i);
    }

    // Words of directives stand between others: # include < stdio . h >.
    void find_includes() {
        const auto& words = scan_.words;
        std::vector<std::size_t> directives;
        for (std::size_t i = 0; i + 1 < words.size(); ++i) {
            const bool sign = words[i].text == "#" || words[i].text == "%:";
            if (!sign || !words[i].starts_line || words[i + 1].starts_line) continue;
            directives.push_back(i + 1);
            const std::string_view kind = words[i + 1].text;
            if (kind == "include") {
                include(i);
            } else if (kind == "include_next" || kind == "import" || kind == "embed") {
                fail_at({scan_.name, words[i].line}, "#{} is not supported", kind);
            }
            if (kind == "pragma" && i + 2 < words.size() && words[i + 2].text == "once") scan_.guarded = true;
        }
        find_guard(directives);
    }

    void find_guard(const std::vector<std::size_t>& directives) {
        const auto& words = scan_.words;
        if (directives.size() < 3 || directives[0] != 1 || words[1].text != "ifndef") return;
        if (words[directives[1]].text != "define" || words[directives.back()].text != "endif") return;
        if (directives[1] + 1 >= words.size() || words[2].text != words[directives[1] + 1].text) return;
        scan_.guarded = true;
        scan_.guard = words[2].text;
    }

    void include(std::size_t sign) {
        const Word& word = scan_.words[sign];
        const Place place{scan_.name, word.line};
        const std::size_t end = std::min(text_.find('\n', word.offset), text_.size());
        std::string_view rest = text_.substr(word.offset, end - word.offset);
        const std::size_t open = rest.find_first_of("<\"");
        const Position at{word.line, 1};
        if (open == std::string_view::npos || sign + 2 >= scan_.words.size() ||
            scan_.words[sign + 2].offset != word.offset + open)
            fail_at(place, "expected #include <name> or #include \"name\"");
        const std::size_t close = rest.find(rest[open] == '<' ? '>' : '"', open + 1);
        if (close == std::string_view::npos) fail_at(place, "expected #include <name> or #include \"name\"");
        scan_.includes.push_back(
            {std::string(rest.substr(open + 1, close - open - 1)), rest[open] == '"', at});
    }

    std::string_view text_;
    std::size_t at_ = 0, line_start_ = 0;
    int line_ = 1;
    bool fresh_ = true;
    Scan scan_;
};

} // namespace

Scan scan_text(std::string_view text, const std::string& name) {
    return Scanner(text, name).run();
}

} // namespace ggsnn::verify
