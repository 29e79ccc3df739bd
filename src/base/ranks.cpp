#include "ggsnn/base/ranks.hpp"

#include "ggsnn/base/error.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#ifdef GGSNN_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#endif

namespace ggsnn {

namespace {

// What mpirun tells its processes: Open MPI, MPICH and its kin.
int from_environment(std::initializer_list<const char*> names, int otherwise) {
    for (const char* name : names)
        if (const char* text = std::getenv(name)) return std::atoi(text);
    return otherwise;
}

int started_processes() {
    return from_environment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
}

} // namespace

Ranks& Ranks::world() {
    static Ranks ranks;
    return ranks;
}

int Ranks::threads() const {
    cpu_set_t set;
    const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int allowed = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : all;
    // mpirun may have bound this process to its cores.
    return size_ == 1 ? all : std::max(1, std::min(allowed, all / std::min(all, local_)));
}

#ifndef GGSNN_MPI

struct Ranks::Outgoing {};

bool Ranks::built() {
    return false;
}

Ranks& Ranks::start(int*, char***) {
    if (const int n = started_processes(); n > 1) {
        // One voice is enough.
        if (from_environment({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0) > 0) std::_Exit(1);
        fail("this program was built without MPI, and mpirun started {} processes of it; expected one, or a "
             "build on a machine with MPI (Debian: libopenmpi-dev openmpi-bin)",
             n);
    }
    return world();
}

void Ranks::sum(float*, std::size_t) {}
void Ranks::sum(double*, std::size_t) {}
bool Ranks::any(bool mine) {
    return mine;
}
void Ranks::broadcast(std::string&) {}
std::vector<std::string> Ranks::gather(const std::string& bytes) {
    return {bytes};
}
void Ranks::barrier() {}
void Ranks::post(std::string) {}
bool Ranks::poll(std::string&) {
    return false;
}
void Ranks::finish() {}
void Ranks::abort(int code) {
    std::exit(code);
}

#else

namespace {

constexpr int message_tag = 1;

template <class T>
MPI_Datatype type_of() {
    return sizeof(T) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
}

// MPI waits by spinning, which steals the core of whoever is waited for; where the wait may be long, this
// looks again from time to time.
void wait_for(MPI_Request& request) {
    int done = 0;
    for (int spins = 0;; ++spins) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
        if (spins > 2000) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

} // namespace

struct Ranks::Outgoing {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
};

bool Ranks::built() {
    return true;
}

Ranks& Ranks::start(int* argc, char*** argv) {
    Ranks& ranks = world();
    if (started_processes() == 0) return ranks;
    int provided = 0;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED)
        fail("MPI could not be started with threads that take turns");
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size_);
    ranks.local_ = from_environment({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}, ranks.size_);
    return ranks;
}

// Small: everyone gets everything. Large: each rank adds up one part of the values, and all get all parts.
template <class T>
void Ranks::sum_in_order(T* values, std::size_t count) {
    if (size_ == 1 || count == 0) return;
    GGSNN_ASSERT(count < std::size_t{1} << 31);
    const std::lock_guard lock(mutex_);
    const std::size_t n = static_cast<std::size_t>(size_);
    const int part = static_cast<int>(count * n <= 4096 ? count : (count + n - 1) / n);
    static thread_local std::vector<T> mine, all;
    all.resize(static_cast<std::size_t>(part) * n);
    const auto add_up = [&](T* out) {
        std::copy(all.begin(), all.begin() + part, out);
        for (std::size_t r = 1; r < n; ++r)
            for (int i = 0; i < part; ++i) out[i] += all[r * static_cast<std::size_t>(part) + i];
    };
    if (static_cast<std::size_t>(part) == count) {
        MPI_Allgather(values, part, type_of<T>(), all.data(), part, type_of<T>(), MPI_COMM_WORLD);
        add_up(values);
        return;
    }
    mine.assign(all.size(), T(0));
    std::copy(values, values + count, mine.begin());
    MPI_Alltoall(mine.data(), part, type_of<T>(), all.data(), part, type_of<T>(), MPI_COMM_WORLD);
    add_up(mine.data());
    MPI_Allgather(mine.data(), part, type_of<T>(), all.data(), part, type_of<T>(), MPI_COMM_WORLD);
    std::copy(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), values);
}

void Ranks::sum(float* values, std::size_t count) {
    sum_in_order(values, count);
}
void Ranks::sum(double* values, std::size_t count) {
    sum_in_order(values, count);
}

bool Ranks::any(bool mine) {
    double count = mine ? 1 : 0;
    sum(&count, 1);
    return count > 0;
}

void Ranks::broadcast(std::string& bytes) {
    if (size_ == 1) return;
    const std::lock_guard lock(mutex_);
    unsigned long length = bytes.size();
    MPI_Request request;
    MPI_Ibcast(&length, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    GGSNN_ASSERT(length < 1UL << 31);
    bytes.resize(length);
    MPI_Ibcast(bytes.data(), static_cast<int>(length), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
}

std::vector<std::string> Ranks::gather(const std::string& bytes) {
    if (size_ == 1) return {bytes};
    const std::lock_guard lock(mutex_);
    std::vector<int> lengths(size_), begins(size_, 0);
    const int length = static_cast<int>(bytes.size());
    MPI_Request request;
    MPI_Igather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    wait_for(request);
    for (int r = 1; r < size_; ++r) begins[r] = begins[r - 1] + lengths[r - 1];
    std::string all(first() ? static_cast<std::size_t>(begins.back()) + lengths.back() : 0, '\0');
    MPI_Igatherv(bytes.data(), length, MPI_BYTE, all.data(), lengths.data(), begins.data(), MPI_BYTE, 0,
                 MPI_COMM_WORLD, &request);
    wait_for(request);
    std::vector<std::string> parts;
    for (int r = 0; r < size_ && first(); ++r) parts.push_back(all.substr(begins[r], lengths[r]));
    return parts;
}

void Ranks::barrier() {
    if (size_ == 1) return;
    const std::lock_guard lock(mutex_);
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(request);
}

void Ranks::post(std::string bytes) {
    const std::lock_guard lock(mutex_);
    auto message = std::make_shared<Outgoing>();
    message->bytes = std::move(bytes);
    MPI_Isend(message->bytes.data(), static_cast<int>(message->bytes.size()), MPI_BYTE, 0, message_tag,
              MPI_COMM_WORLD, &message->request);
    outgoing_.push_back(std::move(message));
    for (int done = 1; done != 0 && !outgoing_.empty();) {
        MPI_Test(&outgoing_.front()->request, &done, MPI_STATUS_IGNORE);
        if (done != 0) outgoing_.pop_front();
    }
}

bool Ranks::poll(std::string& bytes) {
    if (size_ == 1) return false;
    const std::lock_guard lock(mutex_);
    int there = 0, length = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, message_tag, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return false;
    MPI_Get_count(&status, MPI_BYTE, &length);
    bytes.resize(static_cast<std::size_t>(length));
    MPI_Recv(bytes.data(), length, MPI_BYTE, status.MPI_SOURCE, message_tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return true;
}

void Ranks::finish() {
    int running = 0, ended = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&ended);
    if (running == 0 || ended != 0) return;
    for (const auto& message : outgoing_) wait_for(message->request);
    outgoing_.clear();
    barrier();
    MPI_Finalize();
}

void Ranks::abort(int code) {
    int running = 0;
    MPI_Initialized(&running);
    if (running != 0) MPI_Abort(MPI_COMM_WORLD, code);
    std::exit(code);
}

#endif

} // namespace ggsnn
