// The printer of formulas, in ASCII (which the parser reads back), Unicode and LaTeX.
#include "ggsnn/logic/definitions.hpp"

namespace ggsnn::logic {

namespace {

struct Signs {
    const char *exists, *dot, *star, *arrow, *distinct, *either, *lambda, *to, *turnstile, *open, *close,
        *plus;
};

const Signs& signs(Script script) {
    static const Signs ascii{"exists ", " . ",  " * ",  " |-> ", " != ", " \\/ ",
                             "\\",      " -> ", " |- ", "{",     "}",    "+"};
    static const Signs unicode{"∃", " . ", " ∗ ", " ↦ ", " ≠ ", " ∨ ", "λ", " → ", " ⊢ ", "{", "}", "⁺"};
    static const Signs latex{"\\exists ", " .\\ ",          " \\ast ",   " \\mapsto ", " \\neq ", " \\lor ",
                             "\\lambda ", " \\rightarrow ", " \\vdash ", "\\{",        "\\}",     "^{+}"};
    return script == Script::ascii ? ascii : script == Script::unicode ? unicode : latex;
}

class Printer {
  public:
    Printer(Reading reading, Script script, bool tags = false)
        : reading_(reading), script_(script), tags_(tags), s_(signs(script)) {}

    std::string formula(const Formula& formula) const {
        std::string text;
        for (const SymbolicHeap& h : formula.heaps) {
            if (!text.empty()) text += s_.either;
            text += heap(h);
        }
        return text;
    }

    std::string heap(const SymbolicHeap& heap) const {
        std::string text;
        if (!heap.exists.empty()) {
            text = s_.exists;
            for (std::size_t i = 0; i < heap.exists.size(); ++i)
                text += (i > 0 ? ", " : "") + name(heap.exists[i]);
            text += s_.dot;
        }
        std::string parts;
        const auto add = [&](const std::string& part) { parts += (parts.empty() ? "" : s_.star) + part; };
        for (const Pure& pure : heap.pure)
            add(name(pure.left) + (pure.equal ? " = " : s_.distinct) + name(pure.right));
        for (const Atom& a : heap.atoms) add(atom(a));
        return text + (parts.empty() ? word("emp") : parts);
    }

  private:
    std::string atom(const Atom& atom) const {
        if (atom.kind == Atom::Kind::cell) {
            std::string text = name(atom.root()) + s_.arrow + s_.open;
            for (std::size_t i = 0; i < atom.links.size(); ++i)
                text += (i > 0 ? ", " : "") + field(atom, i) + ": " + name(atom.links[i].second);
            return text + s_.close;
        }
        std::string text = word(is_structure(atom) ? predicate(atom.kind).word : "none");
        if (atom.strict && reading_ == Reading::program) text += s_.plus;
        if (tags_ && !atom.tag.empty() && is_structure(atom)) text += "[" + atom.tag + "]";
        text += "(";
        for (std::size_t i = 0; i < atom.arguments.size(); ++i)
            text += (i > 0 ? ", " : "") + name(atom.arguments[i]);
        if (atom.body)
            text += ", " + (s_.lambda + name(atom.body->parameter)) + s_.to + heap(atom.body->heap);
        return text + ")";
    }

    std::string field(const Atom& cell, std::size_t link) const {
        const std::string& written = cell.links[link].first;
        return name(tags_ ? tagged_field(written, cell.tag) : std::string(bare_field(written)));
    }

    std::string word(std::string_view text) const {
        return script_ == Script::latex ? fmt::format("\\mathsf{{{}}}", text) : std::string(text);
    }

    std::string name(const std::string& name) const {
        if (script_ != Script::latex) return name;
        std::string escaped;
        for (char c : name) {
            if (c == '\\') continue;
            if (c == '_' || c == '$') escaped += '\\';
            escaped += c;
        }
        return fmt::format("\\mathtt{{{}}}", escaped);
    }

    Reading reading_;
    Script script_;
    bool tags_;
    const Signs& s_;
};

// A plain atom cannot be written under the shape reading, where `ls` is strict.
void require_writable(const SymbolicHeap& heap, Reading reading) {
    if (reading == Reading::program) return;
    for (const Atom& atom : heap.atoms) {
        GGSNN_ASSERT(!is_structure(atom) || atom.strict);
        if (atom.body) require_writable(atom.body->heap, reading);
    }
}

} // namespace

std::string tagged_field(const std::string& field, const std::string& tag) {
    return field.find('#') == std::string::npos ? field + tag : field;
}

std::string_view bare_field(std::string_view field) {
    return field.substr(0, field.find('#'));
}

std::string print(const SymbolicHeap& heap, Reading reading, Script script) {
    require_writable(heap, reading);
    return Printer(reading, script).heap(heap);
}

std::string print(const Formula& formula, Reading reading, Script script) {
    for (const SymbolicHeap& heap : formula.heaps) require_writable(heap, reading);
    return Printer(reading, script).formula(formula);
}

std::string print(const Entailment& entailment, Reading reading, Script script) {
    return print(entailment.left, reading, script) + signs(script).turnstile +
           print(entailment.right, reading, script);
}

std::string print_tagged(const SymbolicHeap& heap) {
    return Printer(Reading::program, Script::ascii, true).heap(heap);
}

std::string print_tagged(const Formula& formula) {
    return Printer(Reading::program, Script::ascii, true).formula(formula);
}

std::string print_tagged(const Entailment& entailment) {
    return print_tagged(entailment.left) + signs(Script::ascii).turnstile + print_tagged(entailment.right);
}

} // namespace ggsnn::logic
