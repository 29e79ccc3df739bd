// What kind of answers a data set has. What each of them means to a network is its head's business (head.hpp,
// where the one table of them is).
#pragma once

#include <span>
#include <string>

namespace ggsnn {

enum class AnswerKind { node, klass, values, node_classes, node_values, node_sequence, class_sequence };

std::span<const AnswerKind> answer_kinds(); // all of them

const char* name_of(AnswerKind kind);                  // as in the JSON-lines format and in messages
AnswerKind answer_kind_named(const std::string& name); // throws Error

bool is_sequence(AnswerKind kind);
bool is_regression(AnswerKind kind); // answers are numbers
bool has_classes(AnswerKind kind);   // answers are classes of the schema
bool is_each_node(AnswerKind kind);  // an answer for every node of the graph
bool is_plain(AnswerKind kind);      // Head::Traits::plain

} // namespace ggsnn
