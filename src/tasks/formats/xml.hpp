// A small reader of XML: elements, attributes, text, the five entities and characters by number, CDATA,
// comments and processing instructions. Namespaces are told apart by nobody here: a prefix is dropped. A
// document type that declares entities is refused. One event after the other, so depth costs nothing.
#pragma once

#include "ggsnn/base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ggsnn {

class XmlReader {
  public:
    enum class Event { start, end, text, finish };

    XmlReader(std::string content, std::string path) : content_(std::move(content)), path_(std::move(path)) {}

    // What comes next; <a/> is a start and an end. finish comes where the outermost element has ended, and
    // only there. Throws Error with file and line.
    Event next();

    const std::string& name() const { return name_; } // start, end: of the element, without its prefix
    const std::string& text() const { return text_; } // text: as it is meant
    // start: the value, or null if there is none.
    const std::string* attribute(std::string_view name) const;
    Place place() const { return {path_, line_}; } // where the event begins

  private:
    bool starts(std::string_view text) const {
        return std::string_view(content_).substr(at_).starts_with(text);
    }
    void take_until(std::string_view mark, const char* what); // moves behind the mark
    void take(std::size_t count);                             // counts lines
    void skip_blanks();
    std::string read_name();
    std::string decode(std::string_view raw) const;
    bool read_markup(Event& event); // false: nothing that is an event
    void read_attributes();
    void read_end();
    bool read_text();

    std::string content_, path_;
    std::size_t at_ = 0;
    long line_ = 1, now_ = 1; // of the event; of at_
    std::vector<std::string> open_;
    bool empty_ = false, any_ = false; // <a/>: its end comes next; an element was seen
    std::string name_, text_;
    std::vector<std::pair<std::string, std::string>> attributes_;
};

} // namespace ggsnn
