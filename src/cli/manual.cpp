#include "ggsnn/cli/manual.hpp"

#include "ggsnn/cli/words.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ggsnn::cli {

namespace {

// "TEXT:{a,b,c}", as the parser describes a choice, into its parts; other limits ("INT in [1 - 9]") are left
// out.
void split_type(const std::string& type, OptionText& out) {
    out.value = type.substr(0, type.find_first_of(": "));
    const std::size_t open = type.find('{'), close = type.find('}');
    if (open == std::string::npos || close == std::string::npos) return;
    std::string word;
    for (std::size_t i = open + 1; i <= close; ++i) {
        if (type[i] != ',' && type[i] != '}') {
            word += type[i];
        } else if (!word.empty()) {
            out.choices.push_back(word);
            word.clear();
        }
    }
}

OptionText describe(const CLI::Option& option) {
    OptionText out;
    if (option.nonpositional()) {
        for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
    } else {
        out.names.push_back(option.get_name(true));
    }
    out.help = option.get_description();
    out.group = option.get_group();
    out.initial = option.get_default_str();
    out.required = option.get_required();
    out.several = option.get_expected_max() > 1;
    if (option.get_type_size() > 0) split_type(option.get_type_name(), out);
    return out;
}

std::string program_of(const CommandText& command) {
    return command.name.empty() ? "ggsnn" : "ggsnn " + command.name;
}

// "[-o TEXT]", "data": how an option is written.
std::string usage(const OptionText& option) {
    std::string text = option.names.back();
    if (!option.is_argument() && !option.value.empty()) text += " " + option.value;
    if (option.several) text += " ...";
    return option.required ? text : "[" + text + "]";
}

std::string synopsis(const CommandText& command) {
    std::string text = program_of(command);
    bool options = false;
    for (const OptionText& o : command.options) {
        if (o.is_argument() || o.required)
            text += " " + usage(o);
        else
            options = true;
    }
    if (options) text += " [options]";
    if (!command.commands.empty()) text += " command";
    return text;
}

std::vector<std::string> groups_of(const CommandText& command) {
    std::vector<std::string> groups;
    for (const OptionText& o : command.options)
        if (std::find(groups.begin(), groups.end(), o.group) == groups.end()) groups.push_back(o.group);
    return groups;
}

std::string said_of(const OptionText& o) {
    std::string text = o.help;
    if (!o.choices.empty()) text += fmt::format(". One of {}", fmt::join(o.choices, ", "));
    if (!o.initial.empty()) text += fmt::format(". Default: {}", o.initial);
    return text;
}

// Text that roff takes as it is.
std::string roff(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

} // namespace

CommandText describe(const CLI::App& app) {
    CommandText out;
    out.name = app.get_parent() == nullptr ? "" : full_name(&app);
    out.help = app.get_description();
    out.footer = app.get_footer();
    std::vector<OptionText> named;
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue; // not for people
        OptionText text = describe(*option);
        (text.is_argument() ? out.options : named).push_back(std::move(text));
    }
    for (OptionText& text : named) out.options.push_back(std::move(text));
    for (const CLI::App* sub : app.get_subcommands({})) out.commands.push_back(describe(*sub));
    return out;
}

std::vector<const CommandText*> all_commands(const CommandText& command) {
    std::vector<const CommandText*> all = {&command};
    for (const CommandText& sub : command.commands)
        for (const CommandText* each : all_commands(sub)) all.push_back(each);
    return all;
}

std::string man_name(const CommandText& command) {
    std::string name = program_of(command);
    std::replace(name.begin(), name.end(), ' ', '-');
    return name + ".1";
}

std::string man_page(const CommandText& command, const std::string& version) {
    std::string name = man_name(command);
    name.resize(name.size() - 2);
    std::string out =
        fmt::format(".TH {} 1 \"\" \"ggsnn {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", roff(name),
                    version, roff(name), roff(command.help), roff(synopsis(command)));
    if (!command.commands.empty()) {
        out += ".SH COMMANDS\n";
        for (const CommandText& sub : command.commands) {
            std::string page = man_name(sub);
            page.resize(page.size() - 2);
            out += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(page), roff(sub.help));
        }
    }
    for (const std::string& group : groups_of(command)) {
        out += fmt::format(".SH \"{}\"\n", roff(group));
        for (const OptionText& o : command.options) {
            if (o.group != group) continue;
            const std::string value =
                o.is_argument() || o.value.empty() ? "" : fmt::format(" \\fI{}\\fR", o.value);
            out += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(fmt::format("{}", fmt::join(o.names, ", "))),
                               value, roff(said_of(o)));
        }
    }
    if (!command.footer.empty()) out += fmt::format(".SH NOTES\n{}\n", roff(command.footer));
    return out;
}

std::string markdown(const CommandText& program) {
    std::string out;
    for (const CommandText* command : all_commands(program)) {
        out += fmt::format("## {}\n\n{}.\n\n    {}\n\n", program_of(*command), command->help,
                           synopsis(*command));
        if (!command->options.empty()) out += "| option | takes | |\n| --- | --- | --- |\n";
        for (const OptionText& o : command->options) {
            std::string said = said_of(o);
            for (std::size_t at = 0; (at = said.find('|', at)) != std::string::npos; at += 2)
                said.insert(at, "\\");
            out += fmt::format("| `{}` | {} | {} |\n", fmt::join(o.names, "`, `"),
                               o.is_argument() ? "" : o.value, said);
        }
        if (!command->footer.empty()) out += "\n" + command->footer + "\n";
        out += "\n";
    }
    return out;
}

} // namespace ggsnn::cli
