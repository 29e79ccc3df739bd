// The C library: reading, from files (what comes is drawn) and from texts.
#include "ggsnn/verify/run/format.hpp"
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cstdlib>

namespace ggsnn::verify {

namespace {

std::string any_text(Random& random, std::int64_t length, const std::string& alphabet) {
    std::string text;
    for (std::int64_t i = 0; i < length; ++i) text.push_back(alphabet[random.below(alphabet.size())]);
    return text;
}

} // namespace

// Writes what was read, for as many conversions as the reading gave.
bool Machine::scan(LibraryCall& call, Value& result) {
    if (call.what.name.find("sscanf") != std::string::npos) return scan_text(call, result);
    std::string format;
    std::vector<Conversion> all;
    if (!text_argument(call, call.what.format, format)) return false;
    if (!parse_conversions(format, true, all))
        return refuse(call.position, fmt::format("the format \"{}\" is not followed", format));
    const auto counted = std::count_if(all.begin(), all.end(), [](const Conversion& c) {
        return c.letter != 0 && c.letter != 'n' && !c.suppressed;
    });
    run_.deterministic = false;
    // Usually everything is there; sometimes less, or nothing at all.
    const std::int64_t done = random_.chance(0.7) ? counted : small(-1, counted);
    run_.choices.push_back({call.what.name, call.position, done, {}, 0, 0});
    auto at = static_cast<std::size_t>(call.what.format) + 1;
    std::int64_t written = 0;
    for (const Conversion& c : all) {
        if (c.letter == 0 || c.suppressed) continue;
        if (at >= call.arguments.size())
            return refuse(call.position, "the format asks for more arguments than are given");
        const std::size_t a = at++;
        if (written >= done || done < 0) continue;
        std::string bytes;
        if (c.letter == 's' || c.letter == '[') {
            if (c.letter == '[' && c.set.find('a') == std::string::npos && c.set[0] != '^')
                return refuse(call.position, "a set of characters in a format is not followed");
            const std::int64_t most = c.width < 0 ? 300 : c.width;
            bytes = std::string(static_cast<std::size_t>(random_.chance(0.15) ? most : small(1, most)), 'a');
            bytes.push_back('\0');
        } else if (c.letter == 'c') {
            bytes = any_text(random_, std::max<std::int64_t>(c.width, 1), "ab1 \n");
        } else if (std::string_view("diouxXn").find(c.letter) != std::string_view::npos) {
            const std::int64_t number = small(-1000, 1000);
            for (int i = 0; i < number_bytes(c, program_.pointer_bytes); ++i)
                bytes.push_back(static_cast<char>(number >> std::min(8 * i, 63) & 0xff));
        } else {
            bytes = std::string(c.size == "L"   ? (program_.pointer_bytes == 8 ? 16 : 12)
                                : c.size == "l" ? 8
                                                : 4,
                                '\0');
        }
        run_.choices.push_back({call.what.name, call.position, 0, bytes, 0, 0});
        if (!store_bytes(call.arguments[a], bytes, call.position, argument_name(call, static_cast<int>(a))))
            return false;
        if (c.letter != 'n') ++written;
    }
    result = Value::of_number(done);
    return true;
}

// fgets, fread, read: some bytes, or nothing. Where there is not room for all that may come, all of it comes.
bool Machine::read_input(LibraryCall& call, Value& result) {
    const std::string& name = call.what.name;
    const int buffer = name == "read" ? 1 : 0;
    const Value& to = call.arguments[static_cast<std::size_t>(buffer)];
    std::int64_t each = 1, most = 0, whole = 0;
    if (!number_argument(call, name == "fgets" ? 1 : 2, most)) return false;
    if (name == "fread" && !number_argument(call, 1, each)) return false;
    for (const Access& access : call.what.accesses)
        if (!access.write && !library_access(call, access)) return false;
    if (most <= 0 || each <= 0 || __builtin_mul_overflow(most, each, &whole) ||
        (name == "fgets" && most == 1))
        return library_accesses(call) && refuse(call.position, "something is read into no room");
    if (!check_block(to, true, call.position, argument_name(call, buffer))) return false;
    run_.deterministic = false;
    const std::int64_t room = memory_.block(to.block).size - to.number;
    std::int64_t read = random_.chance(0.2) ? 0 : random_.chance(0.3) ? most : small(0, most);
    if (room < whole) read = most;
    read = std::min(read, std::max<std::int64_t>(4096, room + each) / each);
    std::string bytes;
    if (name == "fgets") {
        read = std::min(read, most - 1);
        bytes = any_text(random_, read, "ab1");
        if (!bytes.empty() && read < most - 1) bytes.back() = '\n';
        result = bytes.empty() ? Value::of_number(0) : to;
        if (!bytes.empty()) bytes.push_back('\0');
    } else {
        bytes = any_text(random_, read * each, std::string("a\0\1", 3));
        result = Value::of_number(read);
    }
    run_.choices.push_back(
        {name, call.position, name == "fgets" ? (bytes.empty() ? 0 : 1) : read, bytes, 0, 0});
    if (bytes.empty()) return true;
    return store_bytes(to, bytes, call.position, argument_name(call, buffer));
}

namespace {

bool is_space(char c) {
    return c == ' ' || (c >= 9 && c <= 13);
}

// Reads one text by conversions, as sscanf does in the C locale.
class TextScanner {
  public:
    TextScanner(const std::string& text, int word) : text_(text), word_(word) {}

