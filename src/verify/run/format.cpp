#include "ggsnn/verify/run/format.hpp"

#include "ggsnn/verify/library.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t largest_width = 1 << 20;

class FormatReader {
  public:
    FormatReader(std::string_view text, bool scan) : text_(text), scan_(scan) {}

    bool read(std::vector<Conversion>& all) {
        std::string before;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c != '%') {
                before.push_back(c);
            } else if (at_ < text_.size() && text_[at_] == '%') {
                ++at_;
                before.push_back('%');
            } else {
                Conversion conversion;
                if (!one(conversion)) return false;
                conversion.before = std::move(before);
                before.clear();
                all.push_back(std::move(conversion));
            }
        }
        Conversion rest;
        rest.before = std::move(before);
        all.push_back(std::move(rest));
        return true;
    }

  private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    // Digits, or nothing. False: too large, or a numbered argument.
    bool digits(std::int64_t& number) {
        if (peek() < '0' || peek() > '9') return true;
        number = 0;
        while (peek() >= '0' && peek() <= '9') {
            number = 10 * number + (text_[at_++] - '0');
            if (number > largest_width) return false;
        }
        return peek() != '$';
    }

    bool one(Conversion& c) {
        if (scan_) {
            c.suppressed = take('*');
            if (!digits(c.width) || c.width == 0) return false;
        } else {
            while (std::string_view("#0-+ '").find(peek()) != std::string_view::npos && peek() != '\0')
                c.flags.push_back(text_[at_++]);
            if (take('*'))
                c.width = -2;
            else if (!digits(c.width))
                return false;
            if (take('.')) {
                c.precision = 0;
                if (take('*'))
                    c.precision = -2;
                else if (!digits(c.precision))
                    return false;
            }
        }
        for (const char* size : {"hh", "h", "ll", "l", "j", "z", "t", "L"})
            if (text_.substr(at_).substr(0, std::string_view(size).size()) == size) {
                c.size = size;
                at_ += c.size.size();
                break;
            }
        c.letter = peek();
        if (c.letter == '\0') return false;
        ++at_;
        return fits(c) && (c.letter != '[' || set(c));
    }

    bool fits(const Conversion& c) const {
        switch (c.letter) {
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
            return c.size != "L";
        case 'n':
            return c.size != "L" && c.width == -1 && c.precision == -1 && c.flags.empty() && !c.suppressed;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            return c.size.empty() || c.size == "l" || c.size == "L";
        case 'c':
        case 's':
            return c.size.empty();
        case 'p':
            return c.size.empty() && !scan_;
        case '[':
            return c.size.empty() && scan_;
        default:
            return false;
        }
    }

    bool set(Conversion& c) {
        if (take('^')) c.set.push_back('^');
        if (take(']')) c.set.push_back(']');
        while (at_ < text_.size() && text_[at_] != ']') c.set.push_back(text_[at_++]);
        return take(']');
    }

    std::string_view text_;
    bool scan_;
    std::size_t at_ = 0;
};

} // namespace

bool parse_conversions(std::string_view format, bool scan, std::vector<Conversion>& all) {
    return FormatReader(format, scan).read(all);
}

int number_bytes(const Conversion& c, int word) {
    if (c.size == "hh") return 1;
    if (c.size == "h") return 2;
    if (c.size == "ll" || c.size == "j") return 8;
    if (c.size == "l" || c.size == "z" || c.size == "t") return word;
    return 4;
}

// Part of the table's interface, see library.hpp.
bool parse_format(std::string_view format, bool scan, std::vector<FormatPart>& parts, int word) {
    parts.clear();
    std::vector<Conversion> all;
    if (!parse_conversions(format, scan, all)) return false;
    for (const Conversion& c : all) {
        if (c.letter == 0) continue;
        for (const std::int64_t star : {c.width, c.precision})
            if (star == -2) parts.push_back({FormatPart::Kind::number, 4, -1, false});
        FormatPart part;
        part.suppressed = c.suppressed;
        switch (c.letter) {
        case 's':
        case '[':
            part.kind = FormatPart::Kind::text;
            part.bytes = 1;
            part.width = scan ? c.width : c.precision;
            if (part.width == -2) return false; // how much of the text is read, only the run knows
            break;
        case 'c':
            part.kind = FormatPart::Kind::character;
            part.bytes = scan ? 1 : 4;
            part.width = scan ? std::max<std::int64_t>(c.width, 1) : -1;
            break;
        case 'p':
            part.kind = FormatPart::Kind::pointer;
            part.bytes = word;
            break;
        case 'n':
            part.kind = FormatPart::Kind::count;
            part.bytes = number_bytes(c, word);
            break;
        case 'd':
        case 'i':
        case 'o':
        case 'u':
        case 'x':
        case 'X':
            part.bytes = scan ? number_bytes(c, word) : std::max(number_bytes(c, word), 4);
            break;
        default:
            part.kind = FormatPart::Kind::floating;
            part.bytes = c.size == "L" ? (word == 8 ? 16 : 12) : scan && c.size.empty() ? 4 : 8;
        }
        parts.push_back(part);
    }
    return true;
}

} // namespace ggsnn::verify
