// What the page can choose from: models, logs of trainings and reports in the folders that the server was
// started with, models that come with the program, and example programs. A request names a thing by the id
// that a list gave; no request names a path.
#pragma once

#include "ggsnn/base/json.hpp"
#include "ggsnn/nn/model.hpp"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ggsnn::serve {

struct Item {
    enum class Kind { model, run, report, program };
    Kind kind = Kind::model;
    std::string id;   // made of its path
    std::string name; // for people: the path from the folder on
    std::string path; // of a report: its folder. Empty: it comes with the program
    long changed = 0; // when, in seconds of the clock of files
};

class Library {
  public:
    // Folders are made absolute. programs: that of the examples, or empty.
    Library(const std::vector<std::string>& folders, const std::string& programs);

    // As the folders are now, or were a second ago. From any thread.
    std::vector<Item> items(Item::Kind kind) const;
    std::optional<Item> find(Item::Kind kind, const std::string& id) const;

  private:
    void look() const;

    std::vector<std::string> folders_;
    std::string programs_;
    mutable std::mutex mutex_;
    mutable std::vector<Item> items_;
    mutable std::chrono::steady_clock::time_point looked_;
    mutable bool any_ = false;
};

// Models that come with the program: a name, what they answer, and a text to begin with.
struct ExampleModel {
    const char* name;
    const char* title;
    const char* text;
};
const std::vector<ExampleModel>& example_models();
// REQUIRES one of these names.
Model example_model(const std::string& name);

} // namespace ggsnn::serve
