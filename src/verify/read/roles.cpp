// What formulas call the fields of a record: see program.hpp. One self pointer is `next`. Of two, `prev` and
// `next` are told by their names or by their use; others are the children of a tree.
#include "ggsnn/verify/read/types.hpp"

#include "ggsnn/logic/definitions.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

namespace ggsnn::verify {

namespace {

// The words of a name: "leftChild", "m_left", "p_next" -> left child, m left, p next.
std::vector<std::string> words_of(const std::string& name) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool hump =
            std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
        if ((c == '_' || c == '.' || hump) && !words.back().empty()) words.emplace_back();
        if (c != '_' && c != '.') words.back() += static_cast<char>(std::tolower(c));
    }
    return words;
}

bool named(const std::string& name, std::initializer_list<std::string_view> kinds) {
    for (const std::string& word : words_of(name))
        if (std::find(kinds.begin(), kinds.end(), word) != kinds.end()) return true;
    return false;
}

bool named_prev(const std::string& name) {
    return named(name, {"prev", "previous", "prv", "back", "blink", "pred", "predecessor", "before",
                        "backward", "bwd", "bk", "rlink", "antes", "anterior", "ant"}) ||
           name == "p";
}
bool named_next(const std::string& name) {
    return named(name, {"next", "nxt", "succ", "successor", "flink", "forward", "fwd", "fd", "link", "after",
                        "tl", "cdr", "tail", "rest", "proximo", "prox", "sig", "siguiente"}) ||
           name == "n";
}
bool named_left(const std::string& name) {
    return named(name, {"left", "l", "lft", "lhs", "lchild", "leftchild", "lson", "lt", "less", "smaller",
                        "izq", "esq", "sx", "lo"});
}
bool named_right(const std::string& name) {
    return named(name, {"right", "r", "rgt", "rght", "rhs", "rchild", "rightchild", "rson", "gt", "greater",
                        "larger", "der", "dir", "dx", "hi"});
}

bool named_up(const std::string& name) {
    return named(name, {"parent", "up", "father", "mother", "above", "owner", "padre", "pai"});
}

class Roles {
  public:
    Roles(std::vector<RecordType>& records, int number, const std::vector<BackLink>& links)
        : records_(records),
          record_(records[static_cast<std::size_t>(number)]),
          number_(number),
          links_(links) {}

    void run() {
        std::vector<int> self, other;
        for (std::size_t i = 0; i < record_.fields.size(); ++i) {
            record_.fields[i].role.clear();
            const Type& type = record_.fields[i].type;
            if (type.kind != Type::Kind::pointer) continue;
            if (type.record == number_)
                self.push_back(static_cast<int>(i));
            else if (leads_to_cells(type.record))
                other.push_back(static_cast<int>(i));
        }
        if (self.size() == 1) set(self[0], "next");
        if (self.size() == 2) two(self[0], self[1]);
        if (self.size() > 2) many(self);
        if (other.size() == 1) set(other[0], "val");
        separate();
    }

  private:
    // Text and void * carry data; other pointers lead to structure.
    bool leads_to_cells(int record) const {
        if (record < 0) return false;
        const RecordType& r = records_[static_cast<std::size_t>(record)];
        return r.structure || r.size != 1;
    }
    const std::string& name(int field) const { return record_.fields[static_cast<std::size_t>(field)].name; }
    void set(int field, const char* role) { record_.fields[static_cast<std::size_t>(field)].role = role; }
    void pair(int a, const char* role_a, int b, const char* role_b) {
        set(a, role_a);
        set(b, role_b);
    }

    void two(int a, int b) {
        if (named_left(name(a)) && named_right(name(b))) return pair(a, "left", b, "right");
        if (named_right(name(a)) && named_left(name(b))) return pair(b, "left", a, "right");
        if (named_prev(name(a)) != named_prev(name(b)))
            return named_prev(name(a)) ? pair(b, "next", a, "prev") : pair(a, "next", b, "prev");
        for (const BackLink& link : links_) {
            if (link.record != number_ || link.away == link.back) continue;
            const bool swapped = named_next(name(link.back)) && !named_next(name(link.away));
            return swapped ? pair(link.back, "next", link.away, "prev")
                           : pair(link.away, "next", link.back, "prev");
        }
        // One that is called next beside one that leads elsewhere (down, random): a list, not a tree.
        if (named_next(name(a)) != named_next(name(b))) return set(named_next(name(a)) ? a : b, "next");
        pair(a, "left", b, "right");
    }

    // A tree with a way up, a list with a way across: by names only.
    void many(const std::vector<int>& self) {
        const auto give = [&](bool (*fits)(const std::string&), const char* role) {
            for (int field : self)
                if (fits(name(field))) return set(field, role);
        };
        give(named_left, "left");
        give(named_right, "right");
        give(named_next, "next");
        give(named_prev, "prev");
        // Two beside a way up are the children, whatever they are called (child, sibling).
        std::vector<int> down;
        for (int field : self)
            if (!named_up(name(field)) && record_.fields[static_cast<std::size_t>(field)].role.empty())
                down.push_back(field);
        if (self.size() == 3 && down.size() == 2) pair(down[0], "left", down[1], "right");
        // What further predicates have: fields that are called so.
        for (const logic::Predicate& predicate : logic::predicates())
            for (const logic::Role& role : logic::meaning(predicate.kind).roles)
                for (int field : self)
                    if (name(field) == role.field && !taken(role.field)) set(field, role.field.c_str());
    }

    // Fields without a role keep their names, as far as formulas can say them and no role is called so.
    void separate() {
        for (const bool pointers : {true, false})
            for (auto& field : record_.fields) {
                if ((field.type.kind == Type::Kind::pointer) != pointers || !field.role.empty()) continue;
                std::string role = field.name;
                std::replace(role.begin(), role.end(), '.', '_');
                while (taken(role) || (pointers && standard(role))) role += '\'';
                field.role = role;
            }
    }
    bool taken(const std::string& role) const {
        for (std::string_view word : {"exists", "emp", "none", "NULL", "nil", "null"})
            if (role == word) return true;
        if (logic::predicate_called(role) != nullptr) return true;
        return std::any_of(record_.fields.begin(), record_.fields.end(),
                           [&](const auto& field) { return field.role == role; });
    }
    static bool standard(const std::string& role) {
        const std::vector<std::string>& known = logic::built_in_fields();
        return std::find(known.begin(), known.end(), role) != known.end();
    }

    std::vector<RecordType>& records_;
    RecordType& record_;
    int number_;
    const std::vector<BackLink>& links_;
};

} // namespace

void assign_roles(std::vector<RecordType>& records, const std::vector<BackLink>& links) {
    for (std::size_t i = 0; i < records.size(); ++i)
        if (records[i].structure) Roles(records, static_cast<int>(i), links).run();
}

} // namespace ggsnn::verify
