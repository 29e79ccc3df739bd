// Widths of integers. The intermediate language counts in 64 bits; a value of a narrower type is kept as the
// number it stands for, and where C would cut it the same is written with & ^ -. Overflow of signed
// arithmetic is undefined in C and not cut. Unsigned 64-bit values are kept as their bits; they are compared
// by turning the highest one.
#include "verify/front_lower.hpp"

#include <limits>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

// An enumeration is the integer that the compiler keeps it in.
CXType kept_in(CXType type) {
    if (type.kind != CXType_Enum) return type;
    return clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type)));
}

bool is_integer(CXType type) {
    return type.kind >= CXType_Bool && type.kind <= CXType_Int128 && type.kind != CXType_Invalid;
}

Expression folded(const std::string& symbol, Expression a, std::int64_t b, Position at) {
    if (a.kind != Expression::Kind::number) return make_binary(symbol, std::move(a), make_number(b, at), at);
    const auto x = static_cast<std::uint64_t>(a.number), y = static_cast<std::uint64_t>(b);
    const std::uint64_t result = symbol == "&" ? x & y : symbol == "^" ? x ^ y : x - y;
    return make_number(static_cast<std::int64_t>(result), at);
}

} // namespace

int integer_bits(CXType type) {
    type = kept_in(type);
    const long long size = is_integer(type) ? clang_Type_getSizeOf(type) : 8;
    return size > 0 && size < 8 ? static_cast<int>(size) * 8 : 64;
}

bool is_unsigned(CXType type) {
    type = kept_in(type);
    return type.kind == CXType_Bool || (type.kind >= CXType_Char_U && type.kind <= CXType_UInt128);
}

Expression cut(Expression e, int bits, bool without_sign, Position at) {
    if (bits >= 64) return e;
    const std::int64_t mask = (std::int64_t{1} << bits) - 1, sign = std::int64_t{1} << (bits - 1);
    e = folded("&", std::move(e), mask, at);
    if (without_sign) return e;
    return folded("-", folded("^", std::move(e), sign, at), sign, at);
}

Expression fitted(Expression e, CXType from, CXType to, Position at) {
    from = kept_in(from);
    to = kept_in(to);
    if (!is_integer(from) || !is_integer(to) || to.kind == CXType_Bool || e.kind == Expression::Kind::unknown)
        return e;
    const int a = integer_bits(from), b = integer_bits(to);
    const bool wider = a < b && (is_unsigned(from) || !is_unsigned(to));
    if (b == 64 || wider || (a == b && is_unsigned(from) == is_unsigned(to))) return e;
    return cut(std::move(e), b, is_unsigned(to), at);
}

Expression compared(const std::string& symbol, Expression a, Expression b, CXType type, Position at) {
    const bool ordered = symbol != "==" && symbol != "!=";
    if (ordered && is_unsigned(type) && integer_bits(type) == 64) {
        a = folded("^", std::move(a), lowest, at);
        b = folded("^", std::move(b), lowest, at);
    }
    return make_binary(symbol, std::move(a), std::move(b), at);
}

} // namespace ggsnn::verify
