// The C library: functions on memory and texts that have an exact meaning here.
#include "ggsnn/verify/run/machine.hpp"

#include "ggsnn/base/error.hpp"

#include <algorithm>
#include <cstdlib>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t table_entries = 384; // -128 .. 255

int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}
int upper(int c) {
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

// Negative characters give what the GNU library gives for them.
int shifted(int c, int (*change)(int)) {
    return c >= -128 && c < -1 ? c + 256 : change(c);
}

// The bits that the header's macros look at, of the C locale.
int class_of(int c) {
    if (c < 0 || c > 127) return 0;
    const bool is_upper = c >= 'A' && c <= 'Z', is_lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
    const bool space = c == ' ' || (c >= 9 && c <= 13), graphic = c > 32 && c < 127;
    const bool hexadecimal = digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    const bool alpha = is_upper || is_lower;
    int bits = 0;
    const auto set = [&](int bit, bool on) { bits |= on ? (bit < 8 ? 1 << bit << 8 : 1 << bit >> 8) : 0; };
    set(0, is_upper);
    set(1, is_lower);
    set(2, alpha);
    set(3, digit);
    set(4, hexadecimal);
    set(5, space);
    set(6, graphic || c == ' ');
    set(7, graphic);
    set(8, c == ' ' || c == '\t');
    set(9, c < 32 || c == 127);
    set(10, graphic && !alpha && !digit);
    set(11, alpha || digit);
    return bits;
}

bool starts(const std::string& name, const char* with) {
    return name.rfind(with, 0) == 0;
}

} // namespace

bool Machine::text_argument(LibraryCall& call, int argument, std::string& text, std::int64_t most) {
    return load_text(call.arguments[static_cast<std::size_t>(argument)], most, call.position,
                     argument_name(call, argument), text);
}

bool Machine::exactly(LibraryCall& call, Value& result, bool& ok) {
    const std::string& name = call.what.name;
    const auto one_of = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
    };
    if (one_of({"memcpy", "__memcpy_chk", "memmove", "__memmove_chk", "mempcpy", "__mempcpy", "memset",
                "__memset_chk", "bzero", "explicit_bzero"}))
        return ok = move_memory(call, result), true;
    if (one_of({"memcmp", "bcmp", "memchr", "memrchr"})) return ok = look_at_memory(call, result), true;
    if (one_of({"strlen", "strnlen", "strspn", "strcspn", "strstr", "strcasestr", "strpbrk", "strchr",
                "strrchr", "strchrnul", "index", "rindex"}))
        return ok = find_in_text(call, result), true;
    if (one_of({"strtok", "strtok_r"})) return ok = next_token(call, result), true;
    if (one_of({"strcmp", "strcasecmp", "strcoll", "strncmp", "strncasecmp"}))
        return ok = compare_texts(call, result), true;
    if (one_of({"strncpy", "__strncpy_chk", "stpncpy"})) return ok = copy_at_most(call, result), true;
    if (one_of({"strtod", "strtof", "strtold"})) return ok = to_floating(call, result), true;
    if (one_of({"atoi", "atol", "atoll"}) || starts(name, "strtol") || starts(name, "strtoul") ||
        starts(name, "strtoi") || starts(name, "strtoum") || starts(name, "__isoc23_strto"))
        return ok = to_number(call, result), true;
    if (starts(name, "__ctype_")) return ok = character_table(call, result), true;
    if (one_of({"fgets", "fread", "read"})) return ok = read_input(call, result), true;
    if (one_of({"abs", "labs", "llabs", "imaxabs", "toupper", "tolower", "isascii", "toascii"})) {
        std::int64_t n = 0;
        if (!(ok = number_argument(call, 0, n))) return true;
        const auto bits = static_cast<std::uint64_t>(n);
        if (name == "toupper" || name == "tolower") {
            n = shifted(static_cast<int>(n), name == "toupper" ? upper : lower);
        } else if (name == "isascii" || name == "toascii") {
            n = name == "toascii" ? n & 127 : ((n & ~std::int64_t{127}) == 0 ? 1 : 0);
        } else {
            n = static_cast<std::int64_t>(n < 0 ? 0 - bits : bits);
        }
        result =
            Value::of_bits(static_cast<std::uint64_t>(n), 0, call.types.empty() ? 32 : call.types[0].bits);
        return true;
    }
    return false;
}

