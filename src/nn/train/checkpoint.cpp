#include "ggsnn/nn/train/checkpoint.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/base/hash.hpp"
#include "ggsnn/nn/kinds.hpp"

#include <climits>
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
            {"cut", s.cut},
            {"kept_error", number(s.kept_error)},
            {"kept_loss", number(s.kept_loss)},
            {"best_error", number(s.best_error)},
            {"best_loss", number(s.best_loss)},
            {"waited", s.waited},
            {"loss_sum", number(s.loss_sum)},
            {"loss_count", s.loss_count},
            {"train_error", number(s.train_error)},
            {"averaged_count", s.averaged_count},
            {"history", history}};
}

RunState from_json(const Json& j) {
    RunState s;
    s.question = j.at("question").get<int>();
    s.restart = j.at("restart").get<int>();
    s.update = j.at("update").get<long>();
    s.finished = j.at("finished").get<bool>();
    s.diverged = j.at("diverged").get<bool>();
    s.cut = j.at("cut").get<bool>();
    s.kept_error = number(j.at("kept_error"));
    s.kept_loss = number(j.at("kept_loss"));
    s.best_error = number(j.at("best_error"));
    s.best_loss = number(j.at("best_loss"));
    s.waited = j.at("waited").get<int>();
    s.loss_sum = number(j.at("loss_sum"));
    s.loss_count = j.at("loss_count").get<long>();
    s.train_error = number(j.at("train_error"));
    s.averaged_count = j.at("averaged_count").get<long>();
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
                                 {"kept", &RunState::kept},
                                 {"averaged", &RunState::averaged}};

bool possible(const RunState& s, const RunLimits& limits) {
    const std::size_t n = limits.parameters;
    return s.question >= 0 && s.question < limits.questions && s.restart >= 0 &&
           s.restart < limits.restarts && s.update >= 0 && s.update <= limits.updates && s.waited >= 0 &&
           s.loss_count >= 0 && s.parameters.size() == n && s.first.size() == n && s.second.size() == n &&
           s.averaged_count >= 0 && s.averaged.size() == (s.averaged_count > 0 ? n : 0) &&
           (s.kept.size() == n || (s.kept.empty() && (!s.finished || s.diverged)));
}

std::string checksum_of(const TensorFile& file) {
    Hash hash;
    for (const auto& [key, value] : file.metadata) {
        if (key == "checksum") continue;
        hash.add(key);
        hash.add(value);
    }
    for (const auto& [name, tensor] : file.tensors) {
        hash.add(name);
        hash.add(std::string_view(reinterpret_cast<const char*>(tensor.values.data()),
                                  tensor.values.size() * sizeof(float)));
    }
    return fmt::format("{:016x}", hash.value());
}

TensorFile open_checkpoint(const std::string& bytes, const std::string& name) {
    TensorFile file;
    try {
        file = decode_tensors(bytes, "its tensors");
    } catch (const Error& error) {
        fail("{}: a damaged checkpoint: {}", name, error.what());
    }
    if (file.metadata["checkpoint"] != "2")
        fail("{}: a damaged checkpoint, or one of another version of this program: expected version 2", name);
    if (file.metadata["checksum"] != checksum_of(file))
        fail("{}: a damaged checkpoint: its checksum is that of other content", name);
    return file;
}

std::vector<RunState> states_of(TensorFile& file, const std::string& name, const RunLimits& limits) {
    const Json runs = parse_json(file.metadata["runs"], {name, 0});
    std::vector<RunState> states;
    try {
        for (const Json& run : runs) {
            RunState state = from_json(run);
            for (const auto& [key, array] : arrays) {
                const auto at =
                    file.tensors.find(fmt::format("{}.{}.{}", state.question, state.restart, key));
                if (at == file.tensors.end()) fail("{}: a damaged checkpoint: {} is missing", name, key);
                state.*array = std::move(at->second.values);
            }
            if (!possible(state, limits)) fail("{}: a damaged checkpoint: impossible values in a run", name);
            states.push_back(std::move(state));
        }
    } catch (const Json::exception& error) {
        fail("{}: a damaged checkpoint: {}", name, error.what());
    }
    return states;
}

} // namespace

void seal(TensorFile& file) {
    file.metadata["checksum"] = checksum_of(file);
}

