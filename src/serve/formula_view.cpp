#include "ggsnn/logic/prover.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "ggsnn/logic/statements.hpp"
#include "ggsnn/serve/views.hpp"

namespace ggsnn::serve {

namespace {

constexpr std::size_t most_drawn = 150;

OrderedJson drawn_heap(const logic::Heap& heap, const std::vector<std::string>& labels) {
    return {{"svg", heap.nodes.size() > most_drawn ? "" : logic::heap_svg(heap, false, labels)},
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
    if (answer.counter) out["heap"] = drawn_heap(*answer.counter, answer.labels);
}

// A question without definitions, as it was read.
void add_question(OrderedJson& out, const std::string& text, bool entails) {
    if (!entails) {
        out["kind"] = "formula";
        out["formula"] = shown(logic::parse_formula(text, logic::Reading::program));
        return;
    }
    const logic::Entailment entailment = logic::parse_entailment(text, logic::Reading::program);
    out["kind"] = "entailment";
    out["left"] = shown(entailment.left);
    out["right"] = shown(entailment.right);
}

OrderedJson statement_answers(const std::vector<logic::TextAnswer>& answers) {
    OrderedJson all = OrderedJson::array();
    for (const logic::TextAnswer& one : answers) {
        OrderedJson& json = all.emplace_back(OrderedJson{{"question", one.text}});
        add_answer(json, one.word, one.answer);
    }
    if (all.empty()) fail("there are definitions and no question; expected 'A |- B' or a formula after them");
    return {{"kind", "statements"}, {"answers", all}};
}

} // namespace

OrderedJson formula_answer(const std::string& text, double seconds) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        fail("nothing was written; expected an entailment such as ls(x,y) * ls(y,NULL) |- ls(x,NULL)");
    logic::ProverLimits limits;
    limits.seconds = seconds;
    OrderedJson out;
    try {
        if (logic::is_smtlib(text)) {
            const logic::Answer answer = logic::solve(logic::read_smtlib(text, limits), limits);
            out["kind"] = "smt-lib";
            add_answer(out, logic::smt_word(answer.verdict), answer);
            return out;
        }
        logic::ProofTree tree;
        const std::vector<logic::TextAnswer> answers = logic::answer_text(text, limits, &tree);
        if (logic::has_statements(text)) return statement_answers(answers);
        const logic::TextAnswer& one = answers.at(0);
        add_question(out, text, one.entailment);
        add_answer(out, one.word, one.answer);
        if (one.entailment) out["tree"] = tree_json(tree);
    } catch (const logic::SyntaxError& error) {
        throw Error(fmt::format("line {}, column {}: {}", error.line, error.column, error.detail));
    }
    return out;
}

} // namespace ggsnn::serve
