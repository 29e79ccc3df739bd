// Independent pieces of an experiment whose results are files: what is there from an earlier call is not
// computed again, so that an interrupted call goes on where it was. Shows how far the whole is and how long
// it will take. With several ranks each takes some of the jobs and rank 0 writes all results; the folder must
// be one that all of them see.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/base/progress.hpp"
#include "ggsnn/base/ranks.hpp"
#include "ggsnn/base/threads.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace ggsnn {

struct JobOutput {
    Json result;                                            // an object
    std::vector<std::pair<std::string, std::string>> files; // further files to keep: path, bytes
};

struct Job {
    std::string path; // of the result
    Json key;   // an object: what the result depends on. A file whose entries differ from these is not used.
    Json notes; // an object: written beside the result, not compared
    std::vector<std::string> files; // that must be there beside the result, or it is not used
    std::string title;              // for people
    double weight = 1;              // expected cost, in any unit that the jobs of one runner share
    // On one thread. ranks is null, or all ranks work on this job together.
    std::function<JobOutput(Ranks*)> work;
};

class JobRunner {
  public:
    // what: the jobs in a word, such as "runs". Pool, progress and ranks (null: this process alone) must
    // outlive it.
    JobRunner(std::string what, ThreadPool& pool, Progress& progress, Ranks* ranks = nullptr);

    // What will be asked for in all, for the time left; drop: some that turned out not to be needed.
    void expect(std::size_t count, double weight);
    void drop(std::size_t count, double weight);

    // Runs the jobs in parallel; results with keys and notes, in the order of the jobs, on all ranks. Throws
    // Interrupted, on all ranks.
    std::vector<Json> run(const std::vector<Job>& jobs);

  private:
    Json find(const Job& job);
    Json keep(const Job& job, JobOutput output);
    std::vector<Json> run_shared(const std::vector<Job>& jobs);
    void run_own(const std::vector<Job>& jobs, const std::vector<std::size_t>& missing,
                 std::vector<Json>& results);
    void report(const Job& job, const Json& result);

    std::string what_;
    ThreadPool& pool_;
    Progress& progress_;
    Ranks* ranks_;
    double began_;
    std::mutex mutex_; // of the counts
    std::size_t total_ = 0, done_ = 0;
    double weight_ = 0, done_weight_ = 0, fresh_weight_ = 0;
};

// The result in the file if it was made with this key; null otherwise.
Json find_result(const std::string& path, const Json& key);

// A number that tells files apart, as text.
std::string file_hash(const std::string& path);

// That this thread has used.
double processor_seconds();

} // namespace ggsnn
