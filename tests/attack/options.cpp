#include "options.hpp"

#include "ggsnn/base/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

namespace ggsnn::attack {

const char* const usage = "attack --ggsnn PROGRAM [--count N] [--seconds S] [--seed N] [--style STYLE]\n"
                          "attack --ggsnn PROGRAM --corpus FOLDER [--only TEXT]\n"
                          "attack --confirm FOLDER [--only TEXT]\n"
                          "  --timeout S        given to ggsnn verify (10)\n"
                          "  --malloc-may-fail  given to ggsnn verify; in some runs an allocation fails\n"
                          "  --flag WORD        one more word for ggsnn verify\n"
                          "  --no-replay        do not ask for replays\n"
                          "  --runs N           with the sanitizers (8), three times as many for a proof\n"
                          "  --all              ask the sanitizers even where the verdict is unknown\n"
                          "  --jobs N           at the same time (1)\n"
                          "  --keep FOLDER      for what is found (attack-found)\n"
                          "  --shrink S         seconds for each finding (60; 0: none)\n"
                          "  --floor N          fail if fewer are proved\n"
                          "  --verbose          a line for each program\n";

namespace {

double number_of(const std::string& option, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !(value >= 0))
        throw UsageError(fmt::format("{}: '{}' is no number", option, text));
    return value;
}

// What follows an option, by its kind.
struct Tables {
    std::map<std::string, std::string*> texts;
    std::map<std::string, std::function<void(double)>> numbers;
    std::map<std::string, std::function<void()>> flags;
};

Tables tables_of(Options& o) {
    Tables t;
    t.texts = {{"--ggsnn", &o.how.ggsnn}, {"--style", &o.style}, {"--corpus", &o.corpus},
               {"--confirm", &o.confirm}, {"--only", &o.only},   {"--keep", &o.keep}};
    t.numbers = {{"--count", [&](double n) { o.count = static_cast<long>(n); }},
                 {"--seconds", [&](double n) { o.seconds = n; }},
                 {"--seed", [&](double n) { o.seed = static_cast<std::uint64_t>(n); }},
                 {"--timeout", [&](double n) { o.how.timeout = n; }},
                 {"--runs", [&](double n) { o.how.runs = static_cast<int>(n); }},
                 {"--jobs", [&](double n) { o.jobs = std::max(1, static_cast<int>(n)); }},
                 {"--floor", [&](double n) { o.floor = static_cast<long>(n); }},
                 {"--shrink", [&](double n) { o.shrink_seconds = n; }}};
    t.flags = {{"--all", [&] { o.how.all = true; }},
               {"--no-replay", [&] { o.how.replays = false; }},
               {"--verbose", [&] { o.verbose = true; }},
               {"--help", [&] { o.help = true; }},
               {"--malloc-may-fail", [&] {
                    o.allocation_may_fail = true;
                    o.how.flags.emplace_back("--malloc-may-fail");
                }}};
    return t;
}

} // namespace

Options parse(const std::vector<std::string>& words) {
    Options options;
    const Tables tables = tables_of(options);
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::string& word = words[w];
        if (const auto flag = tables.flags.find(word); flag != tables.flags.end()) {
            flag->second();
            continue;
        }
        const auto text = tables.texts.find(word);
        const auto number = tables.numbers.find(word);
        if (text == tables.texts.end() && number == tables.numbers.end() && word != "--flag")
            throw UsageError("unknown option " + word);
        if (w + 1 >= words.size()) throw UsageError(word + " needs a value");
        const std::string& value = words[++w];
        if (text != tables.texts.end())
            *text->second = value;
        else if (number != tables.numbers.end())
            number->second(number_of(word, value));
        else
            options.how.flags.push_back(value);
    }
    if (!options.how.ggsnn.empty()) options.how.ggsnn = std::filesystem::absolute(options.how.ggsnn).string();
    if (!options.help && options.confirm.empty() && options.how.ggsnn.empty())
        throw UsageError("--ggsnn is missing");
    return options;
}

} // namespace ggsnn::attack
