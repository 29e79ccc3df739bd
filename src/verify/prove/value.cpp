#include "ggsnn/verify/prove/value.hpp"

#include <charconv>

namespace ggsnn::verify {

bool is_number(const TermName& term) {
    return number_of(term).has_value();
}

TermName number_term(std::int64_t number) {
    return number == 0 ? TermName(logic::null_name) : fmt::format("{}", number);
}

std::optional<std::int64_t> number_of(const TermName& term) {
    if (term.empty()) return std::nullopt;
    if (term[0] == '@' || term[0] == '&') return std::nullopt;
    if (term == logic::null_name) return 0;
    std::int64_t number = 0;
    const char* end = term.data() + term.size();
    const auto [stop, error] = std::from_chars(term.data(), end, number);
    if (error != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::optional<std::int64_t> plain_number(const SymbolicValue& value) {
    if (!value.plain()) return std::nullopt;
    return number_of(value.term);
}

bool is_function(const TermName& term) {
    return !term.empty() && term[0] == '&';
}

TermName function_term(int function) {
    return fmt::format("&{}", function);
}

int function_of(const TermName& term) {
    return std::stoi(term.substr(1));
}

// "@12~8" is 8 bytes behind @12, "@12~8*@3*4" also 4 times @3.
TermName name_of_value(const SymbolicValue& value) {
    if (value.plain()) return value.term;
    if (value.index.empty()) return fmt::format("{}~{}", value.term, value.offset);
    return fmt::format("{}~{}*{}*{}", value.term, value.offset, value.index, value.scale);
}

SymbolicValue value_of(const TermName& term) {
    SymbolicValue value;
    const auto mark = term.find('~');
    if (mark == TermName::npos) {
        value.term = term;
        return value;
    }
    value.term = term.substr(0, mark);
    const auto star = term.find('*', mark);
    value.offset =
        std::stoll(term.substr(mark + 1, star == TermName::npos ? TermName::npos : star - mark - 1));
    if (star != TermName::npos) {
        const auto second = term.find('*', star + 1);
        value.index = term.substr(star + 1, second - star - 1);
        value.scale = std::stoll(term.substr(second + 1));
    }
    return value;
}

Interval Interval::of_bits(int bits) {
    if (bits == 1) return {0, 1}; // truth values
    if (bits <= 0 || bits >= 64) return {};
    const std::int64_t top = std::int64_t{1} << (bits - 1);
    return {-top, top - 1};
}

} // namespace ggsnn::verify
