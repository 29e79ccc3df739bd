// Proves an entailment of separation logic, and shows a heap that breaks another. `unknown` is an answer,
// too, and carries its reason.
#include <ggsnn/logic/formula.hpp>
#include <ggsnn/logic/prover.hpp>

#include <cstdio>

using namespace ggsnn::logic;

static Verdict ask(const char* text) {
    const Entailment problem = parse_entailment(text, Reading::program);
    const Answer answer = prove(problem.left, problem.right);
    switch (answer.verdict) {
    case Verdict::valid:
        std::printf("%s: valid\n", text);
        break;
    case Verdict::invalid:
        std::printf("%s: invalid, as in %s\n", text, heap_text(*answer.counter).c_str());
        break;
    case Verdict::unknown:
        std::printf("%s: unknown, because %s\n", text, answer.reason.c_str());
        break;
    }
    return answer.verdict;
}

int main() {
    const bool joined = ask("ls(x, y) * ls(y, NULL) |- ls(x, NULL)") == Verdict::valid;
    const bool open = ask("ls(x, y) |- ls(x, NULL)") == Verdict::invalid;
    return joined && open ? 0 : 1;
}
