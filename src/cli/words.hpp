// The words of a command line before the parser sees them: which command they name, and what nobody knows.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace ggsnn::cli {

// The command that the words before the first option name, as far as they name one: `words` is how many.
CLI::App* named_command(CLI::App& app, const std::vector<std::string>& arguments, std::size_t& words);

// As it is typed, without the program: "train", "heap train".
std::string full_name(const CLI::App* command);

// Throws UsageError: `group` has no such command; perhaps another is meant.
[[noreturn]] void refuse_command(const CLI::App* group, const std::string& word);

// Throws UsageError for a command or an option that is not known, with the nearest that is. To be called
// before the parser, which would take the value of an option it does not know for an argument, and complain
// about that.
void check_words(CLI::App& app, const std::vector<std::string>& arguments);

} // namespace ggsnn::cli
