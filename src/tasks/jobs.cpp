#include "tasks/jobs.hpp"

#include "base/files.hpp"

#include <filesystem>

namespace ggsnn {

JobRunner::JobRunner(std::string what, ThreadPool& pool, Progress& progress)
    : what_(std::move(what)), pool_(pool), progress_(progress), began_(progress.seconds()) {}

void JobRunner::expect(std::size_t count, double weight) {
    const std::lock_guard lock(mutex_);
    total_ += count;
    weight_ += weight;
}

void JobRunner::drop(std::size_t count, double weight) {
    const std::lock_guard lock(mutex_);
    total_ -= count;
    weight_ -= weight;
}

std::vector<Json> JobRunner::run(const std::vector<Job>& jobs) {
    std::vector<Json> results(jobs.size());
    pool_.run(jobs.size(), [&](std::size_t i, int) {
        if (interrupted()) return;
        try {
            results[i] = run_one(jobs[i]);
        } catch (const Interrupted&) {
        }
    });
    if (interrupted()) throw Interrupted("interrupted; the same command goes on from here");
    return results;
}

Json JobRunner::run_one(const Job& job) {
    Json result = find_result(job.path, job.key);
    for (const std::string& file : job.files)
        if (!std::filesystem::exists(file)) result = nullptr;
    const bool fresh = result.is_null();
    if (fresh) {
        JobOutput output = job.work();
        result = std::move(output.result);
        result.update(job.notes);
        result.update(job.key);
        for (const auto& [path, bytes] : output.files) write_file(path, bytes);
        std::filesystem::create_directories(std::filesystem::path(job.path).parent_path());
        write_file(job.path, result.dump(1));
    }
    {
        const std::lock_guard lock(mutex_);
        ++done_;
        done_weight_ += job.weight;
        if (fresh) fresh_weight_ += job.weight;
    }
    if (fresh) report(job, result);
    return result;
}

void JobRunner::report(const Job& job, const Json& result) {
    std::string text;
    {
        const std::lock_guard lock(mutex_);
        const double left =
            (progress_.seconds() - began_) / fresh_weight_ * std::max(0.0, weight_ - done_weight_);
        text = fmt::format("{} of {} {}, about {:.0f} s left; {}", done_, std::max(total_, done_), what_,
                           left, job.title);
    }
    if (result.contains("accuracy")) text += fmt::format(": {:.2f}%", result["accuracy"].get<double>());
    progress_.update(text);
}

Json find_result(const std::string& path, const Json& key) {
    if (!std::filesystem::exists(path)) return nullptr;
    Json saved = parse_json(read_file(path), {path, 0});
    if (!saved.is_object()) return nullptr;
    for (const auto& [name, value] : key.items())
        if (!saved.contains(name) || saved[name] != value) return nullptr;
    return saved;
}

std::string file_hash(const std::string& path) {
    std::uint64_t hash = 1469598103934665603ULL;
    for (char c : read_file(path)) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return fmt::format("{:016x}", hash);
}

} // namespace ggsnn
