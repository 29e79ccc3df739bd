#include "ggsnn/experiments/programs_report.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"
#include "ggsnn/base/page.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/verify.hpp"
#include "ggsnn/verify/verify_page.hpp"
#include "ggsnn/verify/verify_view.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ggsnn::verify {

namespace {

namespace fs = std::filesystem;

// Table 4 of the paper. For insert the paper has ls(elt, NULL) where elt is one cell; both are accepted.
const std::map<std::string, std::vector<std::string>> table_four{
    {"traverse1.c", {"ls(lst, curr) * ls(curr, NULL)"}},
    {"traverse2.c", {"curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL)"}},
    {"concat.c", {"a != NULL * a != b * b != cur * cur != NULL * ls(cur, NULL) * ls(a, cur) * ls(b, NULL)"}},
    {"copy.c", {"ls(curr, NULL) * ls(lst, curr) * ls(cp, NULL)"}},
    {"dispose.c", {"ls(lst, NULL)"}},
    {"insert.c",
     {"curr != NULL * curr != elt * elt != NULL * elt != lst * lst != NULL * ls(elt, NULL) * ls(lst, curr) * "
      "ls(curr, NULL)",
      "curr != NULL * curr != elt * elt != NULL * elt != lst * lst != NULL * elt |-> {next: NULL} * ls(lst, "
      "curr) * "
      "ls(curr, NULL)"}},
    {"remove.c", {"curr != NULL * lst != NULL * ls(lst, curr) * ls(curr, NULL)"}},
};

std::vector<std::string> c_files(const std::string& folder) {
    std::vector<std::string> files;
    for (const std::string& at : {folder, folder + "/broken"}) {
        if (!fs::is_directory(at)) continue;
        std::vector<std::string> here;
        for (const auto& entry : fs::directory_iterator(at))
            if (entry.path().extension() == ".c") here.push_back(entry.path().string());
        std::sort(here.begin(), here.end());
        files.insert(files.end(), here.begin(), here.end());
    }
    if (files.empty()) fail("{}: no C files", folder);
    return files;
}

std::string expectation(const std::string& path) {
    LineReader lines(path);
    std::string_view line;
    const std::string_view key = "// expect: ";
    while (lines.next(line) && line.starts_with("//"))
        if (line.starts_with(key)) return std::string(line.substr(key.size()));
    return "";
}

bool equivalent(const logic::Formula& a, const logic::Formula& b) {
    return logic::prove(a, b, {2}).verdict == logic::Validity::valid &&
           logic::prove(b, a, {2}).verdict == logic::Validity::valid;
}

// "yes", "no", or empty where the paper has no such program.
std::string as_in_table_four(const std::string& name, const ProgramReport& report) {
    const auto entry = table_four.find(name);
    if (entry == table_four.end()) return "";
    for (const FunctionReport& f : report.functions)
        for (const LoopReport& loop : f.loops)
            for (const std::string& text : entry->second)
                if (loop.invariant && loop.proved &&
                    equivalent(*loop.invariant, logic::parse_formula(text, logic::Reading::program)))
                    return "yes";
    return "no";
}

// What became of a file: proved, unsafe: .., unknown: ..; the first function that is not proved speaks for
// it.
std::string outcome_of(const ProgramReport& report) {
    for (const FunctionReport& f : report.functions)
        if (f.verdict != Verdict::proved) return fmt::format("{}: {}", name_of(f.verdict), f.reason);
    return "proved";
}

bool as_expected(const std::string& expected, const ProgramReport& report) {
    if (expected.starts_with("proved")) return report.all_proved();
    if (report.all_proved()) return false;
    const auto colon = expected.find(": ");
    const std::string reason = colon == std::string::npos ? "" : expected.substr(colon + 2);
    const std::string found = outcome_of(report);
    // A broken promise is told in the words of the postcondition.
    return reason.empty() || found.find(reason) != std::string::npos ||
           (reason == "ensures" && found.find("postcondition") != std::string::npos);
}

using LoopCounts = std::map<std::string, int>; // loops

// What found the invariants that were proved.
std::string found_html(const LoopCounts& found) {
    std::string rows;
    for (const auto& [by, loops] : found)
        rows += fmt::format("<tr><td>{}</td><td>{}</td></tr>", escape_html(by), loops);
    return "<p>What found the invariants that were proved: the networks of ls and tree alone (network) or "
           "with "
           "search and check (search), those of every predicate (wide), deterministic procedures around "
           "them, "
           "memory graphs; running: loops that need none.</p>\n<table><thead><tr><th>Found "
           "by</th><th>Loops</th>"
           "</tr></thead><tbody>" +
           rows + "</tbody></table>\n";
}

} // namespace