    // What stands before a conversion. False: it does not match.
    bool before(const std::string& format) {
        for (const char c : format) {
            if (is_space(c)) {
                skip();
            } else if (at_ < text_.size() && text_[at_] == c) {
                ++at_;
            } else {
                return false;
            }
        }
        return true;
    }
    bool at_end() const { return at_ >= text_.size(); }
    void skip() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    std::size_t place() const { return at_; }

    // The bytes that the conversion writes. False: nothing fits.
    bool convert(const Conversion& c, std::string& bytes) {
        if (c.letter != 'c' && c.letter != '[') skip();
        const std::size_t most = c.width < 0 ? text_.size() - at_ : static_cast<std::size_t>(c.width);
        const std::string part = text_.substr(std::min(at_, text_.size()), most);
        std::size_t used = 0;
        if (c.letter == 'c') {
            used = static_cast<std::size_t>(std::max<std::int64_t>(c.width, 1));
            if (part.size() < used) return false;
            bytes = part.substr(0, used);
        } else if (c.letter == 's' || c.letter == '[') {
            while (used < part.size() &&
                   (c.letter == 's' ? !is_space(part[used]) : in_set(c.set, part[used])))
                ++used;
            bytes = part.substr(0, used);
            bytes.push_back('\0');
        } else if (std::string_view("diouxX").find(c.letter) != std::string_view::npos) {
            const int base = c.letter == 'i'                      ? 0
                             : c.letter == 'o'                    ? 8
                             : c.letter == 'x' || c.letter == 'X' ? 16
                                                                  : 10;
            char* end = nullptr;
            const bool is_signed = c.letter == 'd' || c.letter == 'i';
            const auto number = is_signed
                                    ? static_cast<unsigned long long>(std::strtoll(part.c_str(), &end, base))
                                    : std::strtoull(part.c_str(), &end, base);
            used = static_cast<std::size_t>(end - part.c_str());
            for (int i = 0; i < number_bytes(c, word_); ++i)
                bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
        } else {
            return false;
        }
        at_ += used;
        return used > 0;
    }

  private:
    static bool in_set(const std::string& set, char c) {
        const bool negated = !set.empty() && set[0] == '^';
        bool found = false;
        for (std::size_t i = negated ? 1 : 0; i < set.size(); ++i) {
            if (i + 2 < set.size() && set[i + 1] == '-') {
                found = found || (c >= set[i] && c <= set[i + 2]);
                i += 2;
            } else {
                found = found || c == set[i];
            }
        }
        return found != negated;
    }

    const std::string& text_;
    int word_;
    std::size_t at_ = 0;
};

} // namespace

// sscanf: the text decides.
bool Machine::scan_text(LibraryCall& call, Value& result) {
    std::string format, text;
    std::vector<Conversion> all;
    if (!text_argument(call, 0, text) || !text_argument(call, call.what.format, format)) return false;
    if (!parse_conversions(format, true, all) || std::any_of(all.begin(), all.end(), [](const Conversion& c) {
            return c.letter != 0 && std::string_view("diouxXcs[n").find(c.letter) == std::string_view::npos;
        }))
        return refuse(call.position, fmt::format("the format \"{}\" is not followed", format));
    TextScanner scanner(text, program_.pointer_bytes);
    auto at = static_cast<std::size_t>(call.what.format) + 1;
    std::int64_t done = 0;
    bool input_failed = false;
    for (const Conversion& c : all) {
        if (!scanner.before(c.before)) {
            input_failed = scanner.at_end();
            break;
        }
        if (c.letter == 0) break;
        std::string bytes;
        if (c.letter == 'n') {
            for (int i = 0; i < number_bytes(c, program_.pointer_bytes); ++i)
                bytes.push_back(static_cast<char>(scanner.place() >> (8 * i) & 0xff));
        } else {
            if (c.letter != 'c' && c.letter != '[') scanner.skip();
            input_failed = scanner.at_end();
            if (!scanner.convert(c, bytes)) break;
            input_failed = false;
        }
        if (c.suppressed) continue;
        if (at >= call.arguments.size())
            return refuse(call.position, "the format asks for more arguments than are given");
        const auto a = at++;
        if (!store_bytes(call.arguments[a], bytes, call.position, argument_name(call, static_cast<int>(a))))
            return false;
        if (c.letter != 'n') ++done;
    }
    result = Value::of_number(done == 0 && input_failed ? -1 : done);
    return true;
}

} // namespace ggsnn::verify
