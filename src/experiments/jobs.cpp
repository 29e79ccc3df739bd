#include "ggsnn/experiments/jobs.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/hash.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <thread>

namespace ggsnn {

JobRunner::JobRunner(std::string what, ThreadPool& pool, Progress& progress, Ranks* ranks)
    : what_(std::move(what)),
      pool_(pool),
      progress_(progress),
      ranks_(ranks != nullptr && !ranks->alone() ? ranks : nullptr),
      began_(progress.seconds()) {}

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
    if (ranks_ != nullptr) return run_shared(jobs);
    std::vector<Json> results(jobs.size());
    pool_.run(jobs.size(), [&](std::size_t i, int) {
        if (interrupted()) return;
        try {
            results[i] = find(jobs[i]);
            if (results[i].is_null()) results[i] = keep(jobs[i], jobs[i].work(nullptr));
        } catch (const Interrupted&) {
        }
    });
    if (interrupted()) throw Interrupted("interrupted; the same command goes on from here");
    return results;
}

Json JobRunner::find(const Job& job) {
    Json result = find_result(job.path, job.key);
    for (const std::string& file : job.files)
        if (!std::filesystem::exists(file)) result = nullptr;
    if (result.is_null()) return result;
    const std::lock_guard lock(mutex_);
    ++done_;
    done_weight_ += job.weight;
    return result;
}

Json JobRunner::keep(const Job& job, JobOutput output) {
    Json result = std::move(output.result);
    result.update(job.notes);
    result.update(job.key);
    for (const auto& [path, bytes] : output.files) write_file(path, bytes);
    std::filesystem::create_directories(std::filesystem::path(job.path).parent_path());
    write_file(job.path, result.dump(1));
    {
        const std::lock_guard lock(mutex_);
        ++done_;
        done_weight_ += job.weight;
        fresh_weight_ += job.weight;
    }
    report(job, result);
    return result;
}

namespace {

// The output of job i for rank 0; without one, the word that there will be none.
std::string encode(std::size_t i, const JobOutput* output) {
    Json message = {{"job", i}, {"result", nullptr}, {"files", Json::array()}};
    if (output != nullptr) {
        message["result"] = output->result;
        for (const auto& [path, bytes] : output->files)
            message["files"].push_back({path, Json::binary({bytes.begin(), bytes.end()})});
    }
    const auto cbor = Json::to_cbor(message);
    return {cbor.begin(), cbor.end()};
}

std::pair<std::size_t, JobOutput> decode(const std::string& bytes) {
    const Json message = Json::from_cbor(bytes);
    JobOutput output{message.at("result"), {}};
    for (const Json& file : message.at("files")) {
        const auto& content = file.at(1).get_binary();
        output.files.emplace_back(file.at(0).get<std::string>(), std::string(content.begin(), content.end()));
    }
    return {message.at("job").get<std::size_t>(), std::move(output)};
}

} // namespace

// Rank 0 looks what is there; the rest is dealt out, or where that is less than one job a rank, all work on
// one at a time. Then everyone is told the results.
std::vector<Json> JobRunner::run_shared(const std::vector<Job>& jobs) {
    std::vector<Json> results(jobs.size());
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < jobs.size() && ranks_->first(); ++i)
        if ((results[i] = find(jobs[i])).is_null()) missing.push_back(i);
    std::string text = Json(missing).dump();
    ranks_->broadcast(text);
    missing = Json::parse(text).get<std::vector<std::size_t>>();
    if (missing.size() >= static_cast<std::size_t>(ranks_->size())) {
        run_own(jobs, missing, results);
    } else {
        for (std::size_t i : missing) {
            JobOutput output = jobs[i].work(ranks_);
            if (ranks_->first()) results[i] = keep(jobs[i], std::move(output));
        }
    }
    const bool stopped = ranks_->any(interrupted());
    text = Json(results).dump();
    ranks_->broadcast(text);
    results = Json::parse(text).get<std::vector<Json>>();
    const bool incomplete =
        std::any_of(results.begin(), results.end(), [](const Json& r) { return r.is_null(); });
    if (stopped || incomplete) throw Interrupted("interrupted; the same command goes on from here");
    return results;
}

void JobRunner::run_own(const std::vector<Job>& jobs, const std::vector<std::size_t>& missing,
                        std::vector<Json>& results) {
    const auto n = static_cast<std::size_t>(ranks_->size()), r = static_cast<std::size_t>(ranks_->rank());
    std::vector<std::size_t> own;
    for (std::size_t k = r; k < missing.size(); k += n) own.push_back(missing[k]);
    std::mutex one; // of receiving
    std::size_t expected = missing.size() - own.size();
    const auto receive = [&] { // rank 0
        const std::lock_guard lock(one);
        for (std::string bytes; expected > 0 && ranks_->poll(bytes); --expected) {
            auto [i, output] = decode(bytes);
            if (!output.result.is_null()) results[i] = keep(jobs[i], std::move(output));
        }
        return expected > 0;
    };
    pool_.run(own.size(), [&](std::size_t k, int) {
        const std::size_t i = own[k];
        try {
            if (interrupted()) throw Interrupted("");
            JobOutput output = jobs[i].work(nullptr);
            if (ranks_->first()) {
                results[i] = keep(jobs[i], std::move(output));
            } else {
                ranks_->post(encode(i, &output));
            }
        } catch (const Interrupted&) {
            if (!ranks_->first()) ranks_->post(encode(i, nullptr));
        }
        if (ranks_->first()) receive();
    });
    while (ranks_->first() && receive()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
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

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

std::string file_hash(const std::string& path) {
    Hash hash;
    hash.add_bytes(read_file(path));
    return fmt::format("{:016x}", hash.value());
}

} // namespace ggsnn
