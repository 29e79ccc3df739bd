// reproduce: the paper's experiments with one command, into a report that a person can read and a file that
// a program can.
#include "base/files.hpp"
#include "cli/commands.hpp"
#include "tasks/contraction.hpp"
#include "tasks/report.hpp"

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

Json sizes_json(const std::vector<SizePoint>& sizes) {
    Json out = Json::array();
    for (const SizePoint& p : sizes)
        out.push_back({{"task", p.task}, {"how", p.how}, {"scale", p.scale}, {"accuracy", p.accuracy}});
    return out;
}

// Appendix A: one chart for random networks, one for trained ones.
void add_contraction(ThreadPool& pool, ReportContent& content) {
    const auto points = measure_contraction({}, pool);
    for (const char* state : {"random", "trained"}) {
        Chart chart;
        chart.title = fmt::format("Influence of a node at distance d, {} networks", state);
        chart.x_label = "distance d";
        chart.y_label = "largest derivative";
        chart.log_y = true;
        chart.width = 640;
        chart.height = 420;
        for (const InfluencePoint& p : points) {
            if (p.network.find(state) == std::string::npos) continue;
            const std::string kind = p.network.substr(0, p.network.rfind('-'));
            const std::string name = p.rho > 0 ? fmt::format("{}, rho {:.2g}", kind, p.rho) : kind;
            if (chart.curves.empty() || chart.curves.back().name != name)
                chart.curves.push_back({name, {}, false});
            chart.curves.back().points.emplace_back(p.distance, p.influence);
        }
        content.charts.push_back(std::move(chart));
        content.captions.push_back("Appendix A of the paper as a measurement on a path: in the original "
                                   "graph neural network, whose propagation "
                                   "must be a contraction with constant rho, influence decays at least as "
                                   "fast as rho^d; a gated network keeps "
                                   "what it needs.");
    }
}

} // namespace

int run_reproduce(const ReproduceCommand& command) {
    catch_interrupts();
    Progress progress(command.quiet);
    ExperimentOptions options;
    const bool all = command.what == "all";
    for (const char* table : {"table1", "table2", "table3"})
        if (all || command.what == table) options.tables.emplace_back(table);
    options.models = command.models;
    options.folds = parse_folds(command.quick && command.folds.empty() ? "1-3"
                                : command.folds.empty()                ? "1-10"
                                                                       : command.folds);
    options.data = command.data;
    options.cache = command.output + "/runs";
    options.quick = command.quick;
    options.seed = command.seed;
    std::filesystem::create_directories(command.output);
    ThreadPool pool(command.threads);
    ReportContent content;
    if (!options.tables.empty()) content.rows = run_experiment(options, pool, progress);
    if (all || command.what == "sizes") content.sizes = measure_sizes(options, pool, progress);
    if (all || command.what == "contraction") add_contraction(pool, content);
    content.seconds = progress.seconds();
    content.command = command.text;
    if (!options.tables.empty())
        write_file(command.output + "/results.json", to_json(content.rows).dump(1) + "\n");
    if (!content.sizes.empty())
        write_file(command.output + "/sizes.json", sizes_json(content.sizes).dump(1) + "\n");
    write_file(command.output + "/index.html", make_report(content));
    progress.line(fmt::format("{}/index.html written, {:.1f} s", command.output, progress.seconds()));
    return 0;
}

} // namespace ggsnn
