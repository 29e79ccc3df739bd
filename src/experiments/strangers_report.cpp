#include "ggsnn/experiments/strangers_report.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"
#include "ggsnn/experiments/report.hpp"
#include "ggsnn/verify/verify_file.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace ggsnn::verify {

namespace {

namespace fs = std::filesystem;

struct Stranger {
    std::string path, shown, set;
    std::string expected; // proved, unsafe
    std::string property; // what SV-COMP says is violated
    bool memory_only = false;
    // What was found:
    std::string outcome, said, reason;
    double seconds = 0;

    bool right() const { return outcome == expected; }
    bool wrong() const { return !right() && outcome != "unknown"; }
};

// Lines `path TAB true or false TAB what is violated`, behind a head line.
void add_svcomp(const fs::path& folder, std::vector<Stranger>& all) {
    std::istringstream lines(read_file((folder / "expected.tsv").string(), 1 << 24));
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
        std::istringstream words(line);
        Stranger one;
        std::string verdict;
        std::getline(words, one.shown, '\t');
        std::getline(words, verdict, '\t');
        std::getline(words, one.property, '\t');
        if (one.shown.empty()) continue;
        if (verdict != "true" && verdict != "false")
            fail("{}: found '{}', expected true or false", (folder / "expected.tsv").string(), verdict);
        one.path = (folder / one.shown).string();
        one.set = "SV-COMP";
        one.expected = verdict == "true" ? "proved" : "unsafe";
        one.memory_only = true;
        all.push_back(std::move(one));
    }
}

void add_contracts(const fs::path& folder, std::vector<Stranger>& all) {
    std::vector<Stranger> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".c") continue;
        if (read_file(entry.path().string(), 1 << 24).find("Require") == std::string::npos) continue;
        Stranger one;
        one.path = entry.path().string();
        one.shown = fs::relative(entry.path(), folder).string();
        one.set = "LIG-MM";
        one.expected = "proved";
        found.push_back(std::move(one));
    }
    std::sort(found.begin(), found.end(),
              [](const Stranger& a, const Stranger& b) { return a.shown < b.shown; });
    all.insert(all.end(), found.begin(), found.end());
}

std::vector<Stranger> strangers_in(const std::string& data) {
    std::vector<Stranger> all;
    const fs::path top(data);
    for (const fs::path& at : {top, top / "svcomp"})
        if (fs::is_regular_file(at / "expected.tsv")) add_svcomp(at, all);
    if (fs::is_directory(top / "ligmm"))
        add_contracts(top / "ligmm", all);
    else if (all.empty())
        add_contracts(top, all);
    if (all.empty()) fail("{}: no expected.tsv, and no C files with contracts (With, Require, Ensure)", data);
    return all;
}

void judge(Stranger& one, const Inference& inference, double timeout) {
    FileOptions options;
    options.assertions = !one.memory_only;
    options.timeout = timeout;
    const auto begin = std::chrono::steady_clock::now();
    const FileResult result = verify_file(one.path, std::nullopt, options, inference);
    one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    one.outcome = result.outcome == FileOutcome::proved ? "proved" : "unknown";
    one.reason = result.message;
    if (!result.report.contains("functions")) return;
    for (const auto& f : result.report["functions"]) {
        if (f.value("verdict", "") == "proved") continue;
        one.reason = f.value("reason", "");
        if (f.value("verdict", "") != "unsafe") continue;
        one.outcome = "unsafe";
        one.said = f.value("property", "");
        break;
    }
}

double median(std::vector<double> numbers) {
    if (numbers.empty()) return 0;
    std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2),
                     numbers.end());
    return numbers[numbers.size() / 2];
}

