#include "ggsnn/verify/verify_page.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"
#include "ggsnn/base/page.hpp"
#include "ggsnn/verify/verify_view.hpp"

#include <algorithm>
#include <cctype>

namespace ggsnn::verify {

namespace {

constexpr const char* program_style = R"(
.listing { border: 1px solid var(--edge); border-radius: 10px; padding: .4rem 0; margin: .8rem 0; }
.row { display: grid; grid-template-columns: 3rem minmax(0, 3fr) minmax(0, 2fr); }
.row > code { background: none; padding: 0; white-space: pre-wrap; tab-size: 4; } .row > .line { color: var(--soft); text-align: right; padding-right: .9rem; font: .875rem/1.5 ui-monospace, monospace; }
.margin { padding: 0 .8rem; overflow-wrap: anywhere; } .margin p { margin: .1rem 0; font-size: .85rem; border-left: 3px solid var(--line); padding-left: .6rem; }
.row.failing { background: var(--bad-paper); } .row.failing > .line { color: var(--bad); font-weight: 700; } .row.failing .margin p { border-color: var(--bad); }
.verdicts { list-style: none; padding: 0; } .cases td, .cases th { text-align: left; } .cases { min-width: 40rem; }
@media (max-width: 760px) { .row { grid-template-columns: 2.4rem minmax(0, 1fr); } .margin { grid-column: 2; padding: 0; } }
)";

std::string formula_html(const logic::Formula& formula) {
    return "<code>" + escape_html(formula_text(formula)) + "</code>";
}

std::string heaps_html(const std::vector<logic::Heap>& heaps) {
    std::string out = "<div class=\"heaps\">";
    for (const logic::Heap& heap : heaps) out += logic::heap_svg(heap, false);
    return out + "</div>\n";
}

std::string folding(bool open, const std::string& summary, const std::string& inside) {
    return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", open ? " open" : "", summary,
                       inside);
}

std::string trace_html(const std::vector<shapes::TraceStep>& trace, bool open) {
    std::string table = "<div class=\"scroll\" tabindex=\"0\"><table "
                        "class=\"cases\"><thead><tr><th>Line</th><th>Decision</th>"
                        "<th>About</th><th>Outcome</th><th>Formula so far</th><th>Log "
                        "probabilities</th></tr></thead><tbody>\n";
    for (const shapes::TraceStep& step : trace) {
        std::string scores;
        for (const auto& [name, score] : step.scores)
            scores += fmt::format("{} {}&nbsp; ", escape_html(name), score_text(score));
        table += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
            step.line, shapes::name_of(step.decision), escape_html(step.about), escape_html(step.outcome),
            escape_html(step.formula), scores);
    }
    return folding(open, fmt::format("Each step of the prediction ({})", counted(trace.size(), "step")),
                   table + "</tbody></table></div>\n");
}

std::string conditions_html(const std::vector<Condition>& conditions, bool open) {
    std::string table =
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"cases\"><thead><tr><th>Line</th><th>What</th>"
        "<th>Branches</th><th>From</th><th>To</th><th>Verdict</th></tr></thead><tbody>\n";
    for (const Condition& c : conditions) {
        std::string path;
        for (const Turn& turn : c.path)
            path +=
                fmt::format("{}{} {}", path.empty() ? "" : ", ", turn.line, turn.taken ? "true" : "false");
        table += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
            c.position.line, condition_name(c.kind), path,
            escape_html(logic::print(c.left, logic::Reading::program, logic::Script::unicode)),
            formula_html(c.right),
            c.verdict == logic::Validity::valid     ? "valid"
            : c.verdict == logic::Validity::invalid ? "invalid"
                                                    : "unknown");
    }
    return folding(open, fmt::format("The proof's {}", counted(conditions.size(), "case")),
                   table + "</tbody></table></div>\n");
}

// Where a function that is not proved fails; 0: not known.
int failing_line(const FunctionReport& f) {
    if (f.verdict == Verdict::proved) return 0;
    return f.bad_run ? f.bad_run->fault.position.line : f.failure ? f.failure->position.line : 0;
}

// Without the folder of the file, which stands in front of the line.
std::string short_reason(const ProgramReport& report, const FunctionReport& f) {
    const std::size_t slash = report.path.find_last_of('/');
    const bool named = slash != std::string::npos && f.reason.starts_with(report.path);
    return named ? f.reason.substr(slash + 1) : f.reason;
}

// What stands in the margin of a line.
std::string margin_html(const ProgramReport& report, int line) {
    std::string out;
    for (const FunctionReport& f : report.functions) {
        if (f.position.line == line)
            out += fmt::format("<p><b class=\"{}\">{}: {}</b></p>", name_of(f.verdict), escape_html(f.name),
                               name_of(f.verdict));
        for (const LoopReport& loop : f.loops)
            if (loop.position.line == line && loop.invariant && f.verdict != Verdict::unsafe)
                out += fmt::format("<p><b class=\"{}\">invariant{}</b> {}</p>",
                                   loop.proved ? "proved" : "unknown", loop.proved ? ", proved" : "",
                                   formula_html(*loop.invariant));
        if (failing_line(f) == line)
            out += fmt::format("<p><b class=\"{}\">{}</b></p>", name_of(f.verdict),
                               escape_html(short_reason(report, f)));
    }
    return out;
}

