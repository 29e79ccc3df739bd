// A partial run of Algorithm 1 or 2 on a group of heaps: where it stands, and how a decision takes it
// further.
#pragma once

#include "ggsnn/shapes/derive.hpp"
#include "ggsnn/shapes/search.hpp"

namespace ggsnn::shapes {

// One heap of a scope.
struct Site {
    std::shared_ptr<const logic::Heap> heap;
    int graph = 0;          // of the search's data sets
    std::vector<int> nodes; // by name of the scope; -1: the name is NULL or another name here, or has no node
    Marks marks;
    int parent = -1;         // body: site of the scope around it
    std::vector<int> origin; // body: nodes of the parent's heap
};

// The outermost formula, or a body.
struct Scope {
    std::vector<std::string> names; // variables or the body's parameter, then existentials
    std::size_t bound = 0;          // how many are not existentials
    // Existentials of which nothing more is said: last cells, and where links back lead.
    struct Extra {
        std::string name;
        std::vector<int> nodes; // by site; -1: none
        bool last = false;      // a last cell of some structure
    };
    std::vector<Extra> extra;
    std::vector<Site> sites;
    logic::SymbolicHeap shape; // so far
    std::size_t current = 0;   // name that is described
    logic::Atom atom;          // its structure, so far
};

// How a decision may turn out. For nodes and annotations, site by site.
struct Outcome {
    int choice = 0;                      // class; end: name, or -1 for NULL
    std::vector<std::vector<int>> nodes; // pick: one node a site (none: empty). explain: a class per node
    double score = 0;
    std::string text;
};

class Hypothesis {
  public:
    // Names that do not stand for a node of their own in any heap are settled by equalities at once.
    Hypothesis(Grammar grammar, std::vector<Site> sites, const logic::Heap& first);

    bool finished() const { return stack_.empty(); }
    Decision waiting() const { return waiting_; }
    double score() const { return score_; }
    // Sites that the waiting decision is asked about, in order.
    const std::vector<std::size_t>& asked() const { return asked_; }
    const Scope& scope() const { return stack_.back(); }
    // The outcomes worth following, best first, at most `width`; `answers` has a prediction for each asked
    // site.
    std::vector<Outcome> outcomes(const std::vector<const Prediction*>& answers, int width);
    // `make_site` gives the graph of a heap that was not there before.
    using MakeSite = std::function<Site(std::shared_ptr<const logic::Heap>)>;
    void take(const Outcome& outcome, const MakeSite& make_site);

    void begin_trace() { tracing_ = true; }
    Candidate result() &&;

  private:
    void begin_scope();
    void begin_name();
    void next_name();
    void close_scope();
    void wait_for(Decision decision);
    void read_off(const std::string& end);
    int node_of(const Scope& scope, const Site& site, std::size_t name) const;
    std::string name_at(const std::vector<int>& nodes, bool last);
    void bind_extra(Scope& scope) const;
    void finish_atom(const MakeSite& make_site, const Outcome& outcome);
    void trace(const Outcome& outcome);
    void apply(const Outcome& outcome, const MakeSite& make_site);
    std::string so_far() const;
    std::string fresh(const char* stem);
    std::vector<Outcome> class_outcomes(const std::vector<const Prediction*>& answers,
                                        const Vocabulary& classes) const;
    std::vector<Outcome> pick_outcomes(const std::vector<const Prediction*>& answers, int width) const;
    std::vector<Outcome> end_outcomes(const std::vector<const Prediction*>& answers) const;
    std::vector<Outcome> explain_outcomes(const std::vector<const Prediction*>& answers) const;

    Grammar grammar_;
    bool nested_, tracing_ = false;
    std::vector<Scope> stack_;
    Decision waiting_ = Decision::quantify;
    std::vector<std::size_t> asked_;
    double score_ = 0;
    int fresh_names_ = 0;
    std::vector<std::string> taken_; // names of variables
    logic::SymbolicHeap finished_;
    std::vector<TraceStep> trace_;
    std::vector<std::pair<std::string, double>> offered_; // to the waiting decision, if tracing
};

} // namespace ggsnn::shapes
