#include "ggsnn/tasks/tokens.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/cli/commands.hpp"
#include "ggsnn/tasks/build.hpp"

namespace ggsnn {

namespace {

void read_all(const std::string& path, bool need_answers, DatasetBuilder& builder) {
    ReadOptions options;
    options.need_answers = need_answers;
    const auto reader = open_records(path, options);
    for (Record record; reader->next(record);) builder.add(record);
    builder.finish();
}

} // namespace

int run_tokens(const TokensCommand& command) {
    DatasetBuilder learner(Form::tokens);
    read_all(command.like.empty() ? command.input : command.like, true, learner);
    DatasetBuilder reader(learner.data().schema, false);
    if (!command.like.empty()) read_all(command.input, false, reader);
    const Dataset& data = command.like.empty() ? learner.data() : reader.data();
    TextWriter out(command.output);
    std::string line;
    for (const Example& example : data.examples) {
        line.clear();
        write_tokens(line, data.schema, example);
        out.write(line);
    }
    out.close();
    return 0;
}

} // namespace ggsnn
