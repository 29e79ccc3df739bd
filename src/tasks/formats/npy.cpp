#include "ggsnn/tasks/formats/npy.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace ggsnn {

static_assert(std::endian::native == std::endian::little, "arrays are read as they lie in the file");

namespace {

constexpr std::size_t most_header = 1 << 16;

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

OpenFile open_binary(const std::string& path) {
    if (std::filesystem::is_directory(path)) fail("{}: is a folder; expected a .npy file", path);
    OpenFile file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) fail("{}: cannot open: {}", path, std::strerror(errno));
    return file;
}

// What follows `'key':` in the header, which is the text of a Python dictionary.
std::string_view value_of(std::string_view header, const std::string& key, const std::string& path) {
    const std::size_t at = header.find("'" + key + "'");
    const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
    const std::size_t begin =
        colon == std::string_view::npos ? colon : header.find_first_not_of(" ", colon + 1);
    if (begin == std::string_view::npos) fail("{}: the .npy header has no {}", path, key);
    return header.substr(begin);
}

std::vector<std::size_t> read_shape(std::string_view text, const std::string& path) {
    std::vector<std::size_t> shape;
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos)
        fail("{}: the .npy header has no shape in parentheses", path);
    for (std::size_t at = 1; at < end;) {
        at = text.find_first_not_of(" ,", at);
        if (at >= end) break;
        std::size_t extent = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, extent);
        if (error != std::errc())
            fail("{}: the .npy header's shape is {}; expected whole numbers", path, text.substr(0, end + 1));
        shape.push_back(extent);
        at = static_cast<std::size_t>(stop - text.data());
    }
    return shape;
}

// IEEE 754 binary16.
float from_half(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 31U, fraction = bits & 0x3ffU;
    if (exponent == 0) return (sign != 0 ? -1.0F : 1.0F) * static_cast<float>(fraction) / 16777216.0F;
    const std::uint32_t scaled = exponent == 31 ? 255 : exponent + 112;
    return std::bit_cast<float>(sign | scaled << 23 | fraction << 13);
}

template <class From, class To>
void convert(const char* bytes, std::size_t count, To* out) {
    for (std::size_t i = 0; i < count; ++i) {
        From value;
        std::memcpy(&value, bytes + i * sizeof(From), sizeof(From));
        out[i] = static_cast<To>(value);
    }
}

template <class To>
void convert_all(char type, std::size_t width, const char* bytes, std::size_t count, To* out) {
    switch (type == 'b' ? 'u' : type) {
    case 'i':
        if (width == 1) return convert<std::int8_t>(bytes, count, out);
        if (width == 2) return convert<std::int16_t>(bytes, count, out);
        if (width == 4) return convert<std::int32_t>(bytes, count, out);
        return convert<std::int64_t>(bytes, count, out);
    case 'u':
        if (width == 1) return convert<std::uint8_t>(bytes, count, out);
        if (width == 2) return convert<std::uint16_t>(bytes, count, out);
        if (width == 4) return convert<std::uint32_t>(bytes, count, out);
        return convert<std::uint64_t>(bytes, count, out);
    default:
        if (width == 4) return convert<float>(bytes, count, out);
        if (width == 8) return convert<double>(bytes, count, out);
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes + 2 * i, 2);
            out[i] = static_cast<To>(from_half(half));
        }
    }
}

} // namespace

Npy::Npy(std::string path) : path_(std::move(path)) {
    const OpenFile file = open_binary(path_);
    unsigned char start[12] = {};
    const std::size_t got = std::fread(start, 1, sizeof start, file.get());
    if (got < 10 || std::memcmp(start, "\x93NUMPY", 6) != 0)
        fail("{}: not a .npy file: it does not begin as one", path_);
    const int version = start[6];
    if (version < 1 || version > 3) fail("{}: .npy version {}; expected 1, 2 or 3", path_, version);
    std::size_t length = start[8] | start[9] << 8;
    if (version > 1) length |= std::size_t{start[10]} << 16 | std::size_t{start[11]} << 24;
    offset_ = version > 1 ? 12 : 10;
    if (length > most_header)
        fail("{}: a .npy header of {} bytes; expected at most {}", path_, length, most_header);
    std::string header(length, '\0');
    std::fseek(file.get(), static_cast<long>(offset_), SEEK_SET);
    if (std::fread(header.data(), 1, length, file.get()) != length)
        fail("{}: the file ends within the .npy header", path_);
    offset_ += length;
    read_header(header);
    const std::uintmax_t bytes = std::filesystem::file_size(path_);
    std::uintmax_t expected = width_;
    for (const std::size_t extent : shape_)
        if (__builtin_mul_overflow(expected, extent, &expected))
            fail("{}: the shape {} is beyond all memory", path_, shape_text());
    if (bytes - offset_ != expected)
        fail("{}: {} bytes after the header; expected {} for the shape {}", path_, bytes - offset_, expected,
             shape_text());
}

void Npy::read_header(const std::string& text) {
    std::string_view type = value_of(text, "descr", path_);
    const std::size_t quote = type.size() > 1 ? type.find(type[0], 1) : std::string_view::npos;
    type = quote == std::string_view::npos ? type.substr(0, 20) : type.substr(1, quote - 1);
    static constexpr const char* known[] = {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4",
                                            "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"};
    if (std::find(std::begin(known), std::end(known), type) == std::end(known))
        fail("{}: entries of type \"{}\"; expected one of {}", path_, type, fmt::join(known, ", "));
    type_ = type[1];
    width_ = static_cast<std::size_t>(type[2] - '0');
    const std::string_view order = value_of(text, "fortran_order", path_);
    if (!order.starts_with("True") && !order.starts_with("False"))
        fail("{}: the .npy header says fortran_order {}; expected True or False", path_, order.substr(0, 10));
    fortran_ = order.starts_with("True");
    shape_ = read_shape(value_of(text, "shape", path_), path_);
    if (shape_.size() > 2)
        fail("{}: an array of shape {}; expected one or two dimensions", path_, shape_text());
}

std::string Npy::shape_text() const {
    return fmt::format("({}{})", fmt::join(shape_, ", "), shape_.size() == 1 ? "," : "");
}

std::size_t Npy::size() const {
    std::size_t count = 1;
    for (const std::size_t extent : shape_) count *= extent;
    return count;
}

template <class To>
std::vector<To> Npy::read() const {
    constexpr std::size_t block_entries = 1 << 17;
    const OpenFile file = open_binary(path_);
    std::fseek(file.get(), static_cast<long>(offset_), SEEK_SET);
    std::vector<To> out(size());
    std::vector<char> block(block_entries * width_);
    for (std::size_t done = 0; done < out.size();) {
        const std::size_t some = std::min(block_entries, out.size() - done);
        if (std::fread(block.data(), width_, some, file.get()) != some)
            fail("{}: cannot read: the file has become shorter", path_);
        convert_all(type_, width_, block.data(), some, out.data() + done);
        done += some;
    }
    if (!fortran_ || shape_.size() < 2) return out;
    std::vector<To> turned(out.size());
    for (std::size_t c = 0; c < shape_[1]; ++c)
        for (std::size_t r = 0; r < shape_[0]; ++r) turned[r * shape_[1] + c] = out[c * shape_[0] + r];
    return turned;
}

std::vector<float> Npy::floats() const {
    return read<float>();
}

std::vector<std::int64_t> Npy::whole() const {
    if (!is_whole()) fail("{}: entries with fractions; expected whole numbers", path_);
    return read<std::int64_t>();
}

} // namespace ggsnn
