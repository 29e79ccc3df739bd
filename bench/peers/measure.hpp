// What both sides do alike: the sample of a step's times, peak memory, and one line of JSON for the
// comparison. Each measurement is a process of its own: program workload mode threads seconds.
#pragma once

#include "subject.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>

namespace ggsnn::bench {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline Directions directions_named(const std::string& name) {
    if (name == "apart") return Directions::apart;
    if (name == "added") return Directions::added;
    fail("no directions {}; expected apart or added", name);
}

inline double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Calls step once to warm up, then for as long as asked and at least once; prints the median.
template <class Step>
void measure(double seconds, Step step) {
    step();
    std::vector<double> times;
    const double begin = now();
    while (times.empty() || (now() - begin < seconds && times.size() < 20000)) {
        const double before = now();
        step();
        times.push_back(now() - before);
    }
    std::sort(times.begin(), times.end());
    fmt::print("{{\"seconds\": {:.9f}, \"peak_mb\": {:.1f}, \"steps\": {}}}\n", times[times.size() / 2],
               peak_megabytes(), times.size());
}

} // namespace ggsnn::bench
