#include "ggsnn/nn/train/log.hpp"

#include "ggsnn/base/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ggsnn {

namespace {

// JSON has no infinity.
double score_of(const Json& line, const std::string& key) {
    const Json& value = line.at(key);
    return value.is_null() ? INFINITY : value.get<double>();
}

std::optional<double> maybe(const Json& line, const char* key) {
    const Json& value = line.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

OrderedJson or_null(const std::optional<double>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

bool is_start(const Json& line) {
    return line.is_object() && line.value("event", Json()) == "start" && line.contains("metric") &&
           line["metric"].is_string();
}

LogPoint point_of(const Json& line, const std::string& metric) {
    LogPoint point;
    point.question = line.at("question").get<std::string>();
    point.restart = line.at("restart").get<int>();
    point.scores = {line.at("update").get<long>(), score_of(line, "train_loss"), score_of(line, metric),
                    score_of(line, "valid_loss")};
    point.epoch = line.at("epoch").get<double>();
    point.learning_rate = maybe(line, "learning_rate");
    point.seconds = maybe(line, "seconds");
    return point;
}

void take_line(LogFile& log, std::string_view text, const Place& place) {
    const Json line = parse_json(text, place);
    if (place.line == 1) {
        log.start = line;
        log.metric = line["metric"].get<std::string>();
        return;
    }
    try {
        if (line.at("event") == "evaluation") log.points.push_back(point_of(line, log.metric));
        log.end = line.at("event") == "end" ? line : Json();
        if (line.contains("seconds") && line["seconds"].is_number())
            log.seconds = std::max(log.seconds, line["seconds"].get<double>());
    } catch (const Json::exception& error) {
        fail_at(place, "not a line of a log of training: {}", error.what());
    }
}

} // namespace

std::string metric_name(AnswerKind answer) {
    return is_regression(answer) ? "mean_absolute_error" : "error_rate";
}

bool is_log(const std::string& path) {
    std::ifstream file(path);
    if (!file) fail("{}: cannot open: {}", path, std::strerror(errno));
    constexpr std::size_t most = 1 << 20; // of a first line
    std::string text(most, '\0');
    file.read(text.data(), most);
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    const std::size_t end = text.find('\n');
    return end != std::string::npos && is_start(Json::parse(text.substr(0, end), nullptr, false));
}

LogFile read_log(const std::string& path) {
    if (!is_log(path))
        fail_at({path, 1}, "not a log of training; expected a first line with \"event\": \"start\", as ggsnn "
                           "train --log writes it");
    LogFile log;
    const std::string text = read_file(path);
    long number = 0;
    for (std::size_t end = 0; (end = text.find('\n', log.length)) != std::string::npos; log.length = end + 1)
        take_line(log, std::string_view(text).substr(log.length, end - log.length), {path, ++number});
    return log;
}

TrainingLog::TrainingLog(std::string path, bool resume, const OrderedJson& start)
    : path_(std::move(path)),
      metric_(start.at("metric").get<std::string>()),
      start_(std::chrono::steady_clock::now()) {
    LogFile old;
    const bool more =
        resume && std::filesystem::is_regular_file(path_) && std::filesystem::file_size(path_) > 0;
    if (more) {
        old = read_log(path_);
        if (old.start.value("fingerprint", "") != start.at("fingerprint").get<std::string>())
            fail("{}: the log of a training with other data or options; give another file to --log", path_);
        before_ = old.seconds;
        for (const LogPoint& p : old.points) seen_.emplace(p.question, p.restart, p.scores.update);
    }
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (more ? 0 : O_TRUNC), 0666);
    if (file_ < 0) fail("{}: cannot write: {}", path_, std::strerror(errno));
    if (more && ::ftruncate(file_, static_cast<off_t>(old.length)) != 0)
        fail("{}: cannot write: {}", path_, std::strerror(errno));
    OrderedJson line = {{"event", more ? "resume" : "start"}};
    line.update(start);
    line["seconds"] = before_;
    write_line(line);
}

TrainingLog::~TrainingLog() {
    if (file_ >= 0) ::close(file_);
}

double TrainingLog::seconds() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void TrainingLog::evaluated(LogPoint point) {
    const std::lock_guard lock(mutex_);
    point.seconds = seconds();
    write_point(point);
}

void TrainingLog::known(const LogPoint& point) {
    const std::lock_guard lock(mutex_);
    write_point(point);
}

void TrainingLog::end(const OrderedJson& outcome) {
    const std::lock_guard lock(mutex_);
    OrderedJson line = {{"event", "end"}};
    line.update(outcome);
    line["seconds"] = seconds();
    write_line(line);
}

void TrainingLog::write_point(const LogPoint& p) {
    if (!seen_.emplace(p.question, p.restart, p.scores.update).second) return;
    write_line({{"event", "evaluation"},
                {"question", p.question},
                {"restart", p.restart},
                {"update", p.scores.update},
                {"epoch", p.epoch},
                {"train_loss", p.scores.train_loss},
                {"valid_loss", p.scores.valid_loss},
                {metric_, p.scores.valid_error},
                {"learning_rate", or_null(p.learning_rate)},
                {"seconds", or_null(p.seconds)}});
}

// One call of write for a line: a reader sees whole ones.
void TrainingLog::write_line(const OrderedJson& line) {
    const std::string text = line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t wrote = ::write(file_, rest.data(), rest.size());
        if (wrote < 0 && errno != EINTR) fail("{}: cannot write: {}", path_, std::strerror(errno));
        if (wrote > 0) rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
}

} // namespace ggsnn
