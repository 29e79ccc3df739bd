// The part of the reader of edge lists that headers of large graphs use, too.
#pragma once

#include "ggsnn/tasks/formats/node_table.hpp"

#include <functional>

namespace ggsnn {

// Edges of a CSV file with the columns source and target (from, to; src, dst), and what they carry. `node`
// gives the number of a node by its name, or throws Error with the place.
void read_edge_file(CsvReader& csv, Record& record,
                    const std::function<int(const std::string& name, const Place& place)>& node);

} // namespace ggsnn
