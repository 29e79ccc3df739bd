// The judges that are not ours: a program is compiled by gcc with the address, undefined-behaviour and leak
// sanitizers and run several times, with other values from outside (stub.c) and other contents of memory that
// was never written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ggsnn::attack {

// A program on disk. NAME.harness.c beside NAME.c has the main of a program without one and includes it;
// NAME.other.c is the other translation unit. Comment lines of the program may say how it is run:
//   // arguments: one two
//   // input: a line for standard input
struct Case {
    std::string path;
    std::string harness, other; // empty: none

    std::string name() const; // without folder and .c
};

Case case_at(const std::string& path);

struct Judgement {
    enum class Kind {
        clean,
        memory, // invalid access, double free, division by zero, ..
        leak,
        assertion,
        arithmetic, // overflow of signed numbers, shifts: not part of what is proved
        stopped,    // not over in time: says nothing
        rejected,   // does not compile
    };
    Kind kind = Kind::clean;
    std::string message;    // one line
    std::uint64_t seed = 0; // of the run

    bool fails() const { return kind == Kind::memory || kind == Kind::leak || kind == Kind::assertion; }
};

const char* name_of(Judgement::Kind kind);

class Judge {
  public:
    // folder: for the compiled stub, and for executables. Throws Error if the stub does not compile.
    // allocation_may_fail: in some runs, one allocation gives NULL.
    Judge(std::string folder, const std::string& stub_path, bool allocation_may_fail = false);

    // The first run that fails; otherwise arithmetic, stopped or clean. `strict`: warnings that tell of a
    // program cut to pieces (no return, no declaration) reject it. tag: unique among threads.
    Judgement judge(const Case& program, const std::string& tag, int runs, bool strict = false) const;

    // Of a replay, which has its own main and values.
    Judgement judge_replay(const std::string& path, const std::string& include, const std::string& tag) const;

  private:
    std::string compile(const std::vector<std::string>& sources, const std::string& executable,
                        bool strict) const;

    std::string folder_, stub_;
    bool allocation_may_fail_;
};

} // namespace ggsnn::attack
