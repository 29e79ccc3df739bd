// Texts: their lengths, formats, and functions that copy them. While a call is at work, SymbolicState::held
// has its arguments.
#include "ggsnn/verify/prove/executor.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

constexpr std::int64_t longest_text = 1 << 16;

} // namespace

std::optional<Interval> Executor::text_length(const SymbolicState& state, const SymbolicValue& value) const {
    const int number = value.index.empty() ? state.block_at(value.term) : -1;
    if (number < 0) return std::nullopt;
    const SymbolicBlock& block = state.blocks[static_cast<std::size_t>(number)];
    if (const auto known = block.texts.find(value.offset); known != block.texts.end())
        return Interval{0, known->second};
    if (block.kind == SymbolicBlock::Kind::text && value.offset == 0) return Interval{0, longest_text};
    if (!block.size || value.offset < 0) return std::nullopt;
    SymbolicState look = state; // load() may invent values
    bool sure = true;           // no byte before was unknown
    std::int64_t least = 0;
    const std::int64_t end = std::min(*block.size, value.offset + longest_text);
    for (std::int64_t at = value.offset; at < end; ++at) {
        const SymbolicValue byte = look.load(number, at, {Type::Kind::integer, 8, -1});
        if (byte.undetermined) return std::nullopt;
        const Interval r = look.range(byte.term);
        const std::int64_t length = at - value.offset;
        if (byte.plain() && r.low == 0 && r.high == 0) return Interval{sure ? length : least, length};
        if (byte.plain() && !r.contains(0)) continue;
        if (sure) least = length;
        sure = false;
    }
    return std::nullopt;
}

std::optional<std::string> Executor::constant_text(const SymbolicState& state,
                                                   const SymbolicValue& value) const {
    const auto length = text_length(state, value);
    const int number = value.index.empty() ? state.block_at(value.term) : -1;
    if (!length || length->low != length->high || number < 0) return std::nullopt;
    SymbolicState look = state;
    std::string text;
    for (std::int64_t k = 0; k < length->low; ++k) {
        const SymbolicValue byte = look.load(number, value.offset + k, {Type::Kind::integer, 8, -1});
        const auto n = plain_number(byte);
        if (!n) return std::nullopt;
        text += static_cast<char>(*n);
    }
    return text;
}

// held[which] leads to a text.
Executor::States Executor::text_argument(const Path& path, SymbolicState state, const Instruction& i,
                                         std::size_t which) {
    States states;
    for (SymbolicState& s : access(path, std::move(state), i, which, {0, 0}, Use::read)) {
        if (text_length(s, s.held[which])) {
            states.push_back(std::move(s));
            continue;
        }
        if (possible(s))
            fail(path, s, Failure::Kind::unknown, i.position,
                 fmt::format("{} is not known to be a text with an end", pointer_text(s, i, which)));
    }
    return states;
}

// ---- formats

Executor::States Executor::print(const Path& path, SymbolicState state, const Instruction& i,
                                 const LibraryFunction& f) {
    States states = check_accesses(path, std::move(state), i, f), done;
    for (SymbolicState& s : states) {
        const auto at = static_cast<std::size_t>(f.format);
        const auto format = constant_text(s, s.held[at]);
        std::vector<FormatPart> parts;
        std::string trouble;
        if (!format)
            trouble = "the format is not a constant text";
        else if (!parse_format(*format, false, parts, program_.pointer_bytes))
            trouble = "the format is not understood";
        else if (parts.size() + at + 1 > s.held.size())
            trouble = "the format asks for more arguments than there are";
        if (!trouble.empty()) {
            if (possible(s)) fail(path, s, Failure::Kind::unknown, i.position, trouble);
            continue;
        }
        States open;
        open.push_back(std::move(s));
        for (std::size_t k = 0; k < parts.size(); ++k) {
            States next;
            const std::size_t which = at + 1 + k;
            for (SymbolicState& one : open) {
                States after;
                if (parts[k].kind == FormatPart::Kind::text) {
                    if (parts[k].width >= 0 && !text_length(one, one.held[which]))
                        after = access(path, std::move(one), i, which, {parts[k].width, parts[k].width},
                                       Use::read);
                    else
                        after = text_argument(path, std::move(one), i, which);
                } else if (parts[k].kind == FormatPart::Kind::count) {
                    after =
                        access(path, std::move(one), i, which, {parts[k].bytes, parts[k].bytes}, Use::write);
                    for (SymbolicState& written : after) {
                        const SymbolicValue place = written.held[which];
                        if (place.index.empty())
                            written.smudge(written.block_at(place.term), place.offset, parts[k].bytes, true);
                        else
                            written.smudge_all(written.block_at(place.term));
                    }
                } else {
                    after.push_back(std::move(one));
                }
                for (SymbolicState& one_after : after) next.push_back(std::move(one_after));
            }
            open = std::move(next);
        }
        for (SymbolicState& one : open) done.push_back(std::move(one));
    }
    return done;
}

