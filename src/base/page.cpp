#include "ggsnn/base/page.hpp"

#include "ggsnn/base/html.hpp"

namespace ggsnn {

namespace {

constexpr const char* light =
    "color-scheme:light;--paper:#fff;--ink:#1b2230;--soft:#556070;--line:#5b6472;--edge:#d5dbe5;"
    "--code:#f0f3f8;--accent:#0b5d53;--link:#1f5fd0;--good:#14783f;--good-paper:#e4f5ea;"
    "--bad:#b3261e;--bad-paper:#fdebe9;--open:#855300;--open-paper:#fff3da;";
constexpr const char* dark =
    "color-scheme:dark;--paper:#171b22;--ink:#e7ebf2;--soft:#a9b3c2;--line:#9aa6b8;--edge:#38414f;"
    "--code:#252c38;--accent:#6fd3c1;--link:#8ab4ff;--good:#6fd39a;--good-paper:#14301f;"
    "--bad:#ff9b92;--bad-paper:#3d1c1a;--open:#f3c06b;--open-paper:#3a2c10;--cell:#2a3650;"
    "--cell-edge:#8fb0f0;--explained:#1d4a35;--explained-edge:#6fd39a;--active:#6b5208;"
    "--active-edge:#ffd25e;--chosen:#ff9a5c;--chart:brightness(1.5);";

constexpr const char* common = R"(
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.3rem; margin-top: 2.6rem; padding-top: .8rem; border-top: 1px solid var(--edge); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; } p { margin: .5rem 0; } a { color: var(--link); }
code, pre { font: .875rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; } code { background: var(--code); border-radius: 4px; padding: .05rem .3rem; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .8rem; overflow-x: auto; border-radius: 8px; }
.scroll { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; margin: .8rem 0; } .scroll table { margin: 0; }
th, td { padding: .35rem .9rem .35rem 0; text-align: right; vertical-align: top; border-bottom: 1px solid var(--edge); }
th:first-child, td:first-child, .text { text-align: left !important; } thead th { vertical-align: bottom; border-bottom: 2px solid var(--line); }
td:not(.text):not(:first-child) { white-space: nowrap; } .cases td, .programs td { white-space: normal !important; }
.pair { display: flex; flex-wrap: wrap; gap: .5rem; } .charts polyline, .charts circle, .charts rect { filter: var(--chart, none); }
.good, .proved { color: var(--good); font-weight: 600; } .low, .unsafe { color: var(--bad); font-weight: 600; } .unknown { color: var(--open); font-weight: 600; }
.note { color: var(--soft); font-size: .92rem; }
.charts, .heaps { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; } figure { margin: 0; max-width: 100%; } svg { max-width: 100%; height: auto; }
figcaption { font-size: .85rem; color: var(--soft); max-width: 28rem; overflow-wrap: anywhere; }
.heaps > svg, .heaps figure { border: 1px solid var(--edge); border-radius: 8px; padding: .3rem; }
details { margin: .5rem 0; } summary { cursor: pointer; }
.contents { background: var(--code); border-radius: 10px; padding: .8rem 1.2rem; margin: 1rem 0; } .contents h2 { margin: 0 0 .3rem; padding: 0; border: 0; font-size: 1.05rem; }
.contents ol, .contents ul { margin: 0; padding-left: 1.3rem; columns: 20rem auto; } .contents li { break-inside: avoid; padding: .05rem 0; }
@media (max-width: 640px) { body { padding: 1rem .8rem 3rem; font-size: 15px; } th, td { padding-right: .6rem; } }
@media print { body { max-width: none; } details > * { display: block; } }
)";

} // namespace

std::string html_page(const std::string& title, const std::string& body, const std::string& style) {
    std::string out =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"><title>";
    out += escape_html(title) + "</title>\n<style>:root{" + light +
           "}@media (prefers-color-scheme:dark){:root:not("
           "[data-theme=light]){" +
           dark + "}}:root[data-theme=dark]{" + dark + "}" + common + style;
    return out + "</style></head>\n<body>\n" + body + "</body></html>\n";
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

} // namespace ggsnn
