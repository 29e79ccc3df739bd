#include "generate.hpp"

#include "ggsnn/base/error.hpp"
#include "writer.hpp"

#include <utility>

namespace ggsnn::attack {

namespace {

struct Style {
    const char* name;
    Generated (*write)(Writer&);
};

constexpr Style styles[] = {{"blocks", write_blocks},       {"numbers", write_numbers},
                            {"lists", write_lists},         {"calls", write_calls},
                            {"contracts", write_contracts}, {"aliases", write_aliases}};

const Style& style_called(std::string_view name) {
    for (const Style& style : styles)
        if (style.name == name) return style;
    throw UsageError(fmt::format("no style is called '{}'", name));
}

} // namespace

Generated generate(std::uint64_t seed, std::string_view style_name) {
    if (style_name == "torture") {
        Writer writer(seed, -1);
        Generated program = write_torture(writer, seed);
        program.style = "torture";
        return program;
    }
    Random random(seed, {0x7374796c65ULL});
    const Style& drawn = styles[random.below(std::size(styles))];
    const Style& style = style_name.empty() ? drawn : style_called(style_name);
    Writer counting(seed, -1);
    Generated program = style.write(counting);
    if (counting.slips() > 0 && random.chance(0.5)) {
        Writer planting(seed, static_cast<int>(random.below(static_cast<std::uint64_t>(counting.slips()))));
        program = style.write(planting);
        program.plan = planting.made();
    }
    program.style = style.name;
    program.text = fmt::format("// {}, seed {}{}\n", style.name, seed,
                               program.plan.empty() ? "" : ", planted: " + program.plan) +
                   program.text;
    return program;
}

} // namespace ggsnn::attack