bool Machine::move_memory(LibraryCall& call, Value& result) {
    const std::string& name = call.what.name;
    const bool zero = name == "bzero" || name == "explicit_bzero",
               fill = zero || name.find("memset") != std::string::npos;
    std::int64_t bytes = 0, byte = 0;
    if (!number_argument(call, zero ? 1 : 2, bytes)) return false;
    const Value& to = call.arguments[0];
    Place place, from;
    if (!fill && !check(call.arguments[1], bytes, false, call.position, argument_name(call, 1), from))
        return false;
    if (!check(to, bytes, true, call.position, argument_name(call, 0), place)) return false;
    result = to;
    if (name.find("mempcpy") != std::string::npos && to.kind == Value::Kind::pointer)
        result = Value::of_pointer(to.block, to.number + bytes);
    if (bytes == 0) return true;
    if (fill) {
        if (!zero && !number_argument(call, 1, byte)) return false;
        memory_.fill(place.block, place.offset, bytes, Byte::of(static_cast<std::uint8_t>(byte & 0xff)));
        return true;
    }
    if (call.what.apart && place.block == from.block && std::abs(place.offset - from.offset) < bytes)
        return fault(Kind::overlap, call.position, "the copied bytes and their new place overlap");
    memory_.move(place.block, place.offset, from.block, from.offset, bytes);
    return true;
}

// memcmp, memchr, memrchr.
bool Machine::look_at_memory(LibraryCall& call, Value& result) {
    const std::string& name = call.what.name;
    const bool compare = name == "memcmp" || name == "bcmp", back = name == "memrchr";
    std::int64_t bytes = 0, wanted = 0;
    if (!number_argument(call, 2, bytes) || (!compare && !number_argument(call, 1, wanted))) return false;
    const Value &a = call.arguments[0], &b = call.arguments[1];
    Place place;
    if (compare || back) {
        if (!check(a, bytes, false, call.position, argument_name(call, 0), place)) return false;
        if (compare && !check(b, bytes, false, call.position, argument_name(call, 1), place)) return false;
    }
    result = Value::of_number(0);
    for (std::int64_t k = 0; k < bytes || bytes < 0; ++k) {
        const std::int64_t i = back ? bytes - 1 - k : k;
        if (a.kind != Value::Kind::pointer) return no_block(a, call.position, argument_name(call, 0));
        int x = 0, y = 0;
        if (!take_steps(k % 16 == 15 ? 1 : 0)) return false;
        if (!load_byte(Value::of_pointer(a.block, a.number + i), call.position, argument_name(call, 0), x))
            return false;
        if (compare) {
            if (!load_byte(Value::of_pointer(b.block, b.number + i), call.position, argument_name(call, 1),
                           y))
                return false;
            if (x == y) continue;
            result = Value::of_number(x < y ? -1 : 1);
            if (name == "memcmp" || name == "bcmp") return true;
        } else if (x == (wanted & 0xff)) {
            result = Value::of_pointer(a.block, a.number + i);
            return true;
        }
    }
    return true;
}

