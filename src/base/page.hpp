// Pages for people that are one file and need nothing else: their frame and their style, light and dark.
// Colours are CSS variables, which pictures inside use, too; a page around may choose the theme by
// data-theme.
#pragma once

#include <string>

namespace ggsnn {

// title: plain text. style: what this page has beyond the common one.
std::string html_page(const std::string& title, const std::string& body, const std::string& style = "");

// "1 case", "2 cases".
std::string counted(std::size_t count, const std::string& one, const std::string& many = "");

} // namespace ggsnn
