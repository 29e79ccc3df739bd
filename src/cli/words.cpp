#include "ggsnn/cli/words.hpp"

#include "ggsnn/base/error.hpp"
#include "ggsnn/cli/nearest.hpp"

#include <CLI/CLI.hpp>

#include <cctype>

namespace ggsnn::cli {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& meant, const std::string& help) {
    throw UsageError(what + (meant.empty() ? "; see ggsnn help" + help : "; did you mean " + meant + "?"));
}

} // namespace

CLI::App* named_command(CLI::App& app, const std::vector<std::string>& arguments, std::size_t& words) {
    CLI::App* command = &app;
    for (words = 0; words < arguments.size() && !arguments[words].starts_with("-"); ++words) {
        const std::string& word = arguments[words];
        const auto found = command->get_subcommands([&](CLI::App* sub) { return sub->get_name() == word; });
        if (found.empty()) break;
        command = found.front();
    }
    return command;
}

std::string full_name(const CLI::App* command) {
    const CLI::App* parent = command->get_parent();
    return parent == nullptr || parent->get_parent() == nullptr
               ? command->get_name()
               : full_name(parent) + " " + command->get_name();
}

void refuse_command(const CLI::App* group, const std::string& word) {
    std::vector<std::string> known;
    for (const CLI::App* sub : group->get_subcommands({})) known.push_back(sub->get_name());
    const std::string before = group->get_parent() == nullptr ? "" : full_name(group) + " ";
    const std::string meant = nearest(word, known);
    refuse(fmt::format("unknown command {}{}", before, word), meant.empty() ? "" : before + meant,
           before.empty() ? "" : " " + full_name(group));
}

void check_words(CLI::App& app, const std::vector<std::string>& arguments) {
    std::size_t at = 0;
    const CLI::App* command = named_command(app, arguments, at);
    if (at < arguments.size() && !arguments[at].starts_with("-") && !command->get_subcommands({}).empty())
        refuse_command(command, arguments[at]);
    const bool top = command->get_parent() == nullptr;
    for (; at < arguments.size(); ++at) {
        const std::string& word = arguments[at];
        const bool number = word.size() > 1 && (std::isdigit(word[1]) != 0 || word[1] == '.');
        if (word.size() < 2 || word[0] != '-' || number) continue;
        const std::size_t equals = word.find('=');
        const std::string name = word[1] == '-' ? word.substr(0, equals) : word.substr(0, 2);
        if (const CLI::Option* option = command->get_option_no_throw(name)) {
            if (option->get_expected_max() > 0 && equals == std::string::npos && name.size() == word.size())
                ++at; // its value
            continue;
        }
        std::vector<std::string> known;
        for (const CLI::Option* option : command->get_options())
            for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
        refuse(fmt::format("unknown option {}{}", name, top ? "" : " for " + full_name(command)),
               nearest(name, known), top ? "" : " " + full_name(command));
    }
}

} // namespace ggsnn::cli
