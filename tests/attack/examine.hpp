// One program before both: `ggsnn verify` and the sanitizers. What they say must fit together.
#pragma once

#include "judge.hpp"

#include <map>
#include <string>

namespace ggsnn::attack {

struct Verdict {
    enum class Kind { proved, unsafe, unknown, usage, crash, late };
    Kind kind = Kind::unknown;
    std::string message; // of a crash, or what it said at first
    double seconds = 0;
    long kilobytes = 0;
    // What sanitizers cannot see: a postcondition that fails, memory of no bytes, of which they make one, and
    // an access so far from its block that it may lie within another.
    bool promise = false, empty_block = false, far = false;
    bool unwritten = false; // depends on memory that was never written: there is no replay of that
};

const char* name_of(Verdict::Kind kind);

enum class Trouble {
    none,
    wrong_proof, // proved, and a run fails
    false_alarm, // unsafe, no run fails, and neither does the replay
    crash,       // the verifier ended by a signal, or with an exit code that it does not have
    late,        // no answer within the time limit and a second
    usage,       // exit code 2: it did not even try
    no_replay,   // unsafe and rightly so, but the replay does not fail
    overflow,    // proved, and a run overflows a signed number: told, not counted as wrong
};

const char* name_of(Trouble trouble);
// Overflow is not part of what is claimed to be proved.
bool counts(Trouble trouble);

struct Finding {
    Trouble trouble = Trouble::none;
    Verdict verdict;
    Judgement judgement;
    Judgement replay; // only where it was asked for
};

// What is known of a program before.
enum class Truth { unknown, buggy, correct };

struct Examination {
    std::string ggsnn;              // path of the program
    double timeout = 10;            // given to it
    int runs = 8;                   // with the sanitizers
    bool all = false;               // ask the sanitizers even where the verdict is unknown
    bool replays = true;            // hold every `unsafe` to its replay
    std::vector<std::string> flags; // more words for `ggsnn verify`
};

class Examiner {
  public:
    Examiner(Examination how, const Judge& judge, std::string folder);

    Verdict verify(const Case& program, const std::string& replay_path) const;
    // strict: see Judge::judge.
    Finding examine(const Case& program, const std::string& tag, Truth truth = Truth::unknown,
                    bool strict = false) const;

  private:
    Examination how_;
    const Judge& judge_;
    std::string folder_;
};

} // namespace ggsnn::attack
