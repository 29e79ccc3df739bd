#include "ggsnn/verify/verify_page.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/html.hpp"
#include "ggsnn/verify/verify_view.hpp"

namespace ggsnn::verify {

namespace {

constexpr const char* style =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.5em}h2{font-size:1.2em;border-top:1px solid "
    "#ccc;padding-top:1em}h3{font-size:1em;margin-bottom:.3em}"
    "code,pre{font:13px/1.4 ui-monospace,monospace}pre{background:#f6f6f6;padding:.8em;overflow-x:auto}"
    ".proved{color:#176b2c;font-weight:600}.unsafe{color:#a61b1b;font-weight:600}.unknown{color:#8a6100;font-"
    "weight:600}"
    "table{border-collapse:collapse;margin:.5em 0}td,th{border:1px solid #ddd;padding:.25em "
    ".6em;text-align:left;"
    "vertical-align:top;font-size:13px}.heaps{display:flex;flex-wrap:wrap;gap:1em}.heaps svg{max-width:100%;"
    "border:1px solid #eee}details{margin:.6em 0}summary{cursor:pointer}";

std::string formula_html(const logic::Formula& formula) {
    return "<code>" +
           escape_html(
               logic::print(logic::canonical(formula), logic::Reading::program, logic::Script::unicode)) +
           "</code>";
}

std::string heaps_html(const std::vector<logic::Heap>& heaps) {
    std::string out = "<div class=heaps>";
    for (const logic::Heap& heap : heaps) out += logic::heap_svg(heap);
    return out + "</div>\n";
}

std::string trace_html(const std::vector<shapes::TraceStep>& trace) {
    std::string out =
        "<details><summary>Each step of the prediction</summary><table><tr><th>line</th><th>decision</th>"
        "<th>about</th><th>outcome</th><th>log probabilities</th></tr>\n";
    for (const shapes::TraceStep& step : trace) {
        std::string scores;
        for (const auto& [name, score] : step.scores)
            scores += fmt::format("{} {:.3f}&nbsp; ", escape_html(name), score);
        out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", step.line,
                           shapes::name_of(step.decision), escape_html(step.about), escape_html(step.outcome),
                           scores);
    }
    return out + "</table></details>\n";
}

std::string conditions_html(const std::vector<Condition>& conditions) {
    std::string out =
        fmt::format("<details><summary>The proof's {} cases</summary><table><tr><th>line</th><th>what</th>"
                    "<th>branches</th><th>from</th><th>to</th><th>verdict</th></tr>\n",
                    conditions.size());
    for (const Condition& c : conditions) {
        std::string path;
        for (const Turn& turn : c.path) path += fmt::format("{}{} ", turn.line, turn.taken ? "+" : "-");
        out += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>\n",
            c.position.line, condition_name(c.kind), path,
            escape_html(logic::print(c.left, logic::Reading::program, logic::Script::unicode)),
            formula_html(c.right),
            c.verdict == logic::Validity::valid     ? "valid"
            : c.verdict == logic::Validity::invalid ? "invalid"
                                                    : "unknown");
    }
    return out + "</table></details>\n";
}

std::string function_html(const FunctionReport& f) {
    std::string out = fmt::format("<h2>{} <span class={}>{}</span></h2>\n", escape_html(f.name),
                                  name_of(f.verdict), name_of(f.verdict));
    if (!f.reason.empty()) out += "<p>" + escape_html(f.reason) + "</p>\n";
    out += fmt::format("<p>requires {}{}</p>\n", formula_html(f.requires_),
                       f.requires_assumed ? " (assumed from the types)" : "");
    if (f.ensures)
        out += fmt::format("<p>ensures {}{}</p>\n", formula_html(*f.ensures),
                           f.ensures_inferred ? " (inferred)" : "");
    for (const std::string& assumption : f.assumptions)
        out += "<p>assumed: " + escape_html(assumption) + "</p>\n";
    if (f.bad_input) {
        out += "<h3>The input of the run that shows it, and the heap where it ends</h3>\n";
        out += heaps_html({*f.bad_input, f.bad_run->fault.heap});
    }
    for (const LoopReport& loop : f.loops) {
        out +=
            fmt::format("<h3>Loop at line {}</h3>\n<p>{} <span class={}>{}</span></p>\n", loop.position.line,
                        loop.invariant ? formula_html(*loop.invariant) : "no invariant was found",
                        loop.proved ? "proved" : "unknown", loop.proved ? "proved inductive" : "not proved");
        if (!loop.snapshots.empty())
            out +=
                "<details><summary>Some of its heaps</summary>" + heaps_html(loop.snapshots) + "</details>\n";
        if (!loop.trace.empty()) out += trace_html(loop.trace);
    }
    if (f.failure && f.failure->counter) {
        out += "<h3>A heap that the proof cannot rule out</h3>\n";
        out += heaps_html({*f.failure->counter});
    }
    if (!f.conditions.empty()) out += conditions_html(f.conditions);
    return out;
}

} // namespace

std::string verify_section(const ProgramReport& report) {
    std::string out = "<h1>" + escape_html(report.path) + "</h1>\n";
    std::string source;
    try {
        source = read_file(report.path, 1 << 20);
    } catch (const Error&) {
        // The page does without the text.
    }
    if (!source.empty())
        out += "<details><summary>The program</summary><pre>" + escape_html(source) + "</pre></details>\n";
    for (const FunctionReport& f : report.functions) out += function_html(f);
    return out;
}

std::string verify_page(const std::vector<std::string>& sections) {
    std::string out =
        std::string("<!doctype html><html lang=en><meta charset=utf-8><title>ggsnn verify</title><style>") +
        style + "</style>\n";
    for (const std::string& section : sections) out += section;
    return out + "</html>\n";
}

} // namespace ggsnn::verify
