// Proves an entailment of separation logic, and shows a heap that breaks another. `unknown` is an answer,
// too, and carries its reason.
#include <ggsnn/logic/formula.hpp>
#include <ggsnn/logic/prover.hpp>

#include <cstdio>

using namespace ggsnn::logic;

static Validity ask(const char* text) {
    const Entailment problem = parse_entailment(text, Reading::program);
    const Answer answer = prove(problem.left, problem.right);
    switch (answer.verdict) {
    case Validity::valid:
        std::printf("%s: valid\n", text);
        break;
    case Validity::invalid:
        std::printf("%s: invalid, as in %s\n", text, heap_text(*answer.counter).c_str());
        break;
    case Validity::unknown:
        std::printf("%s: unknown, because %s\n", text, answer.reason.c_str());
        break;
    }
    return answer.verdict;
}

int main() {
    const bool joined = ask("ls(x, y) * ls(y, NULL) |- ls(x, NULL)") == Validity::valid;
    const bool open = ask("ls(x, y) |- ls(x, NULL)") == Validity::invalid;
    return joined && open ? 0 : 1;
}
