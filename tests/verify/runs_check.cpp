#include "runs_check.hpp"

#include "ggsnn/logic/satisfy.hpp"
#include "ggsnn/verify/run/runs.hpp"

#include <optional>

namespace ggsnn::verify {

namespace {

// Variables without a value, or freed, stand somewhere outside the heap, not just anywhere; and so do fields
// without a value, which a snapshot does not show.
logic::Heap with_undetermined(const Snapshot& snapshot) {
    logic::Heap heap = snapshot.heap;
    for (const std::string& name : snapshot.dead) heap.set_variable(name, heap.add_node(false));
    std::vector<std::string> fields = heap.fields;
    const std::vector<std::string>& known = logic::built_in_fields();
    fields.insert(fields.end(), known.begin(), known.end());
    const std::size_t count = heap.nodes.size();
    for (std::size_t n = 1; n < count; ++n)
        for (const std::string& field : fields)
            if (const int number = heap.field(field);
                heap.nodes[n].allocated && heap.target(static_cast<int>(n), number) < 0)
                heap.link(static_cast<int>(n), field, heap.add_node(false));
    return heap;
}

} // namespace

Agreement compare_with_runs(const Program& program, int function, const Contract& contract,
                            const ProofResult& proof, const InputOptions& options) {
    Agreement agreement;
    const logic::Checker after(contract.ensures);
    std::vector<std::optional<logic::Checker>> invariants;
    for (const LoopResult& loop : proof.loops) {
        invariants.emplace_back();
        if (loop.invariant) invariants.back().emplace(*loop.invariant);
    }
    for (const Input& input : make_inputs(program, function, contract.requires_, options)) {
        InterpretLimits limits;
        limits.steps = 5000;
        const Run run = interpret(program, function, input, limits);
        const std::string start = "from " + logic::heap_text(input_heap(program, function, input));
        if (is_no_answer(run.fault.kind) || run.guessed) continue;
        ++agreement.runs;
        // Blocks that nothing reaches may be meant by an existential of the postcondition, which is judged
        // below.
        if (is_error(run.fault.kind) && run.fault.kind != Fault::Kind::leak) {
            agreement.trouble = fmt::format("{} {}", fault_text(program, run.fault), start);
            return agreement;
        }
        for (const Snapshot& snapshot : run.snapshots) {
            if (snapshot.where == Snapshot::Where::entry || snapshot.call > 0) continue;
            const bool loop = snapshot.where == Snapshot::Where::loop;
            if (loop && !invariants[static_cast<std::size_t>(snapshot.loop)]) continue; // run through
            const logic::Checker& wanted =
                loop ? *invariants[static_cast<std::size_t>(snapshot.loop)] : after;
            const logic::Heap heap = with_undetermined(snapshot);
            if (wanted(heap) != logic::Truth::no) continue;
            agreement.trouble =
                fmt::format("{} does not hold on {} {}", loop ? "the invariant" : "the postcondition",
                            logic::heap_text(heap), start);
            return agreement;
        }
    }
    return agreement;
}

} // namespace ggsnn::verify
