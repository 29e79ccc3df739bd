#include "ggsnn/cli/verify.hpp"

#include "ggsnn/cli/exchange.hpp"
#include "ggsnn/cli/property.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/verify/verify_page.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <iterator>

namespace ggsnn::cli {

namespace {

std::string standard_input() {
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
}

// Nothing is written where nothing is known.
void write_witness(const VerifyCommand& command, const std::string& path, const verify::FileResult& result) {
    if (path.empty()) throw UsageError("--witness: it names a file, and standard input is none");
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> time{};
    std::strftime(time.data(), time.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    const std::string text = witness(result.report, result.outcome, path, read_file(path),
                                     property_of(command.property).specification, time.data());
    if (!text.empty()) write_file(command.witness, text);
}

} // namespace

int run_verify(const VerifyCommand& command) {
    const verify::Inference inference;
    verify::FileOptions file = command.file;
    file.page = !command.html.empty();
    file.replay = !command.replay.empty();
    const Property property = property_of(command.property);
    file.assertions = property.assertions;
    bool some_bad = false, some_unknown = false, replayed = command.replay.empty();
    OrderedJson all = OrderedJson::array();
    std::vector<verify::PageSection> sections;
    for (const std::string& path : command.inputs) {
        const bool piped = path == "-";
        verify::FileResult result = verify_file(
            piped ? "stdin" : path, piped ? std::optional(standard_input()) : std::nullopt, file, inference);
        if (!command.json) std::fputs(result.text.c_str(), stdout);
        if (property.asked && !command.json)
            std::printf("result: %s\n", result_line(result.outcome, result.report).c_str());
        if (!result.message.empty()) std::fprintf(stderr, "ggsnn: %s\n", result.message.c_str());
        some_bad = some_bad || result.outcome == verify::FileOutcome::bad;
        some_unknown = some_unknown || result.outcome == verify::FileOutcome::unknown;
        if (!replayed && !result.replay.empty()) {
            write_file(command.replay, result.replay);
            replayed = true;
        }
        if (!command.witness.empty()) write_witness(command, piped ? "" : path, result);
        sections.push_back(page_section(path, result));
        if (piped) result.report["file"] = path;
        all.push_back(std::move(result.report));
        std::fflush(stdout);
    }
    if (command.json) std::printf("%s\n", (all.size() == 1 ? all[0] : all).dump().c_str());
    if (!command.sarif.empty()) write_file(command.sarif, sarif({all.begin(), all.end()}));
    if (!command.html.empty()) write_file(command.html, verify::verify_page(sections));
    const verify::FileOutcome outcome = some_bad       ? verify::FileOutcome::bad
                                        : some_unknown ? verify::FileOutcome::unknown
                                                       : verify::FileOutcome::proved;
    return static_cast<int>(outcome);
}

} // namespace ggsnn::cli