bool Machine::find_in_text(LibraryCall& call, Value& result) {
    const std::string& name = call.what.name;
    std::string text, other;
    std::int64_t number = 0;
    const Value& at = call.arguments[0];
    const auto place = [&](std::size_t i) {
        return i == std::string::npos ? Value::of_number(0)
                                      : Value::of_pointer(at.block, at.number + static_cast<std::int64_t>(i));
    };
    if (name == "strnlen") {
        if (!number_argument(call, 1, number) || !text_argument(call, 0, text, number < 0 ? -1 : number))
            return false;
        result = Value::of_number(static_cast<std::int64_t>(text.size()));
        return true;
    }
    if (!text_argument(call, 0, text)) return false;
    if (name == "strlen") {
        result = Value::of_number(static_cast<std::int64_t>(text.size()));
        return true;
    }
    if (name == "strchr" || name == "index" || name == "strrchr" || name == "rindex" || name == "strchrnul") {
        if (!number_argument(call, 1, number)) return false;
        const auto c = static_cast<char>(number & 0xff);
        const bool back = name == "strrchr" || name == "rindex";
        std::size_t found = c == '\0' ? text.size() : back ? text.rfind(c) : text.find(c);
        if (name == "strchrnul" && found == std::string::npos) found = text.size();
        result = place(found);
        return true;
    }
    if (!text_argument(call, 1, other)) return false;
    if (name == "strcasestr") {
        for (char& c : text) c = static_cast<char>(lower(c));
        for (char& c : other) c = static_cast<char>(lower(c));
    }
    if (name == "strstr" || name == "strcasestr") {
        result = place(text.find(other));
    } else if (name == "strpbrk") {
        result = place(text.find_first_of(other));
    } else {
        const std::size_t end = name == "strspn" ? text.find_first_not_of(other) : text.find_first_of(other);
        result = Value::of_number(static_cast<std::int64_t>(end == std::string::npos ? text.size() : end));
    }
    return true;
}

// strtok and strtok_r.
bool Machine::next_token(LibraryCall& call, Value& result) {
    const bool own = call.what.name == "strtok_r";
    if (call.arguments.size() < (own ? 3U : 2U)) return refuse(call.position, "too few arguments");
    Place kept;
    if (own &&
        !check(call.arguments[2], program_.pointer_bytes, true, call.position, argument_name(call, 2), kept))
        return false;
    Value at = call.arguments[0];
    if (at.is_null())
        at = own ? memory_.load(kept.block, kept.offset, program_.pointer_bytes).value_or(Value{}) : token_;
    std::string text, between;
    if (!text_argument(call, 1, between)) return false;
    result = Value::of_number(0);
    if (at.is_null()) return own ? no_block(at, call.position, argument_name(call, 0)) : true;
    if (!load_text(at, -1, call.position, argument_name(call, 0), text)) return false;
    const std::size_t first = std::min(text.find_first_not_of(between), text.size());
    const std::size_t end = std::min(text.find_first_of(between, first), text.size());
    const auto moved = [&](std::size_t by) {
        return Value::of_pointer(at.block, at.number + static_cast<std::int64_t>(by));
    };
    if (first < text.size()) result = moved(first);
    if (end < text.size() &&
        !store_bytes(moved(end), std::string(1, '\0'), call.position, argument_name(call, 0)))
        return false;
    const Value next = moved(end < text.size() ? end + 1 : end);
    token_ = next;
    if (own) memory_.store(kept.block, kept.offset, program_.pointer_bytes, next);
    return true;
}

// Up to the first difference, and no further.
bool Machine::compare_texts(LibraryCall& call, Value& result) {
    const std::string& name = call.what.name;
    const bool folded = name.find("case") != std::string::npos, bounded = call.what.arguments > 2;
    std::int64_t most = -1;
    if (bounded && !number_argument(call, 2, most)) return false;
    const Value &a = call.arguments[0], &b = call.arguments[1];
    Place place;
    if (most == 0 && (!check(a, 0, false, call.position, argument_name(call, 0), place) ||
                      !check(b, 0, false, call.position, argument_name(call, 1), place)))
        return false;
    result = Value::of_number(0);
    for (std::int64_t i = 0; most < 0 || i < most; ++i) {
        int x = 0, y = 0;
        if (a.kind != Value::Kind::pointer) return no_block(a, call.position, argument_name(call, 0));
        if (b.kind != Value::Kind::pointer) return no_block(b, call.position, argument_name(call, 1));
        if (!take_steps(i % 16 == 15 ? 1 : 0)) return false;
        if (!load_byte(Value::of_pointer(a.block, a.number + i), call.position, argument_name(call, 0), x) ||
            !load_byte(Value::of_pointer(b.block, b.number + i), call.position, argument_name(call, 1), y))
            return false;
        if (folded) {
            x = lower(x);
            y = lower(y);
        }
        if (x != y) result = Value::of_number(x < y ? -1 : 1);
        if (x != y || x == 0) break;
    }
    return true;
}

