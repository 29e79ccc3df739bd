// The writer of programs about memory (generate_blocks.cpp: scopes; generate_uses.cpp: what is done with what
// they own).
#pragma once

#include "writer.hpp"

namespace ggsnn::attack {

// A struct of the program. All have an int `v`; the flags tell what else.
struct RecordType {
    std::string name;
    bool link = false;   // struct NAME *link
    bool text = false;   // char text[8]
    bool either = false; // union { int i; unsigned char c[4]; } u
    bool bits = false;   // unsigned bits : 3, more : 5
    bool data = false;   // int *data
    bool inner = false;  // struct { short x; long y; } in
};

// Memory that a scope around the present place owns.
struct Block {
    enum class Kind { record, array, text };
    Kind kind = Kind::record;
    std::string name;
    int record = -1;
    int length = 0;       // text: at most so many characters are in it now
    int count = 1;        // array, text: elements
    bool pointer = false; // the name is a pointer to it
    std::string release;  // the statement; empty: a local
};

class Blocks {
  public:
    explicit Blocks(Writer& writer) : w(writer) {}
    Generated write();

  private:
    void declare_record();
    void body(int depth);
    void scope(int depth);
    void branch(int depth);
    void loop(int depth);
    void leave();
    void inside(const Block& block, int depth);
    void release(const Block& block, const std::string& use);
    void initialise(const Block& block);
    void attach(const Block& block);
    void heap_record(int depth);
    void local_record(int depth);
    void heap_array(int depth);
    void local_array(int depth);
    void growing_array(int depth);
    void text_scope(int depth);
    void dangling_scope(int depth);

    void use_something();
    void use_record(const Block& block);
    void use_fields(const Block& block);
    void use_array(const Block& block);
    void use_text(const Block& block);

    Writer& w;
    std::vector<RecordType> records_;
    std::vector<Block> owned_;
};

} // namespace ggsnn::attack