std::string encode_runs(const std::vector<const RunState*>& states, const CheckpointHead& head) {
    TensorFile file;
    Json runs = Json::array();
    for (const RunState* state : states) {
        runs.push_back(to_json(*state));
        for (const auto& [name, array] : arrays) {
            NamedTensor& tensor =
                file.tensors[fmt::format("{}.{}.{}", state->question, state->restart, name)];
            tensor.values = state->*array;
            tensor.shape = {tensor.values.size()};
        }
    }
    file.metadata["checkpoint"] = "2";
    file.metadata["fingerprint"] = head.fingerprint;
    file.metadata["runs"] = runs.dump();
    if (!head.model.is_null())
        file.metadata["model"] = Json{{"head", head.model},
                                      {"ensemble", head.select.ensemble},
                                      {"stop_at_zero", head.select.stop_at_zero}}
                                     .dump();
    seal(file);
    return encode_tensors(file);
}

std::vector<RunState> decode_runs(const std::string& bytes, const std::string& name,
                                  const std::string& fingerprint, const RunLimits& limits) {
    TensorFile file = open_checkpoint(bytes, name);
    if (file.metadata["fingerprint"] != fingerprint)
        fail("{}: this checkpoint was made with other data or options; give the same ones to go on, or train "
             "with --fresh to start anew",
             name);
    return states_of(file, name, limits);
}

bool is_checkpoint(std::string_view bytes) {
    // The header's beginning: metadata stand before tensors, and this key before others.
    return bytes.substr(0, 64).find("\"checkpoint\":\"") != std::string_view::npos;
}

Model checkpoint_model(const std::string& bytes, const std::string& name) {
    TensorFile file = open_checkpoint(bytes, name);
    const Json about = parse_json(file.metadata["model"], {name, 0});
    if (!about.is_object() || !about.contains("head"))
        fail("{}: this checkpoint does not say what its model is", name);
    Model model = model_from_metadata(about["head"], name, bytes.size());
    const SelectOptions select{about.value("ensemble", 1), about.value("stop_at_zero", false), true};
    const RunLimits limits{network_count(model.network->kind(), model.schema), INT_MAX, LONG_MAX,
                           model.network->layout().size()};
    const std::vector<RunState> states = states_of(file, name, limits);
    std::vector<const RunState*> runs;
    for (const RunState& state : states) runs.push_back(&state);
    if (const int missing = select_runs(model, runs, select); missing >= 0)
        fail("{}: no model yet: no run of question type \"{}\" has been validated; expected one of each",
             name, model.schema.question_types.name(missing));
    return model;
}

void refuse_checkpoint(const std::string& path) {
    if (!std::filesystem::exists(path)) return;
    fail("{}: the checkpoint of a training that did not end; --resume goes on with it, --fresh (or removing "
         "the file) starts anew",
         path);
}

CheckpointFile::CheckpointFile(std::string path, CheckpointHead head, double seconds)
    : path_(std::move(path)),
      head_(std::move(head)),
      interval_(seconds),
      last_(std::chrono::steady_clock::now()) {}

std::string CheckpointFile::stored() const {
    if (path_.empty() || !std::filesystem::exists(path_)) return "";
    std::string bytes = read_file(path_);
    if (bytes.empty()) fail("{}: a damaged checkpoint: the file is empty", path_);
    return bytes;
}

void CheckpointFile::load(const std::string& bytes, const std::string& name, const RunLimits& limits) {
    for (RunState& state : decode_runs(bytes, name, head_.fingerprint, limits))
        states_[{state.question, state.restart}] = std::move(state);
}

const RunState* CheckpointFile::find(int question, int restart) const {
    const std::lock_guard lock(mutex_);
    const auto at = states_.find({question, restart});
    return at == states_.end() ? nullptr : &at->second;
}

void CheckpointFile::publish(const RunState& state) {
    if (path_.empty()) return;
    const std::lock_guard lock(mutex_);
    states_[{state.question, state.restart}] = state;
    if (due()) write_locked();
}

void CheckpointFile::write() {
    if (path_.empty()) return;
    const std::lock_guard lock(mutex_);
    write_locked();
}

void CheckpointFile::remove() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
}

void CheckpointFile::write_locked() {
    std::vector<const RunState*> states;
    for (const auto& [key, state] : states_) states.push_back(&state);
    write_file(path_, encode_runs(states, head_));
    last_ = std::chrono::steady_clock::now();
}

bool CheckpointFile::due() const {
    return enabled() && std::chrono::steady_clock::now() - last_.load() >= interval_;
}

} // namespace ggsnn
