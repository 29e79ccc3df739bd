// Training and validation data from files: the parts that the data names, or else the first stories (graphs)
// train and the next ones validate.
#pragma once

#include "ggsnn/tasks/build.hpp"

namespace ggsnn {

struct SplitOptions {
    std::string input, valid;               // valid: a file of its own; empty: the same file
    long train_count = 0, valid_count = -1; // 0: all the rest; -1: a tenth of the data
    std::vector<int> targets;               // molecules
    Form form = Form::graphs;               // what the network reads
    std::string nodes = {}, label = {};     // formats with columns; see ReadOptions
};

// Questions of a type that validation data asks and training data does not: there is no network for them.
struct UnknownQuestions {
    std::string type;
    long count = 0;
    Place first;
};

struct Split {
    Dataset train, valid;                  // one schema, learned from both
    std::vector<UnknownQuestions> unknown; // left out of valid
};

// Throws Error where the file holds too little, or a file for validation asks nothing that training data
// asks.
Split read_split(const SplitOptions& options);

// The same of records that are read already; options.input is what messages call them, and options.valid is
// not looked at. valid may be null: then a part of the records validates.
Split split_records(RecordReader& records, RecordReader* valid, const SplitOptions& options);

// The answers for one part of the data; those without a split are for every part.
Dataset examples_of(const Dataset& data, Part part);

// Tells data sets apart, for checkpoints and caches: a number made of all graphs and answers.
std::uint64_t fingerprint(const Split& split);

} // namespace ggsnn
