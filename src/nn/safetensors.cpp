#include "ggsnn/nn/safetensors.hpp"

#include "ggsnn/base/json.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace ggsnn {

static_assert(std::endian::native == std::endian::little, "tensor files are little-endian");

std::string encode_tensors(const TensorFile& file) {
    OrderedJson header;
    if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const std::uint64_t bytes = tensor.values.size() * sizeof(float);
        header[name] = {
            {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
        offset += bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::string out(sizeof length, '\0');
    std::memcpy(out.data(), &length, sizeof length);
    out += text;
    for (const auto& [name, tensor] : file.tensors)
        out.append(reinterpret_cast<const char*>(tensor.values.data()), tensor.values.size() * sizeof(float));
    return out;
}

namespace {

struct Span {
    std::uint64_t begin, end;
    std::string name;
};

Span read_span(const Json& entry, const std::string& tensor, const std::string& name) {
    if (!entry.is_object() || !entry.contains("dtype") || entry["dtype"] != "F32" ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
        fail("{}: tensor \"{}\" is malformed; expected float32 with a shape and two data offsets", name,
             tensor);
    const Json& offsets = entry["data_offsets"];
    if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned())
        fail("{}: tensor \"{}\" has offsets that are not whole numbers", name, tensor);
    return {offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>(), tensor};
}

std::vector<std::size_t> read_shape(const Json& entry, const Span& span, const std::string& name) {
    std::vector<std::size_t> shape;
    std::uint64_t count = 1;
    for (const Json& size : entry["shape"]) {
        if (!size.is_number_unsigned())
            fail("{}: tensor \"{}\" has a shape that is not whole numbers", name, span.name);
        const auto value = size.get<std::uint64_t>();
        shape.push_back(value);
        // Below 2^60 the product below, in bytes, cannot overflow.
        if (__builtin_mul_overflow(count, value, &count) || count >= std::uint64_t{1} << 60)
            fail("{}: tensor \"{}\" is impossibly large", name, span.name);
    }
    if (span.end < span.begin || (span.end - span.begin) != count * sizeof(float))
        fail("{}: tensor \"{}\" has {} bytes where its shape needs {}", name, span.name,
             static_cast<std::int64_t>(span.end - span.begin), count * sizeof(float));
    return shape;
}

} // namespace

TensorFile decode_tensors(std::string_view bytes, const std::string& name) {
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) fail("{}: {} bytes are too few for a model file", name, bytes.size());
    std::memcpy(&length, bytes.data(), sizeof length);
    const std::uint64_t rest = bytes.size() - sizeof length;
    if (length > rest)
        fail("{}: not a model file, or cut short: the header needs {} bytes, {} are there", name, length,
             rest);
    const Json header = parse_json(bytes.substr(sizeof length, length), {name, 0});
    if (!header.is_object()) fail("{}: the header is {}; expected an object", name, describe(header));
    const char* const data = bytes.data() + sizeof length + length;
    const std::uint64_t size = rest - length;
    TensorFile file;
    std::vector<Span> spans;
    for (const auto& [key, entry] : header.items()) {
        if (key == "__metadata__") {
            if (!entry.is_object()) fail("{}: the metadata is {}; expected an object", name, describe(entry));
            for (const auto& [k, v] : entry.items()) {
                if (!v.is_string())
                    fail("{}: metadata \"{}\" is {}; expected a string", name, k, describe(v));
                file.metadata[k] = v.get<std::string>();
            }
            continue;
        }
        const Span span = read_span(entry, key, name);
        NamedTensor& tensor = file.tensors[key];
        tensor.shape = read_shape(entry, span, name);
        if (span.end > size)
            fail("{}: cut short: tensor \"{}\" ends at byte {} of {} bytes of data", name, key, span.end,
                 size);
        tensor.values.resize((span.end - span.begin) / sizeof(float));
        if (!tensor.values.empty())
            std::memcpy(tensor.values.data(), data + span.begin, span.end - span.begin);
        spans.push_back(span);
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
    });
    std::uint64_t at = 0;
    for (const Span& span : spans) {
        if (span.begin != at)
            fail("{}: tensor \"{}\" begins at byte {}; expected {}", name, span.name, span.begin, at);
        at = span.end;
    }
    if (at != size) fail("{}: {} bytes of data belong to no tensor", name, size - at);
    return file;
}

} // namespace ggsnn