std::string listing_html(const ProgramReport& report, const std::string& source) {
    std::string out = "<div class=\"listing\" role=\"region\" aria-label=\"Listing\">\n";
    int number = 0;
    for (std::size_t at = 0; at < source.size();) {
        const std::size_t end = std::min(source.find('\n', at), source.size());
        ++number;
        const bool failing = std::ranges::any_of(
            report.functions, [&](const FunctionReport& f) { return failing_line(f) == number; });
        out += fmt::format("<div class=\"row{}\"><span class=\"line\">{}</span><code>{}</code><div "
                           "class=\"margin\">{}</div></div>\n",
                           failing ? " failing" : "", number, escape_html(source.substr(at, end - at)),
                           margin_html(report, number));
        at = end + 1;
    }
    return out + "</div>\n";
}

// Memory graphs in words: how many, and each of them.
std::string graphs_html(const LoopReport& loop, bool open) {
    std::string all;
    for (const std::string& graph : loop.graphs) all += "<pre>" + escape_html(graph) + "</pre>\n";
    return folding(open && loop.graphs.size() < 4, fmt::format("Its memory graphs ({})", loop.graphs.size()),
                   all);
}

std::string invariant_html(const LoopReport& loop) {
    if (loop.invariant) return formula_html(*loop.invariant);
    if (loop.graphs.empty()) return "no invariant was found";
    return loop.graphs.size() == 1 ? "one memory graph"
                                   : fmt::format("one of {} memory graphs", loop.graphs.size());
}

std::string loop_html(const LoopReport& loop, bool open) {
    std::string out =
        fmt::format("<h3>Loop at line {}</h3>\n<p>{} <span class=\"{}\">{}</span></p>\n", loop.position.line,
                    invariant_html(loop), loop.proved ? "proved" : "unknown",
                    loop.proved ? "proved inductive" : "not proved");
    if (!loop.snapshots.empty())
        out += folding(open, fmt::format("Some of its heaps ({})", loop.snapshots.size()),
                       heaps_html(loop.snapshots));
    if (!loop.graphs.empty()) out += graphs_html(loop, open);
    if (!loop.trace.empty()) out += trace_html(loop.trace, open);
    return out;
}

std::string function_html(const ProgramReport& report, const FunctionReport& f, bool open) {
    std::string out = fmt::format("<h3><code>{}</code> <span class=\"{}\">{}</span></h3>\n",
                                  escape_html(f.name), name_of(f.verdict), name_of(f.verdict));
    if (!f.reason.empty()) out += "<p>" + escape_html(short_reason(report, f)) + "</p>\n";
    out += fmt::format("<p>requires {}{}</p>\n", formula_html(f.requires_),
                       f.requires_assumed ? " (assumed from the types)" : "");
    if (f.ensures)
        out += fmt::format("<p>ensures {}{}</p>\n", formula_html(*f.ensures),
                           f.ensures_inferred ? " (inferred)" : "");
    for (const std::string& assumption : f.assumptions)
        out += "<p class=\"note\">assumed: " + escape_html(assumption) + "</p>\n";
    if (f.bad_input) {
        out += "<p>The input of the run that shows it, and the heap where it ends:</p>\n";
        out += heaps_html({*f.bad_input, f.bad_run->fault.heap});
    }
    if (f.verdict != Verdict::unsafe)
        for (const LoopReport& loop : f.loops) out += loop_html(loop, open);
    if (f.failure && f.failure->counter)
        out += "<p>A heap that the proof cannot rule out:</p>\n" + heaps_html({*f.failure->counter});
    if (!f.conditions.empty()) out += conditions_html(f.conditions, open);
    return out;
}

} // namespace

std::string section_id(const std::string& title) {
    std::string id = "p-";
    for (const char c : title) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return id;
}

const char* name_of(const ProgramReport& report) {
    return report.some_unsafe() ? "unsafe" : report.all_proved() ? "proved" : "unknown";
}

std::string verify_section(const ProgramReport& report, const std::string& source, bool open) {
    std::string out;
    if (!source.empty()) out += listing_html(report, source);
    for (const FunctionReport& f : report.functions) out += function_html(report, f, open);
    return out;
}

std::string verify_page(const std::vector<PageSection>& sections) {
    std::string body = "<h1>Verified programs</h1>\n";
    std::string index;
    for (const PageSection& s : sections)
        index += fmt::format("<li><a href=\"#{}\">{}</a> <span class=\"{}\">{}</span></li>\n", s.id,
                             escape_html(s.title), s.verdict, s.verdict);
    if (sections.size() > 1)
        body += "<nav class=\"contents\" aria-label=\"Contents\"><h2>Programs</h2>\n<ul>\n" + index +
                "</ul></nav>\n";
    for (const PageSection& s : sections)
        body += fmt::format("<section id=\"{}\">\n<h2>{} <span class=\"{}\">{}</span></h2>\n{}</section>\n",
                            s.id, escape_html(s.title), s.verdict, s.verdict, s.html);
    return html_page(sections.size() == 1 ? sections[0].title + ": ggsnn verify" : "ggsnn verify", body,
                     std::string(logic::heap_style()) + program_style);
}

} // namespace ggsnn::verify
