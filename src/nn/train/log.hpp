// The log of a training: a file of JSON lines that grows while it runs. The first line ("event": "start")
// says what is trained and how, then there is a line an evaluation, and the last ("end") says what came of
// it. A training that goes on from its checkpoint goes on with its log, in which no evaluation stands twice.
// docs/formats.md has the keys.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/train/trainer.hpp"

#include <chrono>
#include <mutex>
#include <set>
#include <tuple>

namespace ggsnn {

// What validation measures: "error_rate", or "mean_absolute_error" of numbers.
std::string metric_name(AnswerKind answer);

struct LogPoint {
    std::string question;
    int restart = 0;
    HistoryPoint scores; // infinite where the log has null
    double epoch = 0;
    std::optional<double> learning_rate, seconds; // nothing: known from a checkpoint alone
};

struct LogFile {
    Json start; // its first line
    Json end;   // its last, if the training has ended; else null
    std::string metric;
    std::vector<LogPoint> points;
    double seconds = 0;     // the latest
    std::size_t length = 0; // bytes of whole lines: what a killed process wrote of its last one is left out
};

// Whether a file begins as a log does. Throws Error if it cannot be read.
bool is_log(const std::string& path);
// Throws Error, with the place, where it is none.
LogFile read_log(const std::string& path);

class TrainingLog {
  public:
    // start: for the first line, with at least "metric" and "fingerprint" (of data and options). With resume
    // an existing log is gone on with; one of another training is an Error. Otherwise it is begun anew.
    TrainingLog(std::string path, bool resume, const OrderedJson& start);
    ~TrainingLog();
    TrainingLog(const TrainingLog&) = delete;
    TrainingLog& operator=(const TrainingLog&) = delete;

    // A line each, whole and written before it returns; from any thread. An evaluation that the log has is
    // not repeated. seconds is filled in by `evaluated`, and left as it is by `known`. Throw Error if it
    // cannot be written.
    void evaluated(LogPoint point);
    void known(const LogPoint& point);
    void end(const OrderedJson& outcome);

  private:
    void write_point(const LogPoint& point);
    void write_line(const OrderedJson& line);
    double seconds() const;

    std::string path_, metric_;
    int file_ = -1;
    double before_ = 0; // seconds of earlier calls
    std::chrono::steady_clock::time_point start_;
    std::mutex mutex_;
    std::set<std::tuple<std::string, int, long>> seen_; // question, restart, update
};

} // namespace ggsnn
