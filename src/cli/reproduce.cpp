// reproduce: the paper's experiments with one command, into a report that a person can read and a file that
// a program can. A second command into the same folder adds to what is there.
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/cli/programs.hpp"
#include "ggsnn/experiments/babi20.hpp"
#include "ggsnn/experiments/heap_report.hpp"
#include "ggsnn/experiments/larger.hpp"
#include "ggsnn/experiments/learned.hpp"
#include "ggsnn/experiments/programs_report.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/experiments/strangers_report.hpp"

#include <filesystem>
#include <set>

namespace ggsnn {

namespace {

// "1-10", "3", "1,4,7-9"
std::vector<int> parse_folds(const std::string& text) {
    std::set<int> folds;
    std::size_t at = 0;
    const auto number = [&] {
        std::size_t used = 0;
        int value = 0;
        try {
            value = std::stoi(text.substr(at), &used);
        } catch (const std::exception&) {
            used = 0;
        }
        if (used == 0 || value < 1 || value > 100000)
            throw UsageError(
                fmt::format("--folds {}: expected numbers and ranges such as 1-10 or 1,3", text));
        at += used;
        return value;
    };
    while (at < text.size()) {
        const int first = number();
        int last = first;
        if (at < text.size() && text[at] == '-') {
            ++at;
            last = number();
        }
        if (last < first || last - first > 10000)
            throw UsageError(fmt::format("--folds {}: expected the smaller number first", text));
        for (int f = first; f <= last; ++f) folds.insert(f);
        if (at >= text.size()) break;
        if (text[at] != ',')
            throw UsageError(
                fmt::format("--folds {}: expected numbers and ranges such as 1-10 or 1,3", text));
        ++at;
    }
    if (folds.empty()) throw UsageError("--folds is empty");
    return {folds.begin(), folds.end()};
}

} // namespace

int run_reproduce(const ReproduceCommand& command) {
    catch_interrupts();
    Ranks& ranks = Ranks::world();
    Progress progress(command.quiet || !ranks.first());
    ExperimentOptions options;
    const bool all = command.what == "all";
    for (const char* table : {"table1", "table2", "table3"})
        if (all || command.what == table) options.tables.emplace_back(table);
    options.models = command.models;
    options.folds = parse_folds(command.quick && command.folds.empty() ? "1-3"
                                : command.folds.empty()                ? "1-10"
                                                                       : command.folds);
    options.data = command.data;
    // Found out before hours of tables, not after.
    std::string programs;
    if (all || command.what == "programs")
        programs = !all && !command.data.empty() ? command.data : programs_folder();
    if (command.what == "strangers" && command.data.empty())
        throw UsageError("reproduce strangers needs --data: a folder with svcomp/ or ligmm/, or one of them");
    const bool stories = command.what == "babi20";
    if (stories && command.data.empty())
        throw UsageError("babi20 needs --data: a folder with the stories, T_train.txt and T_test.txt");
    options.cache = command.output + "/runs";
    options.quick = command.quick;
    options.seed = command.seed;
    std::filesystem::create_directories(command.output);
    ThreadPool pool(command.threads > 0 ? command.threads : ranks.threads());
    if (!options.tables.empty()) run_experiment(options, pool, progress, &ranks);
    if (all || command.what == "sizes") run_sizes(options, pool, progress, &ranks);
    if (all || command.what == "contraction") {
        ContractionOptions contraction;
        contraction.seed = options.seed;
        run_contraction(contraction, options.cache, pool, progress, &ranks);
    }
    if (stories) run_babi20({command.data, command.output, command.seed}, pool, progress, &ranks);
    if (command.what == "larger") {
        LargerOptions larger{.folder = command.output, .seed = command.seed};
        larger.quick = command.quick;
        larger.folds = parse_folds(command.folds.empty() ? command.quick ? "1" : "1-3" : command.folds);
        run_larger(larger, pool, progress, &ranks);
    }
    if (ranks.first()) {
        if (all || command.what == "heap")
            shapes::run_heap_experiment({command.output, command.quick, command.seed}, pool, progress);
        if (!programs.empty()) verify::run_programs_experiment(command.output, programs, progress);
        if (command.what == "strangers")
            verify::run_strangers_experiment({command.output, command.data, command.timeout}, progress);
        if (!options.tables.empty())
            for (const ReportSection& section : learned_sections(options))
                keep_section(command.output, section);
        write_report(command.output, options, command.text);
    }
    progress.line(fmt::format("{}/index.html written, {:.1f} s", command.output, progress.seconds()));
    return 0;
}

} // namespace ggsnn