Executor::States Executor::print_into(const Path& path, SymbolicState state, const Instruction& i,
                                      const LibraryFunction& f) {
    States done;
    const bool bounded = f.format >= 2; // snprintf(d, n, format, ..)
    for (SymbolicState& s : print(path, std::move(state), i, f)) {
        Interval room{0, 0};
        if (bounded) {
            room = range(s, s.held[1]);
            if (room.low < 0 || room.high > (std::int64_t{1} << 40)) room = {0, -1};
        } else {
            const auto format = constant_text(s, s.held[static_cast<std::size_t>(f.format)]);
            std::vector<FormatPart> parts;
            std::int64_t most = 1;
            if (format && parse_format(*format, false, parts, program_.pointer_bytes)) {
                most += static_cast<std::int64_t>(format->size());
                for (std::size_t k = 0; k < parts.size() && most >= 0; ++k) {
                    const SymbolicValue argument = s.held[static_cast<std::size_t>(f.format) + 1 + k];
                    if (parts[k].kind == FormatPart::Kind::text) {
                        const auto length = text_length(s, argument);
                        most = length ? most + length->high : -1;
                    } else if (parts[k].kind == FormatPart::Kind::number) {
                        most += 24;
                        // Widths like %50d pad.
                        if (format->find_first_of("0123456789*") != std::string::npos) most += 1 << 12;
                    } else if (parts[k].kind == FormatPart::Kind::character) {
                        most += 1;
                    } else {
                        most = -1;
                    }
                }
                if (parts.empty()) most = static_cast<std::int64_t>(format->size()) + 1;
            } else {
                most = -1;
            }
            room = {0, most};
        }
        if (room.high < 0) {
            if (possible(s))
                fail(path, s, Failure::Kind::unknown, i.position,
                     fmt::format("how much {} writes is not known", i.name));
            continue;
        }
        for (SymbolicState& one : access(path, std::move(s), i, 0, room, Use::write)) {
            const SymbolicValue at = one.held[0];
            const int block = one.block_at(at.term);
            if (at.index.empty()) {
                one.smudge(block, at.offset, room.high, false);
                if (room.low > 0 || !bounded) one.note_text(block, at.offset, room.high - 1);
            } else
                one.smudge_all(block);
            done.push_back(std::move(one));
        }
    }
    return done;
}

Executor::States Executor::scan(const Path& path, SymbolicState state, const Instruction& i,
                                const LibraryFunction& f) {
    States states = check_accesses(path, std::move(state), i, f), done;
    for (SymbolicState& s : states) {
        const auto at = static_cast<std::size_t>(f.format);
        const auto format = constant_text(s, s.held[at]);
        std::vector<FormatPart> parts;
        const bool good = format && parse_format(*format, true, parts, program_.pointer_bytes);
        std::size_t which = at + 1;
        States open;
        bool unbounded = false;
        open.push_back(std::move(s));
        for (const FormatPart& part : parts) {
            if (part.suppressed) continue;
            std::int64_t bytes = part.bytes;
            if (part.kind == FormatPart::Kind::text) {
                if (part.width < 0) unbounded = true;
                bytes = (part.width + 1) * part.bytes;
            }
            if (part.kind == FormatPart::Kind::character && part.width > 0) bytes = part.width * part.bytes;
            States next;
            for (SymbolicState& one : open) {
                if (which >= one.held.size() || unbounded) break;
                for (SymbolicState& after :
                     access(path, std::move(one), i, which, {bytes, bytes}, Use::write)) {
                    const SymbolicValue place = after.held[which];
                    const int block = after.block_at(place.term);
                    if (place.index.empty())
                        after.smudge(block, place.offset, bytes, false);
                    else
                        after.smudge_all(block);
                    next.push_back(std::move(after));
                }
            }
            if (which >= i.arguments.size() || unbounded) break;
            open = std::move(next);
            ++which;
        }
        if (!good || unbounded || which > i.arguments.size()) {
            SymbolicState here = path.state;
            if (possible(here))
                fail(path, here, Failure::Kind::unknown, i.position,
                     unbounded ? "%s without a width writes without end" : "the format is not understood");
            continue;
        }
        for (SymbolicState& one : open) done.push_back(std::move(one));
    }
    return done;
}

// ---- texts that are copied; held: destination, source

Executor::States Executor::copy_text(const Path& path, SymbolicState state, const Instruction& i,
                                     bool append) {
    States done;
    for (SymbolicState& s : text_argument(path, std::move(state), i, 1)) {
        const Interval length = *text_length(s, s.held[1]);
        States places;
        if (append) {
            for (SymbolicState& one : text_argument(path, std::move(s), i, 0)) {
                const Interval there = *text_length(one, one.held[0]);
                if (there.low != there.high) {
                    fail(path, one, Failure::Kind::unknown, i.position,
                         "the length of the text is not known");
                    continue;
                }
                one.held.push_back(one.held[0]);
                one.held[0] = moved(one, one.held[0], there.low);
                places.push_back(std::move(one));
            }
        } else {
            s.held.push_back(s.held[0]);
            places.push_back(std::move(s));
        }
        for (SymbolicState& place : places)
            for (SymbolicState& one :
                 copied(path, std::move(place), i, {length.low + 1, length.high + 1}, false)) {
                if (length.low != length.high && one.held[0].index.empty())
                    one.note_text(one.block_at(one.held[0].term), one.held[0].offset, length.high);
                one.held[0] = one.held.back();
                one.held.pop_back();
                done.push_back(std::move(one));
            }
    }
    return done;
}

Executor::States Executor::duplicate(const Path& path, SymbolicState state, const Instruction& i) {
    States done;
    for (SymbolicState& s : text_argument(path, std::move(state), i, 0)) {
        const Interval length = *text_length(s, s.held[0]);
        const SymbolicValue source = s.held[0];
        std::optional<std::int64_t> size;
        if (length.low == length.high && i.arguments.size() == 1) size = length.low + 1;
        SymbolicValue made;
        for (SymbolicState& one : allocated(path, std::move(s), i, size, SymbolicBlock::Rest::any, made)) {
            if (!one.held.empty()) {
                set_result(one, i, made);
                if (size && source.index.empty() &&
                    one.blocks[static_cast<std::size_t>(one.block_at(source.term))].size)
                    copy_contents(one, one.block_at(source.term), source.offset, one.block_at(made.term), 0,
                                  *size);
            }
            one.held.clear();
            done.push_back(std::move(one));
        }
    }
    return done;
}

} // namespace ggsnn::verify
