#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "ggsnn/serve/views.hpp"

namespace ggsnn::serve {

namespace {

constexpr std::size_t most_drawn = 150;

OrderedJson drawn_heap(const logic::Heap& heap) {
    return {{"svg", heap.nodes.size() > most_drawn ? "" : logic::heap_svg(heap, false)},
            {"text", logic::heap_text(heap)},
            {"heap", logic::heap_to_json(heap)}};
}

OrderedJson tree_json(const logic::ProofTree& tree) {
    OrderedJson steps = OrderedJson::array();
    for (const logic::ProofStep& step : tree.steps)
        steps.push_back({{"parent", step.parent},
                         {"because", step.because},
                         {"state", step.state},
                         {"outcome", step.outcome}});
    return {{"steps", steps}, {"cut", tree.cut}};
}

std::string shown(const logic::Formula& formula) {
    return logic::print(formula, logic::Reading::program, logic::Script::unicode);
}

void add_answer(OrderedJson& out, const std::string& verdict, const logic::Answer& answer) {
    out["verdict"] = verdict;
    out["reason"] = answer.verdict == logic::Validity::unknown ? answer.reason : "";
    out["cases"] = answer.splits;
    out["numbers"] = answer.numbers;
    if (answer.counter) out["heap"] = drawn_heap(*answer.counter);
}

const char* word(logic::Validity verdict, const char* yes, const char* no) {
    return verdict == logic::Validity::valid ? yes : verdict == logic::Validity::invalid ? no : "unknown";
}

} // namespace

OrderedJson formula_answer(const std::string& text, double seconds) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        fail("nothing was written; expected an entailment such as ls(x,y) * ls(y,NULL) |- ls(x,NULL)");
    logic::ProverLimits limits;
    limits.seconds = seconds;
    OrderedJson out;
    try {
        if (text.find("(set-logic") != std::string::npos || text.find("(check-sat") != std::string::npos) {
            const logic::Answer answer = logic::solve(logic::read_smtlib(text, limits), limits);
            out["kind"] = "smt-lib";
            add_answer(out, logic::smt_word(answer.verdict), answer);
            return out;
        }
        if (text.find("|-") == std::string::npos && text.find("⊢") == std::string::npos) {
            const logic::Formula formula = logic::parse_formula(text, logic::Reading::program);
            out["kind"] = "formula";
            out["formula"] = shown(formula);
            const logic::Answer answer = logic::refute(formula, limits);
            add_answer(out, word(answer.verdict, "unsatisfiable", "satisfiable"), answer);
            return out;
        }
        const logic::Entailment entailment = logic::parse_entailment(text, logic::Reading::program);
        logic::ProofTree tree;
        const logic::Answer answer = logic::prove(entailment.left, entailment.right, limits, &tree);
        out["kind"] = "entailment";
        out["left"] = shown(entailment.left);
        out["right"] = shown(entailment.right);
        add_answer(out, word(answer.verdict, "valid", "invalid"), answer);
        out["tree"] = tree_json(tree);
    } catch (const logic::SyntaxError& error) {
        throw Error(fmt::format("line {}, column {}: {}", error.line, error.column, error.detail));
    }
    return out;
}

} // namespace ggsnn::serve
