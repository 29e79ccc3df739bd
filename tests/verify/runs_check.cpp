#include "verify/runs_check.hpp"

#include "logic/satisfy.hpp"

namespace ggsnn::verify {

namespace {

// Variables without a value, or freed, stand somewhere outside the heap, not just anywhere; and so do fields
// without a value, which a snapshot does not show.
logic::Heap with_undetermined(const Snapshot& snapshot) {
    logic::Heap heap = snapshot.heap;
    for (const std::string& name : snapshot.dead) heap.set_variable(name, heap.add_node(false));
    std::vector<std::string> fields = heap.fields;
    fields.insert(fields.end(), logic::standard_fields.begin(), logic::standard_fields.end());
    const std::size_t count = heap.nodes.size();
    for (std::size_t n = 1; n < count; ++n)
        for (const std::string& field : fields)
            if (const int number = heap.field(field);
                heap.nodes[n].allocated && heap.target(static_cast<int>(n), number) < 0)
                heap.link(static_cast<int>(n), field, heap.add_node(false));
    return heap;
}

} // namespace

std::string disagreement(const Program& program, int function, const Contract& contract,
                         const ProofResult& proof, const InputOptions& options) {
    const logic::Checker after(contract.ensures);
    std::vector<logic::Checker> invariants;
    for (const LoopResult& loop : proof.loops) invariants.emplace_back(*loop.invariant);
    for (const Input& input : make_inputs(program, function, contract.requires_, options)) {
        InterpretLimits limits;
        limits.steps = 5000;
        const Run run = interpret(program, function, input, limits);
        const std::string start = "from " + logic::heap_text(input_heap(program, function, input));
        if (run.fault.kind == Fault::Kind::limit || run.fault.kind == Fault::Kind::refused) continue;
        // Cells that nothing reaches may be meant by an existential of the postcondition, which is judged
        // below.
        if (!run.safe() && run.fault.kind != Fault::Kind::leak)
            return fmt::format("line {}: {} {}", run.fault.position.line, fault_name(run.fault.kind), start);
        for (const Snapshot& snapshot : run.snapshots) {
            if (snapshot.where == Snapshot::Where::entry || snapshot.call > 0) continue;
            const bool loop = snapshot.where == Snapshot::Where::loop;
            const logic::Checker& wanted = loop ? invariants[static_cast<std::size_t>(snapshot.loop)] : after;
            const logic::Heap heap = with_undetermined(snapshot);
            if (wanted(heap) == logic::Truth::no)
                return fmt::format("{} does not hold on {} {}", loop ? "the invariant" : "the postcondition",
                                   logic::heap_text(heap), start);
        }
    }
    return "";
}

} // namespace ggsnn::verify
