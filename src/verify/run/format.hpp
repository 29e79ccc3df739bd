// Formats of printf and scanf, taken apart to the last flag.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn::verify {

struct Conversion {
    std::string before; // what stands before it
    char letter = 0;    // d i o u x X c s p n f F e E g G a A [; 0: the end of the format
    std::string flags;  // printf: # 0 - + space '
    std::int64_t width = -1, precision = -1; // -1: none; -2: *, an argument of its own
    std::string size;                        // hh h l ll j z t L
    bool suppressed = false;                 // scanf: *
    std::string set;                         // scanf: between [ and ]
};

// The conversions, and one with letter 0 for the rest. %% is text. False: something is not understood, such
// as wide characters, numbered arguments, or letters that only some libraries have.
bool parse_conversions(std::string_view format, bool scan, std::vector<Conversion>& all);

// Bytes of a number that a conversion gives (printf: before promotion) or takes. word: of a long.
int number_bytes(const Conversion& conversion, int word);

} // namespace ggsnn::verify