void run_programs_experiment(const std::string& report_folder, const std::string& programs,
                             Progress& progress) {
    const Inference inference;
    const std::vector<std::string> files = c_files(programs);
    std::string html =
        "<p>C files verified without hints but their specifications: invariants are predicted from runs and "
        "proved inductive. <b>Table 4</b>: whether an invariant is equivalent to the one the paper prints. "
        "Programs that are broken on purpose must not be proved.</p>\n<table "
        "class=\"programs\"><colgroup><col "
        "class=\"name\"><col><col class=\"small\"><col class=\"small\"></colgroup><thead><tr><th>Program</th>"
        "<th>Outcome, and invariants of loops</th><th>Table 4</th><th>Seconds</th></tr></thead><tbody>\n";
    Json results = Json::array();
    std::size_t right = 0;
    LoopCounts all_found;
    std::vector<PageSection> sections;
    std::size_t done = 0;
    VerifyOptions options;
    options.trace = true;
    for (const std::string& path : files) {
        progress.update(fmt::format("programs: {} of {}, {}", done, files.size(), path));
        Program program = read_program(path);
        const std::string shown = fs::relative(path, programs).string();
        program.path = shown;
        ProgramReport report = verify_program(program, inference, options);
        const std::string name = fs::path(path).filename().string(), expected = expectation(path);
        const bool good = as_expected(expected, report);
        right += good ? 1 : 0;
        std::string invariants;
        LoopCounts found;
        std::size_t loops = 0, proved = 0;
        double seconds = 0;
        for (const FunctionReport& f : report.functions) {
            seconds += f.seconds;
            for (const LoopReport& loop : f.loops) {
                ++loops;
                proved += loop.proved ? 1 : 0;
                if (const std::string by = found_by(loop); !by.empty()) {
                    ++found[by];
                    ++all_found[by];
                }
                if (loop.invariant)
                    invariants +=
                        fmt::format("<br><code>{}</code>", escape_html(formula_text(*loop.invariant)));
            }
        }
        const std::string same = as_in_table_four(name, report);
        const std::string outcome = outcome_of(report);
        html +=
            fmt::format("<tr><td><a href=\"programs.html#{}\">{}</a></td><td class=\"invariants\">{}<span "
                        "class=\"{}\">{}</span>{}{}</td><td data-label=\"Table 4:\">{}</td><td "
                        "data-label=\"seconds\">{:.2f}</td></tr>\n",
                        section_id(shown), escape_html(shown), good ? "" : "<b>not as expected: </b>",
                        outcome.substr(0, outcome.find(':')), escape_html(outcome),
                        loops > 0 ? fmt::format("; {} of {} proved", proved, counted(loops, "loop")) : "",
                        invariants, same, seconds);
        results.push_back({{"table", "programs"},
                           {"task", shown},
                           {"expected", expected},
                           {"outcome", outcome_of(report)},
                           {"right", good},
                           {"loops", loops},
                           {"loops_proved", proved},
                           {"found_by", found},
                           {"as_paper", same.empty() ? Json() : Json(same == "yes")},
                           {"seconds", seconds}});
        sections.push_back({section_id(shown), shown, name_of(report),
                            verify_section(report, read_file(path, 1 << 20), false)});
        ++done;
    }
    html += fmt::format(
        "</tbody></table>\n<p>{} of {} as expected. <a href=\"programs.html\">Heaps, predictions and "
        "proofs of each.</a></p>\n",
        right, files.size());
    html += found_html(all_found);
    write_file(report_folder + "/programs.html", verify_page(sections));
    keep_section(report_folder, {"programs", "C programs (table 4 and others)", html, results,
                                 fmt::format("{} of {} as expected", right, files.size())});
    progress.line(fmt::format("programs: {} of {} as expected", right, files.size()));
}

} // namespace ggsnn::verify
