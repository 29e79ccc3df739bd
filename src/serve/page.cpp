#include "ggsnn/serve/page.hpp"

#include "ggsnn/base/html.hpp"
#include "ggsnn/logic/heap.hpp"

#define GGSNN_ASSET(symbol, file)                                                                            \
    __asm__(".section .rodata\n.balign 16\nggsnn_asset_" #symbol "_begin:\n.incbin \"" file                  \
            "\"\nggsnn_asset_" #symbol "_end:\n.byte 0\n.previous\n");                                       \
    extern "C" const char ggsnn_asset_##symbol##_begin[];                                                    \
    extern "C" const char ggsnn_asset_##symbol##_end[]

GGSNN_ASSET(html, GGSNN_WEB "/dist/index.html");
GGSNN_ASSET(script, GGSNN_WEB "/dist/app.js");
GGSNN_ASSET(style, GGSNN_WEB "/dist/app.css");
GGSNN_ASSET(openapi, GGSNN_WEB "/openapi.json");

namespace ggsnn::serve {

namespace {

std::string_view between(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

} // namespace

Asset asset(std::string_view name) {
    if (name == "index.html")
        return {between(ggsnn_asset_html_begin, ggsnn_asset_html_end), "text/html; charset=utf-8"};
    if (name == "app.js")
        return {between(ggsnn_asset_script_begin, ggsnn_asset_script_end), "text/javascript; charset=utf-8"};
    if (name == "app.css")
        return {between(ggsnn_asset_style_begin, ggsnn_asset_style_end), "text/css; charset=utf-8"};
    if (name == "pictures.css") return {logic::heap_style(), "text/css; charset=utf-8"};
    if (name == "openapi.json")
        return {between(ggsnn_asset_openapi_begin, ggsnn_asset_openapi_end), "application/json"};
    return {{}, ""};
}

// Inside <script> no text may hold "</script" or "<!--": JSON says < otherwise.
std::string standalone_page(const OrderedJson& view) {
    std::string data;
    for (const char c : view.dump(-1, ' ', false, OrderedJson::error_handler_t::replace))
        data += c == '<' ? std::string("\\u003c") : std::string(1, c);
    std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
                      "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\"><title>";
    out += escape_html(view.value("title", "ggsnn"));
    out += "</title>\n<style>";
    out += asset("pictures.css").content;
    out += asset("app.css").content;
    out += "</style><meta id=\"__________cytoscape_stylesheet\"></head>\n<body><div id=\"app\"></div>\n"
           "<script type=\"application/json\" id=\"given\">";
    out += data;
    out += "</script>\n<script type=\"module\">";
    out += asset("app.js").content;
    return out + "</script></body></html>\n";
}

} // namespace ggsnn::serve
