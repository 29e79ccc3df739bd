// How commands tell the parser what they take; for those that have a file for it.
#pragma once

#include "ggsnn/cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

namespace ggsnn {

using Run = std::function<int()>; // the command that was given, ready to run

// Ranges let NaN pass.
inline const CLI::Validator is_number(
    [](std::string& text) {
        return std::isnan(std::strtod(text.c_str(), nullptr)) ? "expected a number, not " + text
                                                              : std::string();
    },
    "", "number");

// What the data of a command may be, for its help.
extern const char* const data_help;

// Options of every command that reads data with named columns.
std::vector<CLI::Option*> add_table_options(CLI::App* sub, TableOptions& o);

void add_train(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_plot(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_export(CLI::App& app, Run& run);
void add_import(CLI::App& app, Run& run);
void add_serve(CLI::App& app, Run& run);
void add_show(CLI::App& app, Run& run);

} // namespace ggsnn
