// The processes of one job, as mpirun -n N starts them: rank 0 reads, writes and prints for all, the others
// compute. All of MPI is behind this file. A process that mpirun did not start is a job of its own, and every
// call below does nothing at no cost.
//
// A rank that fails or dies ends the whole job: what the others wait for would never come.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace ggsnn {

class Ranks {
  public:
    // A job of one process, without MPI.
    Ranks() = default;
    // The job that this process belongs to. Call once, before anything else; the result lives as long as the
    // process. Throws Error if mpirun started several processes of a program that was built without MPI.
    static Ranks& start(int* argc, char*** argv);
    static Ranks& world(); // the same, once it was started
    static bool built();   // with MPI

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool first() const { return rank_ == 0; }
    bool alone() const { return size_ == 1; }
    // Cores for each rank of this machine.
    int threads() const;

    // All ranks must come to each of the following calls, in the same order.

    // Elementwise sums over the ranks, added in their order: the same bits on all ranks, and in every run
    // with as many of them.
    void sum(float* values, std::size_t count);
    void sum(double* values, std::size_t count);
    // Whether any rank says yes.
    bool any(bool mine);
    void broadcast(std::string& bytes);                        // those of rank 0, to all
    std::vector<std::string> gather(const std::string& bytes); // everyone's, on rank 0; elsewhere empty
    void barrier();

    // Messages to rank 0, from any thread: post returns at once, poll says whether there was one. All that
    // was posted must have been received before the job ends.
    void post(std::string bytes);
    bool poll(std::string& bytes);

    // Ends well: waits for the other ranks. Ends badly: stops them.
    void finish();
    [[noreturn]] void abort(int code);

  private:
    struct Outgoing;
    template <class T>
    void sum_in_order(T* values, std::size_t count);

    int rank_ = 0, size_ = 1, local_ = 1;
    std::mutex mutex_; // of MPI calls by several threads
    std::deque<std::shared_ptr<Outgoing>> outgoing_;
};

} // namespace ggsnn
