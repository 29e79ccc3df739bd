// Contents of blocks: values at offsets. A slot without a value holds bits that are not known; bytes without
// a slot hold what SymbolicBlock::rest says.
#include "ggsnn/verify/prove/state.hpp"

#include <algorithm>

namespace ggsnn::verify {

namespace {

using Slots = std::map<std::int64_t, SymbolicSlot>;

// Slots that share a byte with [offset, offset + bytes).
std::vector<std::pair<std::int64_t, SymbolicSlot>> overlapping(const Slots& slots, std::int64_t offset,
                                                               std::int64_t bytes) {
    std::vector<std::pair<std::int64_t, SymbolicSlot>> found;
    auto at = slots.upper_bound(offset);
    if (at != slots.begin()) --at;
    for (; at != slots.end() && at->first < offset + bytes; ++at)
        if (at->first + at->second.bytes > offset) found.emplace_back(*at);
    return found;
}

std::optional<std::int64_t> number_in(const SymbolicSlot& slot) {
    if (slot.value.empty() || !slot.value.plain()) return std::nullopt;
    const auto n = number_of(slot.value.term);
    return n && (slot.bytes <= 8 || *n == 0) ? n : std::nullopt; // a long slot may hold zeros
}

// The number in `bytes` little-endian bytes.
std::int64_t cut(std::uint64_t bits, int bytes) {
    if (bytes >= 8) return static_cast<std::int64_t>(bits);
    const int unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

SymbolicSlot part_of(const SymbolicSlot& slot, std::int64_t skip, std::int64_t bytes) {
    SymbolicSlot part{static_cast<int>(bytes), {}};
    if (const auto n = number_in(slot); n && *n == 0)
        part.value = value_of(0);
    else if (n && bytes <= 8)
        part.value = value_of(cut(static_cast<std::uint64_t>(*n) >> (8 * skip), static_cast<int>(bytes)));
    return part;
}

// Removes what is in the range; parts of slots that stand over its edges stay.
void carve(Slots& slots, std::int64_t offset, std::int64_t bytes) {
    for (const auto& [at, slot] : overlapping(slots, offset, bytes)) {
        slots.erase(at);
        if (at < offset) slots[at] = part_of(slot, 0, offset - at);
        const std::int64_t end = offset + bytes, slot_end = at + slot.bytes;
        if (slot_end > end) slots[end] = part_of(slot, end - at, slot_end - end);
    }
}

// Nothing is known of texts that share a byte with the range any more.
void forget_texts(SymbolicBlock& block, std::int64_t offset, std::int64_t bytes) {
    std::erase_if(block.texts, [&](const auto& text) {
        return text.first < offset + bytes && text.first + text.second >= offset;
    });
}

// The number that the bytes make up, if all of them are known.
std::optional<std::int64_t> assembled(const std::vector<std::pair<std::int64_t, SymbolicSlot>>& parts,
                                      SymbolicBlock::Rest rest, std::int64_t offset, int bytes) {
    if (bytes > 8) return std::nullopt;
    std::uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i) {
        bool found = rest == SymbolicBlock::Rest::zero;
        for (const auto& [at, slot] : parts) {
            if (offset + i < at || offset + i >= at + slot.bytes) continue;
            const auto n = number_in(slot);
            if (!n) return std::nullopt;
            const auto byte =
                *n == 0 ? 0U : (static_cast<std::uint64_t>(*n) >> (8 * (offset + i - at))) & 255U;
            bits |= byte << (8 * i);
            found = true;
        }
        if (!found) return std::nullopt;
    }
    return cut(bits, bytes);
}

} // namespace

SymbolicValue SymbolicState::load(int number, std::int64_t offset, const Type& type) {
    SymbolicBlock& block = blocks[static_cast<std::size_t>(number)];
    const auto bytes = static_cast<int>(type.bytes());
    const auto parts = overlapping(block.slots, offset, bytes);
    if (parts.size() == 1 && parts[0].first == offset && parts[0].second.bytes == bytes &&
        !parts[0].second.value.empty())
        return parts[0].second.value;
    if (const auto n = assembled(parts, block.rest, offset, bytes)) return value_of(*n);
    SymbolicValue value =
        value_of(type.kind == Type::Kind::integer ? fresh_number(Interval::of_bits(type.bits)) : fresh());
    std::int64_t covered = 0;
    bool open = true; // nothing is known of any byte of it
    for (const auto& [at, slot] : parts) {
        open = open && slot.value.empty();
        covered += std::min(at + slot.bytes, offset + bytes) - std::max(at, offset);
    }
    const bool written = covered == bytes || block.rest == SymbolicBlock::Rest::any;
    if (open && written) { // the bytes stay what they are: a text stays one
        carve(block.slots, offset, bytes);
        block.slots[offset] = {bytes, value};
    } else
        value.undetermined = covered < bytes && block.rest == SymbolicBlock::Rest::undetermined;
    return value;
}

void SymbolicState::store_at(int number, std::int64_t offset, int bytes, const SymbolicValue& value) {
    SymbolicBlock& block = blocks[static_cast<std::size_t>(number)];
    carve(block.slots, offset, bytes);
    forget_texts(block, offset, bytes);
    block.slots[offset] = {bytes, value};
}

void SymbolicState::smudge(int number, std::int64_t offset, std::int64_t bytes, bool written) {
    if (bytes <= 0) return;
    SymbolicBlock& block = blocks[static_cast<std::size_t>(number)];
    carve(block.slots, offset, bytes);
    forget_texts(block, offset, bytes);
    if (block.rest == SymbolicBlock::Rest::any) return;
    if (!written && block.rest == SymbolicBlock::Rest::undetermined) return;
    while (bytes > 0) { // slots are at most this long
        const std::int64_t part = std::min<std::int64_t>(bytes, 1 << 30);
        block.slots[offset] = {static_cast<int>(part), {}};
        offset += part;
        bytes -= part;
    }
}

void SymbolicState::smudge_all(int number) {
    SymbolicBlock& block = blocks[static_cast<std::size_t>(number)];
    block.slots.clear();
    block.texts.clear();
    if (block.rest == SymbolicBlock::Rest::zero) block.rest = SymbolicBlock::Rest::any;
}

void SymbolicState::note_text(int number, std::int64_t offset, std::int64_t length) {
    SymbolicBlock& block = blocks[static_cast<std::size_t>(number)];
    forget_texts(block, offset, length + 1);
    block.texts[offset] = length;
}

} // namespace ggsnn::verify
