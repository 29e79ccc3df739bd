// A page about verified programs, for people: the program with what holds where in its margin, the heaps
// drawn, each step of the prediction, the proof's cases, and a heap that shows what failed.
#pragma once

#include "ggsnn/verify/verify.hpp"

namespace ggsnn::verify {

// One program of a page.
struct PageSection {
    std::string id;      // section_id of its title
    std::string title;   // plain text: the file
    std::string verdict; // proved, unsafe or unknown
    std::string html;    // of verify_section
};

// source: the program's text. open: steps and cases are unfolded.
std::string verify_section(const ProgramReport& report, const std::string& source, bool open);
// Self-contained HTML, with an index where there are several.
std::string verify_page(const std::vector<PageSection>& sections);

std::string section_id(const std::string& title);
const char* name_of(const ProgramReport& report);

} // namespace ggsnn::verify
