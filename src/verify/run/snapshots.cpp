// Snapshots of a run: which ones are taken, and what has a name in them.
#include "ggsnn/verify/run/machine.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

bool shows(const Global& global) {
    return !global.constant && global.size > 0 && !global.name.empty() && global.name[0] != '.';
}

} // namespace

void Machine::name_variables(Picture& picture, Snapshot::Where where, int loop, const Value* result) {
    const Function& f = function(studied_);
    const Frame& frame = top();
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (shows(program_.globals[g])) picture.object(program_.globals[g], -1 - static_cast<int>(g));
    const auto old = [&](std::size_t p, const std::string& name) {
        picture.name(name, frame.initial[p], f.variables[p].type);
    };
    if (where != Snapshot::Where::loop) {
        for (std::size_t p = 0; p < frame.initial.size(); ++p) old(p, f.variables[p].name);
        if (result != nullptr) picture.name("\\result", *result, f.result);
        return;
    }
    const Loop& at = f.loops[static_cast<std::size_t>(loop)];
    for (auto v = at.variables.rbegin(); v != at.variables.rend(); ++v) {
        const auto i = static_cast<std::size_t>(*v);
        picture.name(f.variables[i].name, frame.variables[i], f.variables[i].type);
    }
    for (const int o : at.objects)
        if (const int block = frame.objects[static_cast<std::size_t>(o)]; block != 0)
            picture.object(f.objects[static_cast<std::size_t>(o)], block);
    for (std::size_t p = 0; p < frame.initial.size(); ++p)
        if (assigned_[p] != 0) old(p, "\\old(" + f.variables[p].name + ")");
}

// Counts an arrival, and says whether a snapshot is taken of it: of the first ones, and of the last where an
// earlier run of the same input tells which that is.
bool Machine::wanted(int call, int loop) {
    const auto c = static_cast<std::size_t>(call), l = static_cast<std::size_t>(loop);
    if (arrivals_.size() <= c) arrivals_.resize(c + 1, std::vector<int>(function(studied_).loops.size(), 0));
    const int index = arrivals_[c][l]++;
    if (totals_ == nullptr || totals_->size() <= c || (*totals_)[c][l] <= limits_.snapshots)
        return index < limits_.snapshots;
    return index + 1 < limits_.snapshots || index + 1 == (*totals_)[c][l];
}

void Machine::snapshot(Snapshot::Where where, int loop, const Value* result) {
    const Frame& frame = top();
    if (!limits_.take_snapshots || frame.call > limits_.calls) return;
    if (where == Snapshot::Where::loop && !wanted(frame.call, loop)) return;
    const bool outermost = frame.call == 0;
    Picture picture(program_, memory_, [&frame, outermost](int block) {
        return outermost || block >= frame.first_own || frame.reach.has(block);
    });
    Snapshot s;
    s.where = where;
    s.loop = loop;
    s.call = frame.call;
    name_variables(picture, where, loop, result);
    s.heap = picture.finish(&s.dead);
    run_.snapshots.push_back(std::move(s));
}

logic::Heap Machine::entry_heap() {
    const Function& f = function(studied_);
    Picture picture(program_, memory_, [](int) { return true; });
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
        if (shows(program_.globals[g])) picture.object(program_.globals[g], -1 - static_cast<int>(g));
    for (std::size_t p = 0; p < parameters_.size(); ++p)
        picture.name(f.variables[p].name, parameters_[p], f.variables[p].type);
    return picture.finish();
}

logic::Heap input_heap(const Program& program, int function, const Input& input) {
    return Machine(program, function, input, {}, nullptr).entry_heap();
}

} // namespace ggsnn::verify
