// What the commands take, told from the one description that the parser and --help have: man pages,
// completions for shells, and a reference for the documentation.
#pragma once

#include "ggsnn/base/json.hpp"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace ggsnn::cli {

struct OptionText {
    std::vector<std::string> names; // "-o", "--output"; of an argument without dashes its name
    std::string help, group;
    std::string value;                // what it takes: "TEXT", "INT"; empty: a flag
    std::string initial;              // where nothing is given; empty: nothing is said
    std::vector<std::string> choices; // one of these, where they are few and known
    bool required = false, several = false;

    bool is_argument() const { return !names.front().starts_with("-"); }
};

struct CommandText {
    std::string name; // "heap train"; of the program itself empty
    std::string help, footer;
    std::vector<OptionText> options; // arguments first
    std::vector<CommandText> commands;
};

CommandText describe(const CLI::App& app);

// One page in roff; the names of the pages are ggsnn.1, ggsnn-train.1, ggsnn-heap-train.1, ..
std::string man_page(const CommandText& command, const std::string& version);
std::string man_name(const CommandText& command);

std::string bash_completion(const CommandText& program);
std::string zsh_completion(const CommandText& program);
std::string fish_completion(const CommandText& program);

// The reference, a section a command.
std::string markdown(const CommandText& program);

// A command and all below it, itself first.
std::vector<const CommandText*> all_commands(const CommandText& command);

} // namespace ggsnn::cli
