// Lanes: how the work on a minibatch is divided so that its sums have one order. Each lane has a gradient of
// its own, and the lanes' gradients are added up in order; which lane does what depends on the examples
// alone, never on the number of threads.
#pragma once

#include "ggsnn/base/threads.hpp"
#include "ggsnn/nn/kernels/buffer.hpp"

#include <algorithm>
#include <vector>

namespace ggsnn {

template <class T>
struct Scratch {
    Buffer<T> sums, degrees, a, g, rh, dg, drh, da, other;
    Buffer<T> lanes; // narrow: the gates' gradient before its lanes are added up
};

// Rows that no one else works on at the same time, with a gradient of its own and scratch memory. Either
// one lane does all (a chunk of small graphs, one thread), or a large graph's rows are split over a fixed
// number of lanes that a pool of threads shares. The split depends on the number of rows alone, so results
// do not depend on the number of threads.
template <class T>
struct Lane {
    Buffer<T> gradient; // as large as the network's gradient_size(); the owner zeroes it

    Scratch<T>& scratch() { return worker != nullptr ? *worker : own; }
    Scratch<T> own;
    Scratch<T>* worker = nullptr; // set while workers use theirs instead, being fewer than lanes
};

template <class T>
struct Team {
    std::vector<Lane<T>>* lanes = nullptr;
    int first_lane = 0, lane_count = 1;
    ThreadPool* pool = nullptr; // used when lane_count > 1

    static constexpr int block_rows = 256;

    struct Borrowed {
        Lane<T>& lane;
        Borrowed(Lane<T>& l, Scratch<T>* from) : lane(l) { lane.worker = from; }
        ~Borrowed() { lane.worker = nullptr; }
        Borrowed(const Borrowed&) = delete;
        Borrowed& operator=(const Borrowed&) = delete;
    };

    Lane<T>& lane(int i) const { return (*lanes)[first_lane + i]; }

    // body(lane, first row, last row) over blocks of rows; blocks of a lane in increasing order.
    template <class Body>
    void for_rows(int rows, Body&& body) const {
        if (lane_count == 1) {
            body(lane(0), 0, rows);
            return;
        }
        const int blocks = (rows + block_rows - 1) / block_rows;
        pool->run(lane_count, [&](std::size_t l, int worker) {
            Lane<T>& mine = lane(static_cast<int>(l));
            const Borrowed borrowed(mine, pool->workers() < lane_count ? &lane(worker).own : nullptr);
            const int begin = static_cast<int>(static_cast<long>(blocks) * static_cast<long>(l) / lane_count);
            const int end =
                static_cast<int>(static_cast<long>(blocks) * static_cast<long>(l + 1) / lane_count);
            for (int b = begin; b < end; ++b)
                body(mine, b * block_rows, std::min(rows, (b + 1) * block_rows));
        });
    }
};

} // namespace ggsnn
