#include "ggsnn/cli/verify.hpp"

#include "ggsnn/cli/exchange.hpp"
#include "ggsnn/cli/property.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/verify/read/read.hpp"
#include "ggsnn/verify/verify_page.hpp"

#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

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

// What is told of all files, in their order.
class Telling {
  public:
    explicit Telling(const VerifyCommand& command)
        : command_(command), property_(property_of(command.property)) {}

    void tell(const std::string& path, const std::string& shown, verify::FileResult result) {
        if (!result.usage.empty()) throw UsageError(result.usage);
        const bool piped = path == "-";
        if (!command_.json) std::fputs(result.text.c_str(), stdout);
        if (property_.asked && !command_.json)
            std::printf("result: %s\n", result_line(property_, result.outcome, result.report).c_str());
        if (!result.message.empty()) std::fprintf(stderr, "ggsnn: %s\n", result.message.c_str());
        some_bad_ = some_bad_ || result.outcome == verify::FileOutcome::bad;
        some_unknown_ = some_unknown_ || result.outcome == verify::FileOutcome::unknown;
        if (!command_.replay.empty() && !replayed_ && !result.replay.empty()) {
            write_file(command_.replay, result.replay);
            replayed_ = true;
        }
        if (!command_.witness.empty()) write_witness(command_, piped ? "" : path, result);
        sections_.push_back(page_section(piped ? "-" : shown, result));
        if (piped) result.report["file"] = path;
        all_.push_back(std::move(result.report));
        std::fflush(stdout);
    }

    verify::FileOutcome end() const {
        if (command_.json) std::printf("%s\n", (all_.size() == 1 ? all_[0] : all_).dump().c_str());
        if (!command_.sarif.empty()) write_file(command_.sarif, sarif({all_.begin(), all_.end()}));
        if (!command_.html.empty()) write_file(command_.html, verify::verify_page(sections_));
        return some_bad_       ? verify::FileOutcome::bad
               : some_unknown_ ? verify::FileOutcome::unknown
                               : verify::FileOutcome::proved;
    }

  private:
    const VerifyCommand& command_;
    const Property property_;
    bool some_bad_ = false, some_unknown_ = false, replayed_ = false;
    OrderedJson all_ = OrderedJson::array();
    std::vector<verify::PageSection> sections_;
};

// Names for people: without folders, unless that leaves several files with one name.
std::vector<std::string> shown_names(const std::vector<std::string>& inputs) {
    std::map<std::string, std::set<std::string>> files;
    const auto name = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
    for (const std::string& path : inputs) files[name(path)].insert(path);
    std::vector<std::string> shown;
    for (const std::string& path : inputs) shown.push_back(files[name(path)].size() > 1 ? path : name(path));
    return shown;
}

// The files of this rank: every so many-th. Standard input is the first rank's alone.
std::vector<std::size_t> own_files(const std::vector<std::string>& inputs, const Ranks& ranks) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto rank = inputs[i] == "-" ? 0 : i % static_cast<std::size_t>(ranks.size());
        if (rank == static_cast<std::size_t>(ranks.rank())) own.push_back(i);
    }
    return own;
}

// Results of other ranks: the number of the file before each, as JSON.
void exchange(const std::vector<std::size_t>& own, std::vector<verify::FileResult>& results, Ranks& ranks) {
    OrderedJson mine = OrderedJson::array();
    for (const std::size_t i : own) mine.push_back({i, verify::encoded(results[i])});
    for (const std::string& part : ranks.gather(mine.dump()))
        for (const auto& [i, text] :
             OrderedJson::parse(part).get<std::vector<std::pair<std::size_t, std::string>>>())
            results[i] = verify::decoded(text);
}

} // namespace

int run_verify(const VerifyCommand& given) {
    Ranks& ranks = Ranks::world();
    VerifyCommand command = given;
    if (command.inputs.empty() && command.file.compile_commands.empty())
        throw UsageError("programs is required: ggsnn verify FILE.., or --compile-commands");
    if (command.inputs.empty()) command.inputs = verify::project_files(command.file.compile_commands);
    const std::vector<std::string> shown = shown_names(command.inputs);
    const verify::Inference inference;
    Telling telling(command);
    verify::FileOptions file = command.file;
    file.page = !command.html.empty();
    file.replay = !command.replay.empty();
    const Property property = property_of(command.property);
    file.assertions = property.assertions;
    file.cleanup = property.cleanup;
    if (file.jobs == 0) file.jobs = ranks.threads();
    const std::vector<std::size_t> own = own_files(command.inputs, ranks);
    std::vector<verify::FileTask> tasks;
    for (const std::size_t i : own) {
        const bool piped = command.inputs[i] == "-";
        tasks.push_back({piped ? "stdin" : command.inputs[i],
                         piped ? std::optional(standard_input()) : std::nullopt, piped ? "" : shown[i]});
    }
    std::vector<verify::FileResult> results(command.inputs.size());
    verify::verify_files(tasks, file, inference, [&](std::size_t t, verify::FileResult result) {
        if (ranks.alone())
            telling.tell(command.inputs[own[t]], shown[own[t]], std::move(result));
        else
            results[own[t]] = std::move(result);
    });
    if (!ranks.alone()) exchange(own, results, ranks);
    if (!ranks.first()) return 0;
    for (std::size_t i = 0; !ranks.alone() && i < results.size(); ++i)
        telling.tell(command.inputs[i], shown[i], std::move(results[i]));
    return static_cast<int>(telling.end());
}

} // namespace ggsnn::cli
