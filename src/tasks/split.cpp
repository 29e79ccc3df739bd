#include "ggsnn/tasks/split.hpp"

#include "ggsnn/base/hash.hpp"
#include "ggsnn/base/progress.hpp"
#include "ggsnn/tasks/tokens.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace ggsnn {

namespace {

std::unique_ptr<RecordReader> open_file(const std::string& path, const ReadOptions& options) {
    auto reader = open_records(path, options);
    check_targets(path, *reader, options.targets);
    return reader;
}

// Records until `most` (0: all) into the builder; how many there were.
long read_records(RecordReader& reader, long most, DatasetBuilder& builder) {
    Record record;
    long count = 0;
    while ((most == 0 || count < most) && reader.next(record)) {
        builder.add(record);
        ++count;
        if (interrupted()) throw Interrupted("interrupted");
    }
    return count;
}

// Only question types that training data asks are kept, in their order. number: the new number of each type,
// or -1.
void keep_question_types(Dataset& data, const Vocabulary& known, const std::vector<int>& number) {
    const int tokens = TokenNumbers::of(data.schema).question_type; // these come last of all tokens
    for (Example& e : data.examples) {
        e.question = number[e.question];
        for (int& t : e.tokens)
            if (t >= tokens) t = tokens + number[t - tokens];
    }
    data.schema.question_types = known;
}

// A question type that only validation data asks has no network: its questions are left out.
void check_questions(Split& split) {
    const Vocabulary all = split.train.schema.question_types;
    std::vector<int> number(all.size(), -1);
    Vocabulary known;
    for (const Example& e : split.train.examples) number[e.question] = 0;
    for (int q = 0; q < all.size(); ++q)
        if (number[q] == 0) number[q] = known.add(all.name(q));
    if (known.size() == all.size()) return;
    std::map<int, UnknownQuestions> unknown;
    std::erase_if(split.valid.examples, [&](const Example& e) {
        if (number[e.question] >= 0) return false;
        ++unknown.try_emplace(e.question, UnknownQuestions{all.name(e.question), 0, e.place})
              .first->second.count;
        return true;
    });
    for (auto& [q, questions] : unknown) split.unknown.push_back(std::move(questions));
    for (Dataset* data : {&split.train, &split.valid}) keep_question_types(*data, known, number);
}

bool has_parts(const Dataset& data) {
    return std::any_of(data.examples.begin(), data.examples.end(),
                       [](const Example& e) { return !e.split.empty(); });
}

// By the parts that the data itself names.
Split split_by_parts(const SplitOptions& options, bool separate, const Dataset& data) {
    if (separate || options.train_count > 0 || options.valid_count >= 0)
        throw UsageError(fmt::format(
            "{}: the data says itself which part trains and which validates (\"split\"); --valid, "
            "--train-count and --valid-count are for data that does not",
            options.input));
    for (const Example& e : data.examples)
        if (e.split.empty())
            fail_at(e.place,
                    "the graph has no \"split\", but others have; expected one for each or for none");
    Split split{examples_of(data, Part::train), examples_of(data, Part::valid), {}};
    if (split.train.examples.empty())
        fail("{}: \"split\" puts nothing into the part \"train\"", options.input);
    return split;
}

} // namespace

Dataset examples_of(const Dataset& data, Part part) {
    Dataset out{data.schema, data.graphs, {}};
    for (const Example& e : data.examples)
        if (const auto some = part_of(e, part)) out.examples.push_back(*some);
    return out;
}

Split read_split(const SplitOptions& options) {
    ReadOptions read;
    read.targets = options.targets;
    read.nodes = options.nodes;
    read.label = options.label;
    const auto records = open_file(options.input, read);
    read.nodes.clear(); // of the other file: its own, beside it
    const auto valid = options.valid.empty() ? nullptr : open_file(options.valid, read);
    return split_records(*records, valid.get(), options);
}

