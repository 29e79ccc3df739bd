// Completions: each shell is told of commands, of their options, and of words that an option takes.
#include "ggsnn/cli/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ggsnn::cli {

namespace {

std::string option_names(const CommandText& command) {
    std::vector<std::string> names;
    for (const OptionText& o : command.options)
        if (!o.is_argument())
            for (const std::string& name : o.names) names.push_back(name);
    return fmt::format("{}", fmt::join(names, " "));
}

std::string command_names(const CommandText& command) {
    std::vector<std::string> names;
    for (const CommandText& sub : command.commands) names.push_back(sub.name.substr(sub.name.rfind(' ') + 1));
    return fmt::format("{}", fmt::join(names, " "));
}

// Words of the first argument, where they are known.
std::string argument_words(const CommandText& command) {
    for (const OptionText& o : command.options)
        if (o.is_argument()) return fmt::format("{}", fmt::join(o.choices, " "));
    return "";
}

std::string quoted(std::string text) {
    for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "'\\''");
    return "'" + text + "'";
}

} // namespace

std::string bash_completion(const CommandText& program) {
    std::string out =
        "# bash completion of ggsnn\n_ggsnn() {\n"
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
        "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
        "        [[ ${COMP_WORDS[i]} == -* ]] && break\n"
        "        case \"$command ${COMP_WORDS[i]}\" in\n";
    for (const CommandText* command : all_commands(program))
        if (!command->name.empty())
            out += fmt::format("            ' {0}') command=' {0}' ;;\n", command->name);
    out += "            *) break ;;\n        esac\n    done\n    case \"$command $before\" in\n";
    for (const CommandText* command : all_commands(program))
        for (const OptionText& o : command->options)
            for (const std::string& name : o.names)
                if (!o.is_argument() && !o.choices.empty())
                    out += fmt::format(
                        "        '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                        command->name.empty() ? "" : " " + command->name, name, fmt::join(o.choices, " "));
    out += "    esac\n    case \"$command\" in\n";
    for (const CommandText* command : all_commands(program)) {
        const std::string words = command_names(*command) + argument_words(*command);
        out +=
            fmt::format("        '{}') [[ $word == -* ]] && COMPREPLY=($(compgen -W '{}' -- \"$word\")) || "
                        "COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n",
                        command->name.empty() ? "" : " " + command->name, option_names(*command), words);
    }
    return out + "    esac\n}\ncomplete -o default -o bashdefault -F _ggsnn ggsnn\n";
}

std::string zsh_completion(const CommandText& program) {
    std::string out = "#compdef ggsnn\n";
    const auto bare = [](std::string text) { // of what _arguments reads as its own
        for (char& c : text)
            if (c == ':' || c == '[' || c == ']') c = ' ';
        return text;
    };
    for (const CommandText* command : all_commands(program)) {
        std::string function = "_ggsnn " + command->name;
        std::replace(function.begin(), function.end(), ' ', '_');
        if (command->name.empty()) function = "_ggsnn";
        out += fmt::format("{}() {{\n", function);
        if (!command->commands.empty()) {
            out += "    local -a commands=(\n";
            for (const CommandText& sub : command->commands)
                out += fmt::format(
                    "        {}\n",
                    quoted(fmt::format("{}:{}", sub.name.substr(sub.name.rfind(' ') + 1), bare(sub.help))));
            out += "    )\n    local line state\n    _arguments -C '1: :->command' '*::arg:->rest'\n"
                   "    case $state in\n        command) _describe command commands ;;\n"
                   "        rest)\n            case $line[1] in\n";
            for (const CommandText& sub : command->commands) {
                std::string name = "_ggsnn_" + sub.name;
                std::replace(name.begin(), name.end(), ' ', '_');
                out += fmt::format("                {}) {} ;;\n", sub.name.substr(sub.name.rfind(' ') + 1),
                                   name);
            }
            out += "            esac ;;\n    esac\n}\n";
            continue;
        }
        out += "    _arguments";
        for (const OptionText& o : command->options) {
            const std::string takes =
                o.choices.empty() ? "_files" : fmt::format("({})", fmt::join(o.choices, " "));
            if (o.is_argument()) {
                out += " \\\n        " +
                       quoted(fmt::format("{}:{}:{}", o.several ? "*" : "", bare(o.names[0]), takes));
                continue;
            }
            for (const std::string& name : o.names)
                out += " \\\n        " +
                       quoted(fmt::format("{}[{}]{}", name, bare(o.help),
                                          o.value.empty() ? "" : fmt::format(":{}:{}", o.value, takes)));
        }
        out += "\n}\n";
    }
    return out + "_ggsnn \"$@\"\n";
}

std::string fish_completion(const CommandText& program) {
    std::string out = "# fish completion of ggsnn\n";
    for (const CommandText* command : all_commands(program)) {
        // The command is chosen when its words were seen, and none of those below it.
        std::string seen = command->name.empty() ? "__fish_use_subcommand" : "";
        for (std::size_t at = 0; at < command->name.size();) {
            const std::size_t end = std::min(command->name.find(' ', at), command->name.size());
            seen += (seen.empty() ? "" : "; and ") +
                    fmt::format("__fish_seen_subcommand_from {}", command->name.substr(at, end - at));
            at = end + 1;
        }
        if (!command->name.empty() && !command->commands.empty())
            seen += "; and not __fish_seen_subcommand_from " + command_names(*command);
        for (const CommandText& sub : command->commands)
            out += fmt::format("complete -c ggsnn -f -n '{}' -a {} -d {}\n", seen,
                               sub.name.substr(sub.name.rfind(' ') + 1), quoted(sub.help));
        for (const OptionText& o : command->options) {
            if (o.is_argument()) continue;
            std::string line = fmt::format("complete -c ggsnn -n '{}'", seen);
            for (const std::string& name : o.names)
                line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!o.value.empty()) line += " -r";
            if (!o.choices.empty()) line += fmt::format(" -f -a '{}'", fmt::join(o.choices, " "));
            out += line + " -d " + quoted(o.help) + "\n";
        }
    }
    return out;
}

} // namespace ggsnn::cli
