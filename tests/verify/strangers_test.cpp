// Functions as libraries and text books have them (tests/verify/strangers), each under the precondition that
// is found for it. Those that take more than a moment are left to the attack and to people; errors.c says in
// comments what is expected of its functions.
#include "judged.hpp"

#include <fstream>

namespace ggsnn::verify {
namespace {

class Strangers : public Judging {
  protected:
    static FunctionReport judged_in(const std::string& file, const std::string& function) {
        const std::string path = std::string(GGSNN_SOURCE) + "/tests/verify/strangers/" + file;
        VerifyOptions options;
        options.functions = {function};
        ProgramReport report = verify_program(read_program(path), shipped_networks(), options);
        if (report.functions.size() != 1) throw std::runtime_error("not one function");
        return std::move(report.functions[0]);
    }
    static void expect_proved(const std::string& file, std::initializer_list<const char*> functions) {
        for (const char* function : functions) {
            const FunctionReport report = judged_in(file, function);
            EXPECT_EQ(report.verdict, Verdict::proved) << function << ": " << report.reason;
        }
    }
};

TEST_F(Strangers, WalkDownTreesByLoops) {
    expect_proved("bst.c", {"bst_find_iter", "bst_insert_iter", "least_iter", "insert_by_link"});
    expect_proved("ptree.c", {"ptree_find", "free_by_rotation"});
    expect_proved("binomial.c", {"heap_min"});
}

TEST_F(Strangers, RotateTreesAndSwapCells) {
    expect_proved("bst.c", {"rotate_left", "rotate_right_checked"});
    expect_proved("avl.c", {"avl_left_rotate", "avl_balance", "rb_lean_left"});
    expect_proved("sll.c", {"swap_first_two"});
}

TEST_F(Strangers, CallThemselvesOnTheRest) {
    expect_proved("dll.c", {"dll_append", "dll_insert_back"});
    expect_proved("ptree.c", {"set_parents"});
    expect_proved("binomial.c", {"heap_merge_roots"});
}

TEST_F(Strangers, QueuesRingsAndRows) {
    expect_proved("queue.c", {"queue_pop", "queue_clear", "simpleq_insert_tail"});
    expect_proved("ring.c", {"dring_insert", "dring_remove", "dring_sum"});
    expect_proved("binomial.c", {"rows_free", "rows_flatten"});
    expect_proved("sorted.c", {"partition"});
}

TEST_F(Strangers, HaveErrorsOfTheirOwn) {
    std::ifstream file(std::string(GGSNN_SOURCE) + "/tests/verify/strangers/errors.c");
    const std::string begin = "// expect ";
    int count = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(begin)) continue;
        const std::size_t colon = line.find(':');
        const std::string function = line.substr(begin.size(), colon - begin.size());
        EXPECT_EQ(name_of(judged_in("errors.c", function).verdict), line.substr(colon + 2)) << function;
        ++count;
    }
    EXPECT_EQ(count, 6);
}

} // namespace
} // namespace ggsnn::verify
