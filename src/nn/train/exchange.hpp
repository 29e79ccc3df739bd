// Names that are exchanged in training. Where words are both types of edges and answers ("the way from A to
// D?": `n, e` along edges `n` and `e`), a network has to learn for each of them anew what holds for all: what
// an edge is, and that its name is the answer. Copies of each graph with such names exchanged at random, in
// edges and answers alike, show it. That names mean nothing but themselves is a guess, and wrong where, say,
// a detour north is not a detour east: every third run keeps them, and validation chooses.
#pragma once

#include "ggsnn/nn/train/options.hpp"

#include "ggsnn/nn/dataset.hpp"

#include <optional>
#include <utility>

namespace ggsnn {

// (edge type, class) of each name that is both, and no question type.
std::vector<std::pair<int, int>> exchangeable_names(const Schema& schema);

// The data with up to options.exchanged copies of each graph and its questions behind it, each copy with
// another exchange of names; the same for the same seed. Nothing where there is nothing to exchange.
std::optional<Dataset> with_exchanged_names(const Dataset& train, const TrainOptions& options);

// Whether this run learns from copies, too; all do where nothing validates.
inline bool exchanges(int restart, bool validated) {
    return !validated || restart % 3 != 2;
}

} // namespace ggsnn
