#include "nn/checkpoint.hpp"

#include "base/files.hpp"
#include "nn/safetensors.hpp"

#include <cmath>
#include <filesystem>

namespace ggsnn {

namespace {

// JSON has no infinity; the best error before the first validation is one. Numbers must come back exactly.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}
double number(const Json& value) {
    return value.is_null() ? INFINITY : value.get<double>();
}

Json to_json(const RunState& s) {
    Json history = Json::array();
    for (const auto& p : s.history)
        history.push_back({p.update, number(p.train_loss), number(p.valid_error), number(p.valid_loss)});
    return {{"question", s.question},
            {"restart", s.restart},
            {"update", s.update},
            {"finished", s.finished},
            {"diverged", s.diverged},
            {"best_error", number(s.best_error)},
            {"best_loss", number(s.best_loss)},
            {"waited", s.waited},
            {"loss_sum", number(s.loss_sum)},
            {"loss_count", s.loss_count},
            {"train_error", number(s.train_error)},
            {"history", history}};
}

RunState from_json(const Json& j) {
    RunState s;
    s.question = j.at("question").get<int>();
    s.restart = j.at("restart").get<int>();
    s.update = j.at("update").get<long>();
    s.finished = j.at("finished").get<bool>();
    s.diverged = j.at("diverged").get<bool>();
    s.best_error = number(j.at("best_error"));
    s.best_loss = number(j.at("best_loss"));
    s.waited = j.at("waited").get<int>();
    s.loss_sum = number(j.at("loss_sum"));
    s.loss_count = j.at("loss_count").get<long>();
    s.train_error = number(j.at("train_error"));
    for (const Json& p : j.at("history"))
        s.history.push_back({p.at(0).get<long>(), number(p.at(1)), number(p.at(2)), number(p.at(3))});
    return s;
}

struct NamedArray {
    const char* name;
    std::vector<float> RunState::* array;
};
constexpr NamedArray arrays[] = {{"parameters", &RunState::parameters},
                                 {"first", &RunState::first},
                                 {"second", &RunState::second},
                                 {"kept", &RunState::kept}};

bool possible(const RunState& s, const RunLimits& limits) {
    const std::size_t n = limits.parameters;
    return s.question >= 0 && s.question < limits.questions && s.restart >= 0 &&
           s.restart < limits.restarts && s.update >= 0 && s.update <= limits.updates && s.waited >= 0 &&
           s.loss_count >= 0 && s.parameters.size() == n && s.first.size() == n && s.second.size() == n &&
           (s.kept.size() == n || (s.kept.empty() && (!s.finished || s.diverged)));
}

} // namespace

CheckpointBook::CheckpointBook(std::string path, std::string fingerprint, double seconds)
    : path_(std::move(path)),
      fingerprint_(std::move(fingerprint)),
      interval_(seconds),
      last_(std::chrono::steady_clock::now()) {}

void CheckpointBook::load(const RunLimits& limits) {
    if (path_.empty() || !std::filesystem::exists(path_)) return;
    TensorFile file = decode_tensors(read_file(path_), path_);
    if (file.metadata["fingerprint"] != fingerprint_)
        fail("{}: this checkpoint was made with other data or options; give the same ones to go on, or train "
             "without --resume to start anew",
             path_);
    const Json runs = parse_json(file.metadata["runs"], {path_, 0});
    try {
        for (const Json& run : runs) {
            RunState state = from_json(run);
            for (const auto& [name, array] : arrays) {
                const auto at =
                    file.tensors.find(fmt::format("{}.{}.{}", state.question, state.restart, name));
                if (at == file.tensors.end()) fail("{}: a damaged checkpoint: {} is missing", path_, name);
                state.*array = std::move(at->second.values);
            }
            if (!possible(state, limits)) fail("{}: a damaged checkpoint: impossible values in a run", path_);
            states_[{state.question, state.restart}] = std::move(state);
        }
    } catch (const Json::exception& error) {
        fail("{}: a damaged checkpoint: {}", path_, error.what());
    }
}

const RunState* CheckpointBook::find(int question, int restart) const {
    const std::lock_guard lock(mutex_);
    const auto at = states_.find({question, restart});
    return at == states_.end() ? nullptr : &at->second;
}

void CheckpointBook::publish(const RunState& state) {
    if (path_.empty()) return;
    const std::lock_guard lock(mutex_);
    states_[{state.question, state.restart}] = state;
    if (due()) write_locked();
}

void CheckpointBook::write() {
    if (path_.empty()) return;
    const std::lock_guard lock(mutex_);
    write_locked();
}

void CheckpointBook::write_locked() {
    TensorFile file;
    Json runs = Json::array();
    for (const auto& [key, state] : states_) {
        runs.push_back(to_json(state));
        for (const auto& [name, array] : arrays) {
            NamedTensor& tensor = file.tensors[fmt::format("{}.{}.{}", state.question, state.restart, name)];
            tensor.values = state.*array;
            tensor.shape = {tensor.values.size()};
        }
    }
    file.metadata["fingerprint"] = fingerprint_;
    file.metadata["runs"] = runs.dump();
    write_file(path_, encode_tensors(file));
    last_ = std::chrono::steady_clock::now();
}

bool CheckpointBook::due() const {
    return enabled() && std::chrono::steady_clock::now() - last_.load() >= interval_;
}

} // namespace ggsnn
