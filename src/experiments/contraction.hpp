// The paper's appendix A as an experiment: how much the state of a node depends on what a node at distance d
// began with, |dh_t / dh_s|, for the original graph neural network, whose propagation must be a contraction,
// and for the gated one, which need not be.
//
// The graph is a path 0 -> 1 -> ... -> n; s is its first node, t the node at distance d. The influence is the
// largest magnitude in the block of derivatives of h_t after some steps by the components of s at the start:
//   gnn   the block (t, s) of J^k, J the Jacobian at the fixed point, the largest over the numbers of steps
//         k = 1 .. 2n. Where the 1-norm of J is at most rho < 1, it is at most rho^d: the block is 0 for k <
//         d and no entry of J^k exceeds rho^k.
//   ggnn  of h_t after all T = n + 4 steps by the annotation x_s.
// Trained networks learn to copy: every node of a path answers with the number that its first node is given,
// one of six. (Not with one of two classes: a gated network stores those in saturated states, which carry
// them as far as needed with derivatives near 0.)
#pragma once

#include "ggsnn/experiments/jobs.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn {

struct ContractionOptions {
    int distance = 10;                                // the longest measured, n
    std::vector<double> rhos = {0.5, 0.7, 0.9, 0.95}; // mu of the contraction networks
    int state = 6;                                    // D, at least 2
    int networks = 5;    // random networks of a kind; the largest influence counts
    bool train = true;   // also trained networks
    long updates = 1000; // minibatches in training
    int restarts = 3;
    std::uint64_t seed = 1;
};

struct InfluencePoint {
    std::string network; // gnn-linear-random, gnn-neural-random, gnn-linear-trained, gnn-neural-trained,
                         // ggnn-random, ggnn-trained
    double rho; // gnn: mu, or in trained neural networks the 1-norm that J has; ggnn: 0, there is none
    int distance;
    double influence;
};

// A network to measure: its name as above, and mu (ggnn: 0).
struct ContractionCase {
    std::string network;
    double mu;
};
std::vector<ContractionCase> contraction_cases(const ContractionOptions& options);

// Points of each network by increasing distance, from 1. The same at any number of threads.
std::vector<InfluencePoint> measure_contraction(const ContractionOptions& options, ThreadPool& pool);

// The same as jobs whose results stay in cache/contraction. Throws Interrupted.
void run_contraction(const ContractionOptions& options, const std::string& cache, ThreadPool& pool,
                     Progress& progress, Ranks* ranks = nullptr);

struct InfluenceCurve {
    std::string network;
    double mu, rho;                // as in ContractionCase and InfluencePoint
    std::vector<double> influence; // by distance, from 1
    double seconds;
};

// All that is finished in the cache: of these options, or if there is nothing of them, of others.
std::vector<InfluenceCurve> finished_contraction(const ContractionOptions& options, const std::string& cache);

// Elements of results.json: as those of the tables, with nothing in what is about accuracy, and `rho` and
// `influence` (by distance, from 1) beside.
Json to_json(const std::vector<InfluenceCurve>& curves);

} // namespace ggsnn
