#include "ggsnn/shapes/heap_data.hpp"

#include "ggsnn/base/files.hpp"
#include "ggsnn/logic/satisfy.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace ggsnn::shapes {

using logic::Formula;
using logic::Heap;
using logic::Part;

namespace {

enum Stream : std::uint64_t { flat_heaps = 1, nested_heaps = 2, stress_heaps = 3, wide_heaps = 4 };

// One line of a data file. Written by hand: there are 160,000 of them.
void append_line(const Heap& heap, const std::string& formula, std::string& out) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "{{\"formula\":{},\"nodes\":{},\"null\":0,\"edges\":[", Json(formula).dump(),
                   heap.nodes.size());
    const char* between = "";
    for (std::size_t v = 0; v < heap.nodes.size(); ++v)
        for (const auto& [field, target] : heap.nodes[v].links) {
            fmt::format_to(to, "{}[{},\"{}\",{}]", between, v, heap.fields[static_cast<std::size_t>(field)],
                           target);
            between = ",";
        }
    out += "],\"variables\":{";
    between = "";
    for (const auto& [name, node] : heap.variables) {
        fmt::format_to(to, "{}\"{}\":{}", between, name, node);
        between = ",";
    }
    out += "}}\n";
}

std::string heaps_of(const Formula& formula, std::size_t number, const HeapDataOptions& options) {
    const std::string text = logic::print(logic::canonical(formula), logic::Reading::shape);
    const logic::Checker checker(formula);
    const Stream stream = options.wide ? wide_heaps : options.nested ? nested_heaps : flat_heaps;
    Random random(options.seed, {stream, number});
    std::string out;
    for (int g = 0; g < options.graphs; ++g) {
        const Heap heap = logic::sample_heap(formula.heaps[0], options.sizes, random);
        GGSNN_ASSERT(checker(heap) == logic::Truth::yes);
        append_line(heap, text, out);
    }
    return out;
}

// A formula of the space with one of its variables, that nothing else ends at, made NULL or equal to another.
Formula with_alias(const Formula& formula, Random& random) {
    Formula out = formula;
    logic::SymbolicHeap& shape = out.heaps[0];
    std::vector<std::string> variables;
    for (const std::string& name : logic::free_names(shape)) variables.push_back(name);
    const std::string name = random.pick(variables);
    const auto uses_as_end = [&](const logic::Atom& atom) {
        return atom.kind == logic::Atom::Kind::list && atom.arguments[1] == name && atom.root() != name;
    };
    if (std::any_of(shape.atoms.begin(), shape.atoms.end(), uses_as_end)) return out;
    logic::SymbolicHeap changed = shape;
    std::erase_if(changed.atoms, [&](const logic::Atom& atom) { return atom.root() == name; });
    const auto ends_at = [&](const std::string& end) {
        return std::count_if(changed.atoms.begin(), changed.atoms.end(), [&](const logic::Atom& atom) {
            return atom.kind == logic::Atom::Kind::list && atom.arguments[1] == end;
        });
    };
    // An existential that only the dropped list made necessary is no longer one.
    for (const std::string& e : shape.exists)
        if (ends_at(e) < 2) return out;
    if (changed.atoms.empty()) return out;
    std::vector<std::string> targets{logic::null_name};
    for (const std::string& other : variables)
        if (other != name) targets.push_back(other);
    const std::string& target = random.pick(targets);
    // Of two names for one node the first is written.
    if (target != logic::null_name && name < target) {
        changed = logic::substitute(changed, target, name);
        changed.pure.push_back({true, target, name});
    } else {
        changed.pure.push_back({true, name, target});
    }
    shape = std::move(changed);
    return out;
}

std::string group_of(const Json& json) {
    const auto text = [&](const char* key) {
        const auto at = json.find(key);
        return at == json.end() ? std::string() : at->is_string() ? at->get<std::string>() : at->dump();
    };
    const std::string group = text("group");
    if (!group.empty() || !json.contains("location")) return group;
    return text("function") + " " + text("location");
}

} // namespace

logic::ShapeSpace space_of(bool nested, bool cycles) {
    logic::ShapeSpace space;
    if (nested) space.variables = {"x", "y"};
    space.nested = nested;
    space.cycles = cycles;
    return space;
}

std::vector<std::vector<Formula>> wide_spaces() {
    return {logic::enumerate_wide({"x", "y", "z"}, false), logic::enumerate_wide({"x", "y"}, true)};
}

