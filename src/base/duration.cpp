#include "ggsnn/base/duration.hpp"

#include "ggsnn/base/error.hpp"

#include <charconv>
#include <cmath>

namespace ggsnn {

namespace {

struct TimeUnit {
    char letter;
    double seconds;
};
constexpr TimeUnit units[] = {{'h', 3600}, {'m', 60}, {'s', 1}};
constexpr double most_seconds = 10 * 365.25 * 24 * 3600;

[[noreturn]] void refuse_duration(std::string_view text) {
    throw UsageError(
        fmt::format("\"{}\" is no length of time; expected one such as 90s, 10m, 2h or 1h30m", text));
}

} // namespace

double parse_duration(std::string_view text) {
    double total = 0;
    const TimeUnit* allowed = std::begin(units);
    std::string_view rest = text;
    while (!rest.empty()) {
        double value = 0;
        const auto [end, error] =
            std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
        const std::size_t digits = static_cast<std::size_t>(end - rest.data());
        if (error != std::errc() || digits == rest.size() || !(value >= 0)) refuse_duration(text);
        while (allowed != std::end(units) && allowed->letter != rest[digits]) ++allowed;
        if (allowed == std::end(units)) refuse_duration(text);
        total += value * allowed++->seconds;
        rest.remove_prefix(digits + 1);
    }
    if (!(total > 0) || total > most_seconds) refuse_duration(text);
    return total;
}

std::string duration_text(double seconds) {
    const long all = std::lround(seconds);
    const long hours = all / 3600, minutes = all / 60 % 60;
    if (hours > 0) return fmt::format("{} h {} min", hours, minutes);
    if (minutes > 0) return fmt::format("{} min {} s", minutes, all % 60);
    return fmt::format("{} s", all);
}

} // namespace ggsnn
