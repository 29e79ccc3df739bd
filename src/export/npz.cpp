#include "ggsnn/export/npz.hpp"

#include <zlib.h>

#include <charconv>
#include <cstdint>
#include <cstring>

namespace ggsnn {

namespace {

constexpr std::size_t most_entry = std::size_t{1} << 31;

// Little-endian numbers at a place that is checked.
class ZipBytes {
  public:
    ZipBytes(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    std::uint32_t number(std::size_t at, int width) const {
        const std::string_view from = part(at, width);
        std::uint32_t value = 0;
        for (int i = width - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(from[i]);
        return value;
    }
    std::string_view part(std::size_t at, std::size_t size) const {
        if (at > bytes_.size() || size > bytes_.size() - at)
            fail("{}: cut short: {} bytes at {} are beyond the end", name_, size, at);
        return bytes_.substr(at, size);
    }
    std::size_t size() const { return bytes_.size(); }

  private:
    std::string_view bytes_;
    const std::string& name_;
};

// An entry of the archive's directory.
struct ZipEntry {
    std::string name;
    std::uint32_t method = 0, checksum = 0, packed = 0, size = 0, offset = 0;
};

// The record at the end of the archive, behind which a comment may stand.
std::size_t find_end(const ZipBytes& zip, const std::string& name) {
    constexpr std::size_t record = 22, most_comment = 65535;
    for (std::size_t back = record; back <= zip.size() && back <= record + most_comment; ++back)
        if (zip.number(zip.size() - back, 4) == 0x06054b50U) return zip.size() - back;
    fail("{}: not an .npz file: it has no directory of a zip archive at its end", name);
}

std::vector<ZipEntry> read_directory(const ZipBytes& zip, const std::string& name) {
    const std::size_t end = find_end(zip, name);
    const std::uint32_t count = zip.number(end + 10, 2);
    std::size_t at = zip.number(end + 16, 4);
    std::vector<ZipEntry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (zip.number(at, 4) != 0x02014b50U)
            fail("{}: entry {} of the archive's directory is none", name, i);
        const std::uint32_t length = zip.number(at + 28, 2), extra = zip.number(at + 30, 2),
                            comment = zip.number(at + 32, 2);
        entries.push_back({std::string(zip.part(at + 46, length)), zip.number(at + 10, 2),
                           zip.number(at + 16, 4), zip.number(at + 20, 4), zip.number(at + 24, 4),
                           zip.number(at + 42, 4)});
        if ((zip.number(at + 8, 2) & 1U) != 0)
            fail("{}: entry \"{}\" is encrypted", name, entries.back().name);
        at += 46 + length + extra + comment;
    }
    return entries;
}

std::string inflate_all(std::string_view packed, std::size_t size, const std::string& where) {
    std::string out(size, '\0');
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("{}: zlib cannot start", where);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(size);
    const int code = inflate(&stream, Z_FINISH);
    const bool whole = code == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!whole) fail("{}: its compressed bytes do not give the {} that the directory says", where, size);
    return out;
}

std::string entry_bytes(const ZipBytes& zip, const ZipEntry& entry, const std::string& where) {
    if (entry.size > most_entry) fail("{}: {} bytes; expected at most {}", where, entry.size, most_entry);
    if (entry.method != 0 && entry.method != 8)
        fail("{}: compressed by method {}; expected 0 (stored) or 8 (deflate)", where, entry.method);
    if (zip.number(entry.offset, 4) != 0x04034b50U) fail("{}: is not where the directory says", where);
    const std::size_t begin =
        entry.offset + 30 + zip.number(entry.offset + 26, 2) + zip.number(entry.offset + 28, 2);
    const std::string_view packed = zip.part(begin, entry.packed);
    // Deflate makes at most 1032 bytes of one: no more memory than the file can account for.
    if (entry.method == 0 ? entry.packed != entry.size : entry.size > 1032 * std::size_t{entry.packed} + 64)
        fail("{}: {} bytes of {} are not possible", where, entry.size, entry.packed);
    std::string bytes = entry.method == 0 ? std::string(packed) : inflate_all(packed, entry.size, where);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    if (sum != entry.checksum) fail("{}: its checksum is wrong: the file is damaged", where);
    return bytes;
}

// What stands behind 'key': in the dictionary that is the header of a .npy file.
std::string_view header_value(std::string_view header, const std::string& key, const std::string& where) {
    const std::size_t at = header.find("'" + key + "':");
    if (at == std::string_view::npos) fail("{}: its header has no {}", where, key);
    const std::size_t begin = header.find_first_not_of(' ', at + key.size() + 3);
    return begin == std::string_view::npos ? std::string_view() : header.substr(begin);
}

std::vector<std::size_t> header_shape(std::string_view text, const std::string& where) {
    std::vector<std::size_t> shape;
    const std::size_t end = text.find(')');
    if (!text.starts_with('(') || end == std::string_view::npos) fail("{}: its header has no shape", where);
    for (std::size_t at = text.find_first_not_of(" ,(", 0); at < end; at = text.find_first_not_of(" ,", at)) {
        std::size_t extent = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, extent);
        if (error != std::errc())
            fail("{}: its shape is {}; expected whole numbers", where, text.substr(0, end + 1));
        shape.push_back(extent);
        at = static_cast<std::size_t>(stop - text.data());
    }
    return shape;
}

template <class From>
std::vector<float> read_numbers(std::string_view bytes) {
    std::vector<float> values(bytes.size() / sizeof(From));
    for (std::size_t i = 0; i < values.size(); ++i) {
        From value;
        std::memcpy(&value, bytes.data() + i * sizeof(From), sizeof(From));
        values[i] = static_cast<float>(value);
    }
    return values;
}

NamedTensor read_array(std::string_view bytes, const std::string& where) {
    if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY")) fail("{}: is no .npy file", where);
    const int version = static_cast<unsigned char>(bytes[6]);
    if (version < 1 || version > 3) fail("{}: .npy version {}; expected 1, 2 or 3", where, version);
    const ZipBytes numbers(bytes, where);
    const std::size_t begin = version == 1 ? 10 : 12, length = numbers.number(8, version == 1 ? 2 : 4);
    const std::string_view header = numbers.part(begin, length), data = bytes.substr(begin + length);
    const std::string_view type = header_value(header, "descr", where);
    const bool is_double = type.starts_with("'<f8'");
    if (!is_double && !type.starts_with("'<f4'"))
        fail("{}: entries of type {}; expected '<f4' or '<f8'", where, type.substr(0, type.find(',')));
    NamedTensor tensor;
    tensor.shape = header_shape(header_value(header, "shape", where), where);
    std::size_t expected = is_double ? 8 : 4;
    for (std::size_t extent : tensor.shape)
        if (__builtin_mul_overflow(expected, extent, &expected))
            fail("{}: its shape is beyond all memory", where);
    if (data.size() != expected)
        fail("{}: {} bytes behind the header; expected {} for its shape", where, data.size(), expected);
    tensor.values = is_double ? read_numbers<double>(data) : read_numbers<float>(data);
    if (!header_value(header, "fortran_order", where).starts_with("True")) return tensor;
    if (tensor.shape.size() > 2)
        fail("{}: in Fortran's order; expected C's (numpy.ascontiguousarray)", where);
    if (tensor.shape.size() < 2) return tensor;
    const std::vector<float> turned = tensor.values;
    for (std::size_t r = 0; r < tensor.shape[0]; ++r)
        for (std::size_t c = 0; c < tensor.shape[1]; ++c)
            tensor.values[r * tensor.shape[1] + c] = turned[c * tensor.shape[0] + r];
    return tensor;
}

} // namespace

std::map<std::string, NamedTensor> decode_npz(std::string_view bytes, const std::string& name) {
    const ZipBytes zip(bytes, name);
    std::map<std::string, NamedTensor> arrays;
    for (const ZipEntry& entry : read_directory(zip, name)) {
        const std::string where = fmt::format("{}: \"{}\"", name, entry.name);
        if (!entry.name.ends_with(".npy")) fail("{}: expected .npy files alone", where);
        const std::string key = entry.name.substr(0, entry.name.size() - 4);
        if (!arrays.emplace(key, read_array(entry_bytes(zip, entry, where), where)).second)
            fail("{}: is there twice", where);
    }
    return arrays;
}

} // namespace ggsnn