namespace {

bool overlap(const Value& a, std::int64_t a_bytes, const Value& b, std::int64_t b_bytes) {
    return a.block == b.block && a.number < b.number + b_bytes && b.number < a.number + a_bytes;
}

} // namespace

bool Machine::copy_text(LibraryCall& call, Value& result) {
    std::string text;
    if (!text_argument(call, 1, text)) return false;
    const Value &to = call.arguments[0], &from = call.arguments[1];
    const auto bytes = static_cast<std::int64_t>(text.size()) + 1;
    Place place;
    if (!check(to, bytes, true, call.position, argument_name(call, 0), place)) return false;
    if (overlap(to, bytes, from, bytes))
        return fault(Kind::overlap, call.position, "the copied text and its new place overlap");
    memory_.put_text(place.block, place.offset, text);
    result = call.what.result == LibraryFunction::Result::within
                 ? Value::of_pointer(to.block, to.number + bytes - 1)
                 : to;
    return true;
}

bool Machine::append_text(LibraryCall& call, Value& result) {
    std::string before, text;
    std::int64_t most = -1;
    if (call.what.arguments > 2 && !number_argument(call, 2, most)) return false;
    if (!text_argument(call, 0, before) || !text_argument(call, 1, text, most < 0 ? -1 : most)) return false;
    const Value &to = call.arguments[0], &from = call.arguments[1];
    const auto bytes = static_cast<std::int64_t>(text.size()) + 1;
    const Value end = Value::of_pointer(to.block, to.number + static_cast<std::int64_t>(before.size()));
    Place place;
    if (!check(end, bytes, true, call.position, argument_name(call, 0), place)) return false;
    if (from.kind == Value::Kind::pointer && overlap(to, static_cast<std::int64_t>(before.size()) + bytes,
                                                     from, std::max<std::int64_t>(bytes - 1, 1)))
        return fault(Kind::overlap, call.position, "the copied text and its new place overlap");
    memory_.put_text(place.block, place.offset, text);
    result = to;
    return true;
}

// strncpy: the rest is filled with zero bytes.
bool Machine::copy_at_most(LibraryCall& call, Value& result) {
    std::string text;
    std::int64_t most = 0;
    if (!number_argument(call, 2, most) || !text_argument(call, 1, text, most < 0 ? -1 : most)) return false;
    const Value &to = call.arguments[0], &from = call.arguments[1];
    Place place;
    if (!check(to, most, true, call.position, argument_name(call, 0), place)) return false;
    const auto length = static_cast<std::int64_t>(text.size());
    result = to;
    if (most == 0) return true;
    if (overlap(to, most, from, std::min(most, length + 1)))
        return fault(Kind::overlap, call.position, "the copied text and its new place overlap");
    memory_.fill(place.block, place.offset, most, Byte::of(0));
    for (std::int64_t i = 0; i < length; ++i)
        memory_.set(place.block, place.offset + i,
                    Byte::of(static_cast<std::uint8_t>(text[static_cast<std::size_t>(i)])));
    if (call.what.result == LibraryFunction::Result::within)
        result = Value::of_pointer(to.block, to.number + length);
    return true;
}