// One row a set: what was right, what is open, what was wrong.
std::string summary(const std::vector<Stranger>& all) {
    std::string html =
        "<table><tr><th>set</th><th>programs</th><th>proved</th><th>errors found</th><th>unknown</th>"
        "<th>wrong proofs</th><th>wrong alarms</th><th>median s</th><th>most s</th></tr>\n";
    std::set<std::string> sets;
    for (const Stranger& one : all) sets.insert(one.set);
    for (const std::string& set : sets) {
        int programs = 0, safe = 0, proved = 0, found = 0, unknown = 0, wrong_proofs = 0, wrong_alarms = 0;
        std::vector<double> seconds;
        for (const Stranger& one : all) {
            if (one.set != set) continue;
            ++programs;
            safe += one.expected == "proved" ? 1 : 0;
            unknown += one.outcome == "unknown" ? 1 : 0;
            proved += one.right() && one.expected == "proved" ? 1 : 0;
            found += one.right() && one.expected == "unsafe" ? 1 : 0;
            wrong_proofs += one.wrong() && one.outcome == "proved" ? 1 : 0;
            wrong_alarms += one.wrong() && one.outcome == "unsafe" ? 1 : 0;
            seconds.push_back(one.seconds);
        }
        html += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{} of {}</td><td>{} of {}</td><td>{}</td><td>{}</td><td>{}</td>"
            "<td>{:.2f}</td><td>{:.1f}</td></tr>\n",
            set, programs, proved, safe, found, programs - safe, unknown, wrong_proofs, wrong_alarms,
            median(seconds), *std::max_element(seconds.begin(), seconds.end()));
    }
    return html + "</table>\n";
}

std::string details(const std::vector<Stranger>& all) {
    std::string html =
        "<details><summary>All programs</summary>\n<table><tr><th>program</th><th>expected</th>"
        "<th>outcome</th><th>reason</th><th>s</th></tr>\n";
    for (const Stranger& one : all) {
        const std::string expected = one.property.empty() ? one.expected : one.expected + ", " + one.property;
        const std::string outcome = one.said.empty() ? one.outcome : one.outcome + ", " + one.said;
        html += fmt::format(
            "<tr><td class=text>{}</td><td>{}</td><td>{}{}</td><td class=text>{}</td><td>{:.2f}</td></tr>\n",
            escape_html(one.shown), expected, one.wrong() ? "<b>wrong: </b>" : "", outcome,
            escape_html(one.outcome == "proved" ? "" : one.reason), one.seconds);
    }
    return html + "</table></details>\n";
}

} // namespace

void run_strangers_experiment(const StrangersOptions& options, Progress& progress) {
    const Inference inference;
    std::vector<Stranger> all = strangers_in(options.data);
    Json results = Json::array();
    std::size_t right = 0, wrong = 0, done = 0;
    for (Stranger& one : all) {
        progress.update(fmt::format("strangers: {} of {}, {} right, {} wrong, {}", done, all.size(), right,
                                    wrong, one.shown));
        judge(one, inference, options.timeout);
        ++done;
        right += one.right() ? 1 : 0;
        wrong += one.wrong() ? 1 : 0;
        results.push_back({{"table", "strangers"},
                           {"set", one.set},
                           {"task", one.shown},
                           {"expected", one.expected},
                           {"outcome", one.outcome},
                           {"property", one.property},
                           {"said", one.said},
                           {"reason", one.reason},
                           {"right", one.right()},
                           {"seconds", one.seconds}});
    }
    const std::string html =
        "<style>td.text{white-space:normal!important;text-align:left!important}</style>\n"
        "<p>Programs that others wrote, files as they are. SV-COMP: memory safety of <code>main</code>; an "
        "error "
        "counts with a run that shows it. LIG-MM: functions against their own contracts, loop annotations "
        "not "
        "used.</p>\n" +
        summary(all) + details(all);
    keep_section(options.report_folder, {"strangers", "Programs of strangers", html, results});
    progress.line(fmt::format("strangers: {} of {} right, {} wrong", right, all.size(), wrong));
}

} // namespace ggsnn::verify
