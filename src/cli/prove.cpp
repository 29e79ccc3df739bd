// ggsnn prove; see prove.hpp.
#include "ggsnn/cli/prove.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <new>

namespace ggsnn::cli {

namespace {

struct Outcome {
    std::string word; // what is printed as the answer
    logic::Answer answer;
    bool text = false; // of a text 'A |- B', not of a file
};

bool is_entailment(const std::string& input) {
    std::error_code ignored;
    if (input == "-" || std::filesystem::exists(input, ignored)) return false;
    return input.find("|-") != std::string::npos || input.find("⊢") != std::string::npos;
}

Outcome answer(const std::string& input, const logic::ProverLimits& limits, bool proof) {
    Outcome outcome;
    if (is_entailment(input)) {
        logic::Entailment entailment;
        try {
            entailment = logic::parse_entailment(input, logic::Reading::program);
        } catch (const logic::SyntaxError& error) {
            fail("'{}': {}", input, error.what());
        }
        outcome.answer = logic::prove(entailment.left, entailment.right, limits);
        outcome.text = true;
        outcome.word = outcome.answer.verdict == logic::Validity::valid     ? "valid"
                       : outcome.answer.verdict == logic::Validity::invalid ? "invalid"
                                                                            : "unknown";
        return outcome;
    }
    const std::string content = read_file(input, std::uint64_t{1} << 26);
    try {
        const logic::SmtProblem problem = logic::read_smtlib(content, limits);
        outcome.answer = proof ? logic::solve_with_proof(problem, limits) : logic::solve(problem, limits);
    } catch (const logic::SyntaxError& error) {
        fail("{}:{}:{}: {}", input, error.line, error.column, error.detail);
    }
    outcome.word = logic::smt_word(outcome.answer.verdict);
    return outcome;
}

// Where the memory of the machine ends before the limit, the other inputs are still answered.
Outcome answer_or_unknown(const std::string& input, const logic::ProverLimits& limits, bool proof) {
    try {
        return answer(input, limits, proof);
    } catch (const std::bad_alloc&) {
        Outcome outcome;
        outcome.word = "unknown";
        outcome.text = is_entailment(input);
        outcome.answer.reason = "there is not enough memory";
        return outcome;
    }
}

void print_plain(const std::string& input, const Outcome& outcome, const ProveOptions& options) {
    const std::string prefix = options.inputs.size() > 1 ? input + ": " : "";
    std::printf("%s%s\n", prefix.c_str(), outcome.word.c_str());
    if (outcome.answer.counter && (outcome.text || options.show_heap))
        std::printf("  %s%s%s\n", logic::heap_text(*outcome.answer.counter).c_str(),
                    outcome.answer.numbers.empty() ? "" : " | ", outcome.answer.numbers.c_str());
    std::fflush(stdout);
    if (outcome.answer.verdict == logic::Validity::unknown)
        std::fprintf(stderr, "%sunknown because %s\n", prefix.c_str(), outcome.answer.reason.c_str());
}

void print_json(const std::string& input, const Outcome& outcome, double seconds) {
    OrderedJson json;
    json["input"] = input;
    json["answer"] = outcome.word;
    if (outcome.answer.verdict == logic::Validity::unknown) json["reason"] = outcome.answer.reason;
    if (outcome.answer.counter) json["model"] = logic::heap_to_json(*outcome.answer.counter);
    if (!outcome.answer.numbers.empty()) json["numbers"] = outcome.answer.numbers;
    json["cases"] = outcome.answer.splits;
    json["seconds"] = std::round(seconds * 1e6) / 1e6;
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
    for (const std::string& input : options.inputs) {
        try {
            const std::clock_t start = std::clock();
            const Outcome outcome = answer_or_unknown(input, limits, !options.proof.empty());
            const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            if (options.json)
                print_json(input, outcome, seconds);
            else
                print_plain(input, outcome, options);
            if (!options.proof.empty()) write_proof(input, outcome, options.proof);
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
    return code;
}

} // namespace ggsnn::cli