// atoi and strtol, with `end`.
bool Machine::to_number(LibraryCall& call, Value& result) {
    std::string text;
    std::int64_t base = 10;
    const bool simple = call.what.arguments == 1;
    if (!text_argument(call, 0, text) || (!simple && !number_argument(call, 2, base))) return false;
    if (base < 0 || base == 1 || base > 36)
        return refuse(call.position, "a number of a base that there is not");
    const std::string& name = call.what.name;
    const bool is_unsigned = name.find("strtou") != std::string::npos;
    const bool is_long_long = name.find("strtoll") != std::string::npos ||
                              name.find("strtoull") != std::string::npos ||
                              name.find("max") != std::string::npos || name == "atoll";
    const int bits = name == "atoi" || is_long_long ? 64 : 8 * program_.pointer_bytes;
    std::size_t at = 0;
    while (at < text.size() && (text[at] == ' ' || (text[at] >= 9 && text[at] <= 13))) ++at;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    const auto digit = [&](std::size_t i) {
        if (i >= text.size()) return 99;
        const int c = lower(static_cast<unsigned char>(text[i]));
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
    };
    const bool prefix =
        at + 1 < text.size() && text[at] == '0' && lower(text[at + 1]) == 'x' && digit(at + 2) < 16;
    if ((base == 0 || base == 16) && prefix) {
        at += 2;
        base = 16;
    }
    if (base == 0) base = at < text.size() && text[at] == '0' ? 8 : 10;
    const std::size_t first = at;
    std::uint64_t magnitude = 0;
    bool over = false;
    for (; digit(at) < base; ++at) {
        over = __builtin_mul_overflow(magnitude, static_cast<std::uint64_t>(base), &magnitude) || over;
        over = __builtin_add_overflow(magnitude, static_cast<std::uint64_t>(digit(at)), &magnitude) || over;
    }
    const std::uint64_t highest = low_bits(-1, bits - 1);
    const std::uint64_t most = is_unsigned ? low_bits(-1, bits) : highest + (negative ? 1 : 0);
    std::uint64_t value_bits = negative ? 0 - magnitude : magnitude;
    if (over || magnitude > most) value_bits = most;
    result = Value::of_bits(value_bits, 0, name == "atoi" ? 32 : bits);
    if (simple || call.arguments[1].is_null()) return true;
    Place place;
    if (!check(call.arguments[1], program_.pointer_bytes, true, call.position, argument_name(call, 1), place))
        return false;
    const auto consumed = static_cast<std::int64_t>(at > first ? at : 0);
    memory_.store(place.block, place.offset, program_.pointer_bytes,
                  Value::of_pointer(call.arguments[0].block, call.arguments[0].number + consumed));
    return true;
}

// strtod: the number itself is not followed.
bool Machine::to_floating(LibraryCall& call, Value& result) {
    std::string text;
    result = {};
    if (!text_argument(call, 0, text)) return false;
    if (call.arguments[1].is_null()) return true;
    Place place;
    if (!check(call.arguments[1], program_.pointer_bytes, true, call.position, argument_name(call, 1), place))
        return false;
    char* end = nullptr;
    std::strtold(text.c_str(), &end);
    memory_.store(
        place.block, place.offset, program_.pointer_bytes,
        Value::of_pointer(call.arguments[0].block, call.arguments[0].number + (end - text.c_str())));
    return true;
}

// A pointer to a pointer into the middle of a table, as the header's macros expect.
bool Machine::character_table(LibraryCall& call, Value& result) {
    const std::int64_t each = call.what.high;
    const int table = library_block(call.what.name + " table", table_entries * each, true);
    const int place = library_block(call.what.name, program_.pointer_bytes, true);
    if (memory_.block(place).bytes.empty()) {
        for (std::int64_t i = 0; i < table_entries; ++i) {
            const auto c = static_cast<int>(i - 128);
            const int entry =
                each == 2 ? class_of(c) : shifted(c, call.what.name == "__ctype_tolower_loc" ? lower : upper);
            memory_.store(table, i * each, each, Value::of_number(entry));
        }
        memory_.store(place, 0, program_.pointer_bytes, Value::of_pointer(table, 128 * each));
    }
    result = Value::of_pointer(place);
    return true;
}

} // namespace ggsnn::verify