namespace {

struct Chosen {
    Formula formula;
    std::size_t number = 0; // of its stream of random numbers
    Part part = Part::train;
};

std::vector<Chosen> chosen_formulas(const HeapDataOptions& options) {
    std::vector<std::vector<Formula>> spaces;
    if (options.wide)
        spaces = wide_spaces();
    else
        spaces.push_back(logic::enumerate_shapes(space_of(options.nested, options.cycles)));
    std::vector<Chosen> out;
    std::size_t first = 0;
    const Formula wanted = logic::figure_three("x", "y");
    for (const std::vector<Formula>& formulas : spaces) {
        const std::vector<Part> parts = logic::split_shapes(formulas, options.split);
        std::vector<std::size_t> include;
        for (std::size_t i = 0; i < formulas.size() && (options.nested || options.wide); ++i)
            if (logic::canonically_equal(formulas[i], wanted)) include.push_back(i);
        for (const std::size_t f :
             logic::sample_shapes(formulas, options.formulas / spaces.size(), include, options.split))
            out.push_back({formulas[f], first + f, parts[f]});
        first += formulas.size();
    }
    return out;
}

} // namespace

void generate_heaps(const HeapDataOptions& options, const std::string& folder, ThreadPool& pool,
                    Progress& progress) {
    const std::vector<Chosen> chosen = chosen_formulas(options);
    std::filesystem::create_directories(folder);
    const double began = progress.seconds();
    std::size_t done = 0;
    for (const Part part : {Part::train, Part::valid, Part::test}) {
        std::vector<const Chosen*> mine;
        for (const Chosen& one : chosen)
            if (one.part == part) mine.push_back(&one);
        TextWriter out(folder + "/" + logic::name_of(part) + ".jsonl.gz");
        const std::size_t piece = static_cast<std::size_t>(pool.workers()) * 4;
        for (std::size_t begin = 0; begin < mine.size(); begin += piece) {
            if (interrupted()) throw Interrupted("interrupted; nothing of this part was written");
            const std::size_t count = std::min(piece, mine.size() - begin);
            std::vector<std::string> texts(count);
            pool.run(count, [&](std::size_t i, int) {
                const Chosen& one = *mine[begin + i];
                texts[i] = heaps_of(one.formula, one.number, options);
            });
            for (const std::string& text : texts) out.write(text);
            done += count;
            progress.update(fmt::format("{} of {} formulas", done, chosen.size()));
        }
        out.close();
    }
    progress.line(fmt::format("{}: {} formulas, {} heaps each, {:.1f} s", folder, chosen.size(),
                              options.graphs, progress.seconds() - began));
}

void generate_stress(const StressOptions& options, const std::string& path) {
    const std::vector<Formula> formulas = logic::enumerate_shapes(space_of(options.nested, false));
    TextWriter out(path);
    for (std::size_t i = 0; i < options.count; ++i) {
        Random random(options.seed, {stress_heaps, i});
        const Formula formula = with_alias(random.pick(formulas), random);
        logic::SampleSizes sizes;
        sizes.val = options.nested;
        if (i % 2 == 1) {
            sizes.least *= options.scale;
            sizes.most *= options.scale;
        }
        const Heap heap = logic::sample_heap(formula.heaps[0], sizes, random);
        GGSNN_ASSERT(logic::satisfies(heap, formula) == logic::Truth::yes);
        std::string line;
        append_line(heap, logic::print(logic::canonical(formula), logic::Reading::shape), line);
        out.write(line);
    }
    out.close();
}

void read_labelled(const std::string& path, bool need_formula,
                   const std::function<void(LabelledHeap&&)>& each) {
    std::map<std::string, std::shared_ptr<const Formula>, std::less<>> known;
    LineReader lines(path);
    std::string_view line;
    while (lines.next(line)) {
        if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
        const Place place = lines.place();
        const Json json = parse_json(line, place);
        LabelledHeap item{logic::heap_from_json(json, place), nullptr, group_of(json), place};
        const auto formula = json.find("formula");
        if (formula != json.end() && !formula->is_string())
            fail_at(place, "\"formula\" is {}, expected a text", describe(*formula));
        if (formula == json.end() && need_formula) fail_at(place, "a heap without \"formula\"");
        if (formula != json.end()) {
            auto& entry = known[formula->get<std::string>()];
            try {
                if (!entry)
                    entry = std::make_shared<const Formula>(logic::canonical(
                        logic::parse_formula(formula->get<std::string>(), logic::Reading::shape)));
            } catch (const logic::SyntaxError& error) {
                fail_at(place, "\"formula\", column {}: {}", error.column, error.detail);
            }
            item.formula = entry;
        }
        each(std::move(item));
    }
}

bool holds_heaps(const std::string& path) {
    LineReader lines(path);
    std::string_view line;
    if (!lines.peek(line)) return false;
    const Json json = Json::parse(line, nullptr, false);
    return json.is_object() && json.contains("edges") && json.contains("variables");
}

} // namespace ggsnn::shapes