Split split_records(RecordReader& records, RecordReader* valid, const SplitOptions& options) {
    DatasetBuilder builder(options.form);
    const bool separate = valid != nullptr;
    // Stories beyond those wanted are not looked at: what they ask or answer is not the model's business.
    const long some = std::max(1L, options.train_count / 10);
    const long wanted_valid = options.valid_count < 0 ? some : options.valid_count;
    const long most = options.train_count > 0 ? options.train_count + (separate ? 0 : wanted_valid) : 0;
    const long total = read_records(records, most, builder);
    if (separate) read_records(*valid, 0, builder);
    builder.finish();
    if (has_parts(builder.data())) {
        Split split = split_by_parts(options, separate, builder.data());
        check_questions(split);
        return split;
    }
    const long all = static_cast<long>(builder.data().graphs.size());
    long valid_count = separate ? all - total : options.valid_count;
    if (!separate && options.valid_count < 0)
        valid_count = options.train_count > 0 ? std::min(total - options.train_count, some) : total / 10;
    const long train_count =
        options.train_count > 0 ? options.train_count : total - (separate ? 0 : valid_count);
    if (train_count < 1 || valid_count < 0 || train_count + valid_count > all)
        fail("{}: holds {} stories or graphs; expected {} for training and {} for validation", options.input,
             total, std::max(1L, train_count), std::max(0L, valid_count));
    Split split{slice(builder.data(), 0, train_count),
                slice(builder.data(), separate ? total : train_count, valid_count),
                {}};
    check_questions(split);
    if (separate && split.valid.examples.empty() && !split.unknown.empty())
        fail_at(
            split.unknown.front().first,
            "question type \"{}\" is not in the training data, nor is any other of this file; expected {}",
            split.unknown.front().type, split.train.schema.question_types.list());
    return split;
}

std::uint64_t fingerprint(const Split& split) {
    Hash hash;
    const auto mix = [&](std::uint64_t value) { hash.add(value); };
    for (const Dataset* data : {&split.train, &split.valid}) {
        mix(data->graphs.size());
        for (const GraphRecord& g : data->graphs) {
            for (float x : g.features) mix(std::bit_cast<std::uint32_t>(x));
            mix(static_cast<std::uint64_t>(g.graph.nodes()));
            for (int s = 0; s < g.graph.slots(); ++s) {
                for (int e = g.graph.slot_begin(s); e < g.graph.slot_end(s); ++e) {
                    mix(static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint64_t>(g.graph.row(e)));
                    for (int n : g.graph.neighbours(e)) mix(static_cast<std::uint64_t>(n));
                }
            }
            for (float w : g.graph.weights()) mix(std::bit_cast<std::uint32_t>(w));
            for (int link = 0; g.graph.edge_width() > 0 && link < 2 * g.graph.edges(); ++link)
                for (float x : g.graph.edge_features(link)) mix(std::bit_cast<std::uint32_t>(x));
            for (std::size_t i = 0; g.sparse != nullptr && i < g.sparse->values.size(); ++i) {
                mix(static_cast<std::uint64_t>(g.sparse->columns[i]));
                mix(std::bit_cast<std::uint32_t>(g.sparse->values[i]));
            }
            for (const auto& [node, tag] : g.tags)
                mix(static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint64_t>(tag));
        }
        for (const Example& e : data->examples) {
            mix(static_cast<std::uint64_t>(e.graph) << 32 | static_cast<std::uint64_t>(e.question));
            for (int t : e.tokens) mix(static_cast<std::uint64_t>(t) + 3);
            for (int a : e.arguments) mix(static_cast<std::uint64_t>(a));
            for (int l : e.labels) mix(static_cast<std::uint64_t>(l) + 7);
            for (float v : e.values) mix(std::bit_cast<std::uint32_t>(v));
            for (float x : e.annotations) mix(std::bit_cast<std::uint32_t>(x));
            if (e.hints == nullptr) continue;
            for (char bit : e.hints->bits) mix(static_cast<std::uint64_t>(bit) + 11);
            for (int to : e.hints->pointers) mix(static_cast<std::uint64_t>(to));
            for (int node : e.hints->chosen) mix(static_cast<std::uint64_t>(node) + 13);
        }
    }
    return hash.value();
}

} // namespace ggsnn
