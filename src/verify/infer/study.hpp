// All about one function: its runs, candidates for invariants and postconditions, and its proof.
#pragma once

#include "ggsnn/verify/verify.hpp"

#include <unordered_map>

namespace ggsnn::verify {

class Study {
  public:
    // called: by other functions, so that its postcondition matters. All references must outlive it.
    Study(const Program& program, int number, bool called, const Inference& inference,
          const VerifyOptions& options, const Deadline& deadline, FunctionReport& report);

    // Runs the function; false if there is a verdict already.
    bool run();
    // Candidates for the contract, best first.
    std::vector<logic::Formula> postconditions();
    void infer_loops();
    // With these contracts, the own one among them; true if proved.
    bool prove(const Contracts& contracts, Entailments& entailments);
    // Of main: every loop run through, round by round.
    bool prove_by_running(const Contracts& contracts, Entailments& entailments);

    const std::set<int>& callees() const { return callees_; }
    // By the last call of prove(), under the contracts given to it.
    bool proved() const { return proved_; }

  private:
    std::vector<logic::Formula> of_result(const std::vector<logic::Formula>& candidates) const;
    bool keeps_promise(const Runs& runs);
    void collect(const Runs& runs);
    std::vector<std::vector<std::string>> views(std::size_t l) const;
    void take(ProofResult result);
    void tell_unreached(const std::set<int>& entered);
    bool refine();
    ProofOptions proof_options() const;

    const Program& program_;
    const Function& function_;
    int number_;
    bool called_;
    const Inference& inference_;
    const VerifyOptions& options_;
    const Deadline& deadline_;
    FunctionReport& report_;
    std::vector<std::vector<char>> live_;
    std::vector<char> assigned_;
    std::vector<std::vector<logic::Heap>> at_loop_;
    std::vector<logic::Heap> at_return_;
    // By loop, of candidates without pure parts, which a proof may drop.
    std::vector<std::unordered_map<logic::Formula, FoundBy, logic::FormulaHash>> sources_;
    std::vector<Failure> failures_;
    std::vector<std::pair<int, logic::Heap>> told_; // counter-heaps that became snapshots, by loop
    std::set<int> callees_;
    bool proved_ = false;
};

// The contract with tags; nothing, with the reason in trouble, if it cannot be typed.
std::optional<Contract> typed_contract(const Program& program, int function, const logic::Formula& requires_,
                                       const logic::Formula& ensures, std::string& trouble);

} // namespace ggsnn::verify
