// Runs our network and the same network on libtorch side by side, interleaved, each measurement a process of
// its own, and prints how many times faster ours is and how much less memory it takes:
//   compare [--json] [--rounds N] [--workloads a,b,c1,c2,d,e] [--directions added|apart] [--svg FILE]
//           [--no-check]
// Of the three forms on libtorch, each with the number of threads that suits it, the fastest of a round
// counts. What comes over incoming and outgoing edges is added, as in the layers of those libraries, or kept
// apart, as in the paper. On the large workload, whose steps take up to half a minute, a form that is much
// slower than another in the first round is not run again.
#include "compare.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <thread>

namespace ggsnn::bench {
namespace {

const std::vector<std::string> forms = {"everywhere", "linears", "sparse"};

struct Options {
    bool json = false, check = true;
    int rounds = 5;
    std::vector<std::string> workloads = {"a", "b", "c1", "c2", "d", "e"};
    std::string directions = "added", svg;
};

// One line of JSON from a program beside this one.
Json call(const std::string& program, const std::vector<std::string>& arguments, int threads) {
    static const std::string folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
    std::string command = fmt::format("OMP_NUM_THREADS={} '{}/{}'", threads, folder, program);
    for (const std::string& a : arguments) command += " " + a;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) fail("cannot run {}", command);
    std::array<char, 1000> line{};
    const bool read = std::fgets(line.data(), line.size(), pipe) != nullptr;
    if (::pclose(pipe) != 0 || !read) fail("failed: {}", command);
    return Json::parse(line.data());
}

Sample sample_of(const Json& json) {
    return {json.at("seconds").get<double>(), json.at("peak_mb").get<double>()};
}

// What both sides run.
struct Subject {
    std::string workload, directions;
    bool is_large() const { return workload == "d"; }
    const char* seconds() const { return is_large() ? "0" : "0.7"; }
};

Sample ours(const Subject& s, const std::string& mode, int threads) {
    return sample_of(
        call("peer_ours", {s.workload, mode, std::to_string(threads), s.seconds(), s.directions}, threads));
}

Sample theirs(const Subject& s, const std::string& mode, int threads, const std::string& form,
              const char* seconds) {
    return sample_of(call(
        "peer_torch",
        {s.workload, mode == "low" ? "train" : mode, std::to_string(threads), seconds, s.directions, form},
        threads));
}

Sample median(std::vector<Sample> list) {
    std::sort(list.begin(), list.end(),
              [](const Sample& a, const Sample& b) { return a.seconds < b.seconds; });
    return list[(list.size() - 1) / 2];
}

// Which number of threads suits each form: 1 or all.
std::map<std::string, int> choose_threads(const Subject& s, const std::string& mode, int cores) {
    std::map<std::string, int> best;
    for (const std::string& form : forms) {
        best[form] = cores;
        if (s.is_large() || cores == 1) continue;
        if (theirs(s, mode, 1, form, "0.3").seconds < theirs(s, mode, cores, form, "0.3").seconds)
            best[form] = 1;
    }
    return best;
}

// Several modes of ours against one of theirs: training, and training with low memory.
std::vector<Comparison> compare(const Subject& s, const std::vector<std::string>& modes, int cores,
                                int rounds) {
    const auto threads = choose_threads(s, modes[0], cores);
    std::map<std::string, std::vector<Sample>> samples;
    double quickest = INFINITY; // in the first round
    for (int r = 0; r < rounds; ++r) {
        for (const std::string& mode : modes) samples[mode].push_back(ours(s, mode, cores));
        for (const std::string& form : forms) {
            if (r > 0 && s.is_large() && samples[form][0].seconds > 1.4 * quickest) continue;
            samples[form].push_back(theirs(s, modes[0], threads.at(form), form, s.seconds()));
            quickest = std::min(quickest, samples[form][0].seconds);
        }
    }
    std::string fastest = forms[0];
    for (const std::string& form : forms)
        if (median(samples[form]).seconds < median(samples[fastest]).seconds) fastest = form;
    std::vector<Comparison> list;
    for (const std::string& mode : modes) {
        Comparison c{
            s.workload, mode, fastest, threads.at(fastest), median(samples[mode]), median(samples[fastest]),
            {}};
        for (int r = 0; r < rounds; ++r) {
            double best = INFINITY;
            for (const std::string& form : forms)
                if (r < static_cast<int>(samples[form].size()))
                    best = std::min(best, samples[form][r].seconds);
            c.ratios.push_back(best / samples[mode][r].seconds);
        }
        std::sort(c.ratios.begin(), c.ratios.end());
        list.push_back(c);
    }
    return list;
}

void check(const Options& options, int cores) {
    for (const std::string& w : options.workloads) {
        for (const std::string& form : forms) {
            const Json result =
                call("peer_torch", {w, "check", std::to_string(cores), "0", options.directions, form}, cores);
            if (!result.at("agree").get<bool>())
                fail("workload {}, form {}: ours and libtorch's differ by {} in the loss and {} in the "
                     "gradient",
                     w, form, result["loss"].dump(), result["gradient"].dump());
        }
        if (!options.json) fmt::print("{}: loss and gradients of all forms agree with ours\n", w);
    }
}

Json roofline(int threads) {
    const std::string t = std::to_string(threads);
    Json result = call("peer_torch", {"roofline", "-", t, "3", "-", "-"}, threads);
    result["threads"] = threads;
    result["kernel_gflops"] = call("peer_ours", {"roofline", "-", t, "2", "-"}, threads).at("gflops");
    return result;
}

Json to_json(const Comparison& c) {
    return {{"workload", c.workload},
            {"mode", c.mode},
            {"ratio", c.ratio()},
            {"ratio_low", c.ratios.front()},
            {"ratio_high", c.ratios.back()},
            {"memory_ratio", c.memory_ratio()},
            {"ours_ms", c.ours.seconds * 1e3},
            {"ours_mb", c.ours.peak_mb},
            {"peer_ms", c.theirs.seconds * 1e3},
            {"peer_mb", c.theirs.peak_mb},
            {"peer_form", c.form},
            {"peer_threads", c.threads}};
}

void print(const Comparison& c) {
    fmt::print("| {} | {} | {:.3g} ms | {:.3g} ms ({}, {} threads) | {:.3g} ({:.3g} to {:.3g}) | {:.0f} MB | "
               "{:.0f} MB | "
               "{:.3g} |\n",
               c.workload, c.mode, c.ours.seconds * 1e3, c.theirs.seconds * 1e3, c.form, c.threads, c.ratio(),
               c.ratios.front(), c.ratios.back(), c.ours.peak_mb, c.theirs.peak_mb, c.memory_ratio());
    std::fflush(stdout);
}

void run(const Options& options) {
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (options.check) check(options, cores);
    Json machine = Json::array();
    for (int threads = 1; threads <= cores; threads *= 2) {
        machine.push_back(roofline(threads));
        const Json& m = machine.back();
        if (!options.json)
            fmt::print(
                "{} threads: GEMM {} GFLOP/s (OpenBLAS, 2048), {} (our kernel, D = 100); memory {} GB/s\n",
                threads, m["gflops"].dump(), m["kernel_gflops"].dump(), m["gb_per_second"].dump());
    }
    if (!options.json)
        fmt::print("\nDirections of edges {}.\n\n| workload | step | ours | libtorch | times faster | our "
                   "memory | libtorch's | times less |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
                   options.directions);
    std::vector<Comparison> all;
    for (const std::string& w : options.workloads) {
        const Subject subject{w, options.directions};
        const int rounds = subject.is_large() ? std::min(3, options.rounds) : options.rounds;
        const std::vector<std::string> training =
            subject.is_large() ? std::vector<std::string>{"train", "low"} : std::vector<std::string>{"train"};
        for (const auto& modes : {training, std::vector<std::string>{"infer"}}) {
            for (const Comparison& c : compare(subject, modes, cores, rounds)) {
                if (!options.json) print(c);
                all.push_back(c);
            }
        }
    }
    if (!options.svg.empty()) write_file(options.svg, draw_comparison(all));
    if (!options.json) return;
    Json list = Json::array();
    for (const Comparison& c : all) list.push_back(to_json(c));
    fmt::print("{}\n",
               Json{{"machine", machine}, {"directions", options.directions}, {"comparisons", list}}.dump(1));
}

Options parse(int argc, char** argv) {
    Options o;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const auto value = [&]() -> std::string {
            if (i + 1 >= argc) throw UsageError(word + " needs a value");
            return argv[++i];
        };
        if (word == "--json") {
            o.json = true;
        } else if (word == "--no-check") {
            o.check = false;
        } else if (word == "--rounds") {
            o.rounds = std::max(1, std::atoi(value().c_str()));
        } else if (word == "--directions") {
            o.directions = value();
            if (o.directions != "added" && o.directions != "apart")
                throw UsageError(fmt::format("--directions {}: expected added or apart", o.directions));
        } else if (word == "--svg") {
            o.svg = value();
        } else if (word == "--workloads") {
            o.workloads = {""};
            for (char c : value()) {
                if (c == ',') o.workloads.emplace_back();
                if (c != ',') o.workloads.back() += c;
            }
        } else {
            throw UsageError(
                fmt::format("unknown option {}; expected --json, --rounds N, --workloads "
                            "a,b,c1,c2,d,e, --directions added or apart, --svg FILE or --no-check",
                            word));
        }
    }
    return o;
}

} // namespace
} // namespace ggsnn::bench

int main(int argc, char** argv) {
    try {
        ggsnn::bench::run(ggsnn::bench::parse(argc, argv));
        return 0;
    } catch (const ggsnn::UsageError& error) {
        fmt::print(stderr, "ggsnn: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "ggsnn: {}\n", error.what());
        return 1;
    }
}
