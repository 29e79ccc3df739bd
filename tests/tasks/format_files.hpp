// One graph in every format: files as people have them, and the data sets that must come out.
#pragma once

#include "folder.hpp"
#include "ggsnn/tasks/build.hpp"
#include "ggsnn/tasks/split.hpp"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ggsnn::testing {

inline Dataset build_from(const std::string& path, const ReadOptions& options = {}) {
    const auto reader = open_records(path, options);
    DatasetBuilder builder;
    for (Record record; reader->next(record);) builder.add(record);
    builder.finish();
    return builder.data();
}

// An array as numpy.save writes it.
template <class T>
std::string npy_bytes(const std::string& type, const std::string& shape, const std::vector<T>& values,
                      bool fortran = false, int version = 1) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + ", }";
    const std::size_t before = version == 1 ? 10 : 12;
    while ((before + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes = "\x93NUMPY";
    bytes += static_cast<char>(version);
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        bytes += static_cast<char>(header.size() >> (8 * i) & 255);
    bytes += header;
    const std::size_t start = bytes.size();
    bytes.resize(start + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data() + start, values.data(), values.size() * sizeof(T));
    return bytes;
}

// Files of an example, and which of them (or the folder: empty) is the input.
struct FormatExample {
    std::string name, input;
    std::map<std::string, std::string> files;
    std::string same_as; // JSON lines of the same graphs
};

std::vector<FormatExample> format_examples();

inline void put_all(const Folder& folder, const FormatExample& example) {
    for (const auto& [name, content] : example.files) folder.put(name, content);
}
inline std::string input_of(const Folder& folder, const FormatExample& example) {
    return example.input.empty() ? folder.path() : folder / example.input;
}

} // namespace ggsnn::testing
