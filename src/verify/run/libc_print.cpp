// The C library: printing.
#include "ggsnn/verify/run/format.hpp"
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

std::string digits_of(std::uint64_t number, unsigned base, bool capital) {
    std::string text;
    do {
        const auto digit = static_cast<int>(number % base);
        text.push_back(static_cast<char>(digit < 10 ? '0' + digit : (capital ? 'A' : 'a') + digit - 10));
        number /= base;
    } while (number != 0);
    std::reverse(text.begin(), text.end());
    return text;
}

std::string number_text(const Conversion& c, std::int64_t precision, std::uint64_t bits, int width) {
    const bool is_signed = c.letter == 'd' || c.letter == 'i';
    const std::int64_t number = sign_extended(bits, width);
    const auto has = [&](char flag) { return c.flags.find(flag) != std::string::npos; };
    std::string sign;
    std::uint64_t magnitude = low_bits(number, width);
    if (is_signed) {
        if (number < 0) magnitude = 0 - static_cast<std::uint64_t>(number);
        sign = number < 0 ? "-" : has('+') ? "+" : has(' ') ? " " : "";
    }
    const unsigned base = c.letter == 'o' ? 8 : c.letter == 'x' || c.letter == 'X' ? 16 : 10;
    std::string text = precision == 0 && magnitude == 0 ? "" : digits_of(magnitude, base, c.letter == 'X');
    if (precision > static_cast<std::int64_t>(text.size()))
        text.insert(0, static_cast<std::size_t>(precision) - text.size(), '0');
    if (has('#') && base == 8 && (text.empty() || text[0] != '0')) text.insert(0, "0");
    if (has('#') && base == 16 && magnitude != 0) sign = c.letter == 'X' ? "0X" : "0x";
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(c.width, 0));
    if (has('0') && !has('-') && precision < 0 && sign.size() + text.size() < room)
        text.insert(0, room - sign.size() - text.size(), '0');
    return sign + text;
}

void pad(std::string& text, const Conversion& c) {
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(c.width, 0));
    if (text.size() >= room) return;
    text.insert(c.flags.find('-') != std::string::npos ? text.size() : 0, room - text.size(), ' ');
}

} // namespace

// What is printed. known: false if floating numbers, addresses or values that are not determined are in it.
bool Machine::formatted(LibraryCall& call, std::string& text, bool& known) {
    std::string format;
    std::vector<Conversion> all;
    if (!text_argument(call, call.what.format, format)) return false;
    if (!parse_conversions(format, false, all))
        return refuse(call.position, fmt::format("the format \"{}\" is not followed", format));
    auto at = static_cast<std::size_t>(call.what.format) + 1;
    known = true;
    const auto next = [&](std::size_t& argument) {
        if (at >= call.arguments.size())
            return refuse(call.position, "the format asks for more arguments than are given");
        argument = at++;
        return true;
    };
    const auto star = [&](std::int64_t& number) {
        std::size_t a = 0;
        if (number != -2) return true;
        if (!next(a)) return false;
        return number_argument(call, static_cast<int>(a), number);
    };
    for (Conversion& c : all) {
        text += c.before;
        if (c.letter == 0) continue;
        const bool from_argument = c.width == -2;
        if (!star(c.width)) return false;
        if (from_argument && c.width < 0) {
            c.flags.push_back('-');
            c.width = -c.width;
        }
        if (!star(c.precision)) return false;
        std::size_t a = 0;
        if (!next(a)) return false;
        const Value& v = call.arguments[a];
        const Type type = a < call.types.size() ? call.types[a] : Type{};
        std::string part;
        if (c.letter == 's') {
            if (!load_text(v, c.precision < 0 ? -1 : c.precision, call.position,
                           argument_name(call, static_cast<int>(a)), part))
                return false;
        } else if (c.letter == 'n') {
            const int bytes = number_bytes(c, program_.pointer_bytes);
            Place place;
            if (!check(v, bytes, true, call.position, argument_name(call, static_cast<int>(a)), place))
                return false;
            memory_.store(place.block, place.offset, bytes,
                          known ? Value::of_number(static_cast<std::int64_t>(text.size())) : Value{});
            continue;
        } else if (c.letter == 'p') {
            if (type.kind != Type::Kind::pointer)
                return refuse(call.position, "the format and the types of the arguments differ");
            known = false;
        } else if (std::string_view("diouxXc").find(c.letter) != std::string_view::npos) {
            const int bytes = std::max(c.letter == 'c' ? 4 : number_bytes(c, program_.pointer_bytes), 4);
            if (type.kind != Type::Kind::integer || type.bits != 8 * bytes)
                return refuse(call.position, "the format and the types of the arguments differ");
            if (!v.exact()) {
                known = false;
            } else if (c.letter == 'c') {
                part.push_back(static_cast<char>(v.number & 0xff));
            } else {
                part = number_text(c, c.precision, static_cast<std::uint64_t>(v.number),
                                   8 * number_bytes(c, program_.pointer_bytes));
            }
        } else {
            if (type.kind != Type::Kind::data)
                return refuse(call.position, "the format and the types of the arguments differ");
            known = false;
        }
        pad(part, c);
        text += part;
        if (text.size() > 1 << 20) return fault(Kind::limit, call.position, "too much is printed at once");
    }
    return true;
}

bool Machine::print(LibraryCall& call, Value& result) {
    std::string text;
    bool known = true;
    if (!formatted(call, text, known)) return false;
    if (known) result = Value::of_number(static_cast<std::int64_t>(text.size()));
    return true;
}

bool Machine::print_into(LibraryCall& call, Value& result) {
    std::string text;
    bool known = true;
    std::int64_t most = -1;
    const bool bounded = !call.what.accesses.empty() && call.what.accesses[0].write;
    if (bounded && !number_argument(call, 1, most)) return false;
    if (!formatted(call, text, known)) return false;
    if (!known) return refuse(call.position, "how long the printed text is depends on what is not followed");
    result = Value::of_number(static_cast<std::int64_t>(text.size()));
    if (most == 0) return true;
    std::string stored = text;
    if (bounded && most > 0 && static_cast<std::int64_t>(stored.size()) > most - 1)
        stored.resize(static_cast<std::size_t>(most - 1));
    stored.push_back('\0');
    return store_bytes(call.arguments[0], stored, call.position, argument_name(call, 0));
}

} // namespace ggsnn::verify
