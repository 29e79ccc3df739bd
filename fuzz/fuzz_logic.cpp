// libFuzzer target for the readers of src/logic and the prover behind them. The first byte chooses the
// reader. Found is: a crash, a sanitizer report, an exception other than Error, a formula that does not print
// and parse back, or an `invalid` whose heap the satisfaction check does not confirm.
#include "ggsnn/logic/heap.hpp"
#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/logic/smtlib.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace ggsnn;
using namespace ggsnn::logic;

namespace {

ProverLimits limits() {
    ProverLimits limits;
    limits.seconds = 0.05;
    limits.bytes = std::uint64_t{1} << 24;
    return limits;
}

void fuzz_formula(std::string_view text, Reading reading) {
    const Formula formula = parse_formula(text, reading);
    const std::string printed = print(formula, reading);
    GGSNN_ASSERT(print(parse_formula(printed, reading), reading) == printed);
    if (text.size() < 300) GGSNN_ASSERT(canonically_equal(formula, canonical(formula)));
}

void fuzz_entailment(std::string_view text) {
    const Entailment e = parse_entailment(text, Reading::program);
    const Answer answer = prove(e.left, e.right, limits());
    if (answer.verdict != Validity::invalid) return;
    GGSNN_ASSERT(satisfies(*answer.counter, e.left, SatisfyLimits{100000}) != Truth::no);
    GGSNN_ASSERT(satisfies(*answer.counter, e.right, SatisfyLimits{100000}) != Truth::yes);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    try {
        switch (data[0] % 5) {
        case 0:
            fuzz_formula(text, Reading::program);
            break;
        case 1:
            fuzz_formula(text, Reading::shape);
            break;
        case 2:
            fuzz_entailment(text);
            break;
        case 3:
            solve(read_smtlib(text), limits());
            break;
        case 4:
            heap_text(heap_from_json(parse_json(text, {"input", 1}), {"input", 1}));
            break;
        }
    } catch (const Error&) { // bad input, said so
    }
    return 0;
}
