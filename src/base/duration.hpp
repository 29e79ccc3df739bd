// Lengths of time as people write and read them.
#pragma once

#include <string>
#include <string_view>

namespace ggsnn {

// Seconds of "90s", "10m", "2h", "1h30m", "0.5h": numbers with units, the larger first. Throws UsageError on
// anything else, on nothing at all, and on more than ten years.
double parse_duration(std::string_view text);

// "7 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

} // namespace ggsnn
