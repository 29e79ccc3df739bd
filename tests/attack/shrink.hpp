// Makes a program that shows a trouble smaller: lines and whole blocks are taken out as long as the trouble
// stays (delta debugging; Zeller, Hildebrandt 2002).
#pragma once

#include <functional>
#include <string>

namespace ggsnn::attack {

// stays(text): the program still shows it. REQUIRES stays(text). Ends after `seconds` with the best so far.
std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& stays,
                   double seconds);

} // namespace ggsnn::attack
