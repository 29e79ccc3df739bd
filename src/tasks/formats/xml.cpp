#include "ggsnn/tasks/formats/xml.hpp"

#include <algorithm>
#include <charconv>

namespace ggsnn {

namespace {

std::string without_prefix(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    return colon == std::string::npos ? name : name.substr(colon + 1);
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
        return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned lead = more == 1 ? 0xc0 : more == 2 ? 0xe0 : 0xf0;
    out += static_cast<char>(lead | code >> (6 * more));
    for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
}

// What stands between & and ;.
bool append_entity(std::string& out, std::string_view name) {
    static constexpr std::pair<std::string_view, char> known[] = {
        {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [text, c] : known) {
        if (name != text) continue;
        out += c;
        return true;
    }
    if (!name.starts_with('#')) return false;
    const bool hex = name.starts_with("#x");
    name.remove_prefix(hex ? 2 : 1);
    unsigned code = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    if (error != std::errc() || end != name.data() + name.size() || code == 0 || code > 0x10ffff || surrogate)
        return false;
    append_utf8(out, code);
    return true;
}

} // namespace

void XmlReader::take(std::size_t count) {
    const auto begin = content_.begin() + static_cast<std::ptrdiff_t>(at_);
    now_ += static_cast<long>(std::count(begin, begin + static_cast<std::ptrdiff_t>(count), '\n'));
    at_ += count;
}

void XmlReader::take_until(std::string_view mark, const char* what) {
    const std::size_t found = content_.find(mark, at_);
    if (found == std::string::npos) fail_at(place(), "{} is never closed; expected \"{}\"", what, mark);
    take(found + mark.size() - at_);
}

void XmlReader::skip_blanks() {
    while (at_ < content_.size() && is_space(content_[at_])) take(1);
}

std::string XmlReader::read_name() {
    const std::size_t begin = at_;
    while (at_ < content_.size() && !is_space(content_[at_]) &&
           std::string_view("<>/=\"'&").find(content_[at_]) == std::string_view::npos)
        ++at_;
    if (at_ == begin) fail_at(place(), "a tag without a name; expected that of an element or attribute");
    return content_.substr(begin, at_ - begin);
}

std::string XmlReader::decode(std::string_view raw) const {
    std::string out;
    for (std::size_t at = 0; at < raw.size();) {
        const std::size_t entity = std::min(raw.find('&', at), raw.size());
        out += raw.substr(at, entity - at);
        if (entity == raw.size()) break;
        const std::size_t end = raw.find(';', entity);
        if (end == std::string_view::npos || !append_entity(out, raw.substr(entity + 1, end - entity - 1)))
            fail_at({path_, now_},
                    "\"{}\" is not an entity; expected &lt; &gt; &amp; &quot; &apos; or the number of a "
                    "character",
                    raw.substr(entity, 12));
        at = end + 1;
    }
    return out;
}

const std::string* XmlReader::attribute(std::string_view name) const {
    for (const auto& [key, value] : attributes_)
        if (key == name) return &value;
    return nullptr;
}

XmlReader::Event XmlReader::next() {
    if (empty_) {
        empty_ = false;
        name_ = open_.back();
        open_.pop_back();
        return Event::end;
    }
    for (;;) {
        line_ = now_;
        if (at_ >= content_.size()) {
            if (!open_.empty())
                fail_at(place(), "the file ends within <{}>; expected </{}>", open_.back(), open_.back());
            if (!any_) fail_at(place(), "the file ends without an element");
            return Event::finish;
        }
        Event event = Event::text;
        if (content_[at_] == '<' && !starts("<![CDATA[") ? read_markup(event) : read_text()) return event;
    }
}

bool XmlReader::read_text() {
    if (starts("<![CDATA[")) {
        const std::size_t begin = at_ + 9;
        take_until("]]>", "CDATA");
        text_ = content_.substr(begin, at_ - 3 - begin);
    } else {
        const std::size_t begin = at_;
        take(std::min(content_.find('<', at_), content_.size()) - at_);
        text_ = decode(std::string_view(content_).substr(begin, at_ - begin));
    }
    if (!open_.empty()) return true;
    if (!std::all_of(text_.begin(), text_.end(), is_space) && text_ != "\xef\xbb\xbf")
        fail_at(place(), "text outside of the outermost element");
    return false;
}

bool XmlReader::read_markup(Event& event) {
    if (starts("<!--")) {
        take(4);
        take_until("-->", "the comment");
        return false;
    }
    if (starts("<?")) {
        take_until("?>", "the processing instruction");
        return false;
    }
    if (starts("<!")) {
        const std::size_t begin = at_;
        take_until(">", "the document type");
        if (content_.substr(begin, at_ - begin).find('[') != std::string::npos)
            fail_at(place(), "the document type has declarations of its own; expected none");
        return false;
    }
    take(1);
    if (starts("/")) {
        read_end();
        event = Event::end;
        return true;
    }
    if (open_.empty() && any_) fail_at(place(), "a second outermost element; expected one");
    any_ = true;
    name_ = without_prefix(read_name());
    open_.push_back(name_);
    read_attributes();
    event = Event::start;
    return true;
}

void XmlReader::read_end() {
    take(1);
    name_ = without_prefix(read_name());
    skip_blanks();
    if (!starts(">")) fail_at(place(), "</{} is never closed; expected \">\"", name_);
    take(1);
    if (open_.empty() || open_.back() != name_)
        fail_at(place(), "</{}> closes nothing; expected {}", name_,
                open_.empty() ? "the end of the file" : "</" + open_.back() + ">");
    open_.pop_back();
}

void XmlReader::read_attributes() {
    attributes_.clear();
    for (;;) {
        skip_blanks();
        if (starts(">") || starts("/>")) break;
        if (at_ >= content_.size()) fail_at(place(), "<{} is never closed; expected \">\"", name_);
        const std::string key = read_name();
        skip_blanks();
        if (!starts("=")) fail_at(place(), "attribute {} of <{}> has no value", key, name_);
        take(1);
        skip_blanks();
        if (!starts("\"") && !starts("'"))
            fail_at(place(), "attribute {} of <{}>: expected its value in quotes", key, name_);
        const std::size_t end = content_.find(content_[at_], at_ + 1);
        if (end == std::string::npos)
            fail_at(place(), "attribute {} of <{}>: the quote is never closed", key, name_);
        if (attribute(key) != nullptr) fail_at(place(), "attribute {} of <{}> stands twice", key, name_);
        attributes_.emplace_back(key, decode(std::string_view(content_).substr(at_ + 1, end - at_ - 1)));
        take(end + 1 - at_);
    }
    empty_ = starts("/>");
    take(empty_ ? 2 : 1);
}

} // namespace ggsnn
