// Comma-separated values as in RFC 4180, with a header line: a field may stand in quotes, and then hold
// separators, line breaks and, doubled, quotes. The separator is the comma, the semicolon or the tab,
// whichever the header holds most of. Blank lines are skipped, and blanks around a field without quotes are
// no part of it.
#pragma once

#include "ggsnn/base/files.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

class CsvReader {
  public:
    // Reads the header. Throws Error if there is none, or a column stands twice.
    explicit CsvReader(std::unique_ptr<LineReader> lines);

    const std::vector<std::string>& header() const { return header_; }
    // The next row: as many fields as the header has. False at the end.
    bool next(std::vector<std::string>& fields);
    Place place() const { return {lines_->path(), begin_}; } // where the row begins
    const std::string& path() const { return lines_->path(); }

  private:
    bool read(std::vector<std::string>& fields);

    std::unique_ptr<LineReader> lines_;
    char separator_ = ',';
    long begin_ = 0;
    std::vector<std::string> header_;
};

// The columns that a first line names, by the separator that it holds most of: one alone if it holds none,
// none at all if its quotes are wrong.
std::vector<std::string> csv_columns(std::string_view line);

} // namespace ggsnn
