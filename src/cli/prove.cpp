// ggsnn prove; see prove.hpp.
#include "ggsnn/cli/prove.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "ggsnn/logic/statements.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <new>

namespace ggsnn::cli {

namespace {

struct Outcome {
    std::string word; // what is printed as the answer
    logic::Answer answer;
    bool text = false;    // of a text, not of an SMT-LIB file
    std::string question; // of a text
    double seconds = 0;   // of processor time
};

// A text, not the name of a file.
bool is_text(const std::string& input) {
    std::error_code ignored;
    if (input == "-" || std::filesystem::exists(input, ignored)) return false;
    const auto has = [&](const char* part) { return input.find(part) != std::string::npos; };
    return has("|-") || has("⊢") || has(":=") || has("(");
}

std::vector<Outcome> answers_of_text(const std::string& text, const logic::ProverLimits& limits) {
    std::vector<Outcome> outcomes;
    for (logic::TextAnswer& one : logic::answer_text(text, limits))
        outcomes.push_back(
            {std::move(one.word), std::move(one.answer), true, std::move(one.text), one.seconds});
    if (outcomes.empty()) throw logic::SyntaxError(1, 1, "found no question, expected 'A |- B' or a formula");
    return outcomes;
}

std::vector<Outcome> answer(const std::string& input, const logic::ProverLimits& limits, bool proof) {
    if (is_text(input)) {
        try {
            return answers_of_text(input, limits);
        } catch (const logic::SyntaxError& error) {
            fail("'{}': {}", input, error.what());
        }
    }
    const std::string content = input == "-" ? std::string(std::istreambuf_iterator<char>(std::cin), {})
                                             : read_file(input, std::uint64_t{1} << 26);
    try {
        if (!input.ends_with(".smt2") && !logic::is_smtlib(content)) return answers_of_text(content, limits);
        const std::clock_t start = std::clock();
        Outcome outcome;
        const logic::SmtProblem problem = logic::read_smtlib(content, limits);
        outcome.answer = proof ? logic::solve_with_proof(problem, limits) : logic::solve(problem, limits);
        outcome.word = logic::smt_word(outcome.answer.verdict);
        outcome.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        return {outcome};
    } catch (const logic::SyntaxError& error) {
        fail("{}:{}:{}: {}", input, error.line, error.column, error.detail);
    }
}

// Where the memory of the machine ends before the limit, the other inputs are still answered.
std::vector<Outcome> answer_or_unknown(const std::string& input, const logic::ProverLimits& limits,
                                       bool proof) {
    try {
        return answer(input, limits, proof);
    } catch (const std::bad_alloc&) {
        Outcome outcome;
        outcome.word = "unknown";
        outcome.text = is_text(input);
        outcome.answer.reason = "there is not enough memory";
        return {outcome};
    }
}

// asked: what the answer is to, if there are several; empty: the only one.
void print_plain(const std::string& asked, const Outcome& outcome, const ProveOptions& options) {
    const std::string prefix = asked.empty() ? "" : asked + ": ";
    std::printf("%s%s\n", prefix.c_str(), outcome.word.c_str());
    if (outcome.answer.counter && (outcome.text || options.show_heap))
        std::printf("  %s%s%s\n", logic::heap_text(*outcome.answer.counter).c_str(),
                    outcome.answer.numbers.empty() ? "" : " | ", outcome.answer.numbers.c_str());
    std::fflush(stdout);
    if (outcome.answer.verdict == logic::Validity::unknown)
        std::fprintf(stderr, "%sunknown because %s\n", prefix.c_str(), outcome.answer.reason.c_str());
}

void print_json(const std::string& input, const Outcome& outcome) {
    OrderedJson json;
    json["input"] = input;
    if (outcome.text && outcome.question != input) json["question"] = outcome.question;
    json["answer"] = outcome.word;
    if (outcome.answer.verdict == logic::Validity::unknown) json["reason"] = outcome.answer.reason;
    if (outcome.answer.counter) json["model"] = logic::heap_to_json(*outcome.answer.counter);
    if (!outcome.answer.numbers.empty()) json["numbers"] = outcome.answer.numbers;
    json["cases"] = outcome.answer.splits;
    json["seconds"] = std::round(outcome.seconds * 1e6) / 1e6;
    std::printf("%s\n", json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
}

void write_proof(const std::string& input, const Outcome& outcome, const std::string& path) {
    if (outcome.answer.verdict != logic::Validity::valid) return;
    if (outcome.answer.proof.empty())
        fail("{}: no proof was found that could be written to {}: --proof is for entailments in files, and "
             "more time may help (--timeout)",
             input, path);
    write_file(path, outcome.answer.proof);
}

} // namespace

int run_prove(const ProveOptions& options) {
    if (options.inputs.empty()) throw UsageError("prove needs a file or a text 'A |- B'");
    if (!(options.timeout > 0))
        throw UsageError(fmt::format("--timeout is {}, expected more than 0", options.timeout));
    if (!(options.memory > 0))
        throw UsageError(fmt::format("--memory is {}, expected more than 0", options.memory));
    if (!options.proof.empty() && options.inputs.size() > 1)
        throw UsageError(fmt::format("--proof is for one input, found {}", options.inputs.size()));
    logic::ProverLimits limits;
    limits.seconds = options.timeout;
    limits.bytes = static_cast<std::uint64_t>(std::min(options.memory, 1e6) * 1048576.0);
    int code = 0;
    bool drawn = false;
    for (const std::string& input : options.inputs) {
        try {
            const std::vector<Outcome> outcomes = answer_or_unknown(input, limits, !options.proof.empty());
            for (const Outcome& outcome : outcomes) {
                const std::string asked = outcomes.size() > 1         ? outcome.question
                                          : options.inputs.size() > 1 ? input
                                                                      : "";
                if (options.json)
                    print_json(input, outcome);
                else
                    print_plain(asked, outcome, options);
                if (!options.svg.empty() && outcome.answer.counter) {
                    write_file(options.svg,
                               logic::heap_svg(*outcome.answer.counter, true, outcome.answer.labels));
                    drawn = true;
                }
                if (!options.proof.empty()) write_proof(input, outcome, options.proof);
            }
        } catch (const Error& error) {
            code = 1;
            if (options.json) {
                const OrderedJson json{{"input", input}, {"error", error.what()}};
                std::printf("%s\n", json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).c_str());
            }
            std::fflush(stdout);
            std::fprintf(stderr, "ggsnn: %s\n", error.what());
        }
    }
    if (!options.svg.empty() && !drawn)
        std::fprintf(stderr, "no heap was found: %s is not written\n", options.svg.c_str());
    return code;
}

} // namespace ggsnn::cli
