// Proofs that are written down: the checker accepts those of the prover, and rejects what was made of them by
// a change of meaning. GGSNN_PROOFS=<number> takes so many files of each division instead of a few.
#include "ggsnn/base/files.hpp"
#include "ggsnn/base/json.hpp"
#include "ggsnn/base/random.hpp"
#include "ggsnn/logic/smtlib.hpp"
#include "induct_draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#ifdef GGSNN_HAS_CHECKER
#include "ggsnn/checker/check.hpp"

namespace ggsnn::logic {
namespace {

// Empty: accepted.
std::string reason(const std::string& problem, const std::string& proof) {
    try {
        checker::check(problem, proof);
        return "";
    } catch (const checker::Rejected& why) {
        return why.what();
    }
}

std::string proof_of(const std::string& text, std::uint64_t work = 200'000) {
    ProverLimits limits;
    limits.seconds = 1000;
    limits.work = work;
    return solve_with_proof(read_smtlib(text, limits), limits).proof;
}

std::string lists(const std::string& left, const std::string& right) {
    return "(declare-sort R 0)\n(declare-datatypes ((T 0)) (((c (next R)))))\n(declare-heap (R T))\n"
           "(define-fun-rec ls ((x R) (y R)) Bool (or (and (= x y) (_ emp R T)) (exists ((u R)) (and "
           "(distinct x y) (sep (pto x (c u)) (ls u y))))))\n"
           "(define-fun-rec rl ((x R) (y R)) Bool (or (pto x (c y)) (exists ((u R)) (sep (pto u (c y)) (rl x "
           "u)))))\n"
           "(define-fun-rec ll ((x R) (n Int)) Bool (or (and (= x (as nil R)) (= n 0)) (exists ((u R)) (sep "
           "(pto x (c u)) (ll u (- n 1))))))\n"
           "(define-fun-rec sure ((x R)) Bool (exists ((u R)) (and (distinct x u) (sep (pto x (c u)) (ls u "
           "(as nil R))))))\n"
           "(declare-const x R)(declare-const y R)(declare-const z R)(declare-const w R)(declare-const n Int)"
           "(declare-const m Int)\n(assert " +
           left + ")\n(assert (not " + right + "))\n(check-sat)\n";
}

const std::vector<std::string>& entailments() {
    static const std::vector<std::string> all{
        lists("(sep (ls x y) (ls y (as nil R)))", "(ls x (as nil R))"),
        lists("(sep (ls x y) (ls y z) (pto z (c w)))", "(sep (ls x z) (pto z (c w)))"),
        lists("(and (distinct z w) (sep (ls x y) (ls y z) (ls z w)))", "(sep (ls x z) (ls z w))"),
        lists("(sep (pto x (c y)) (rl y z))", "(rl x z)"),
        lists("(sep (rl x y) (rl y z))", "(rl x z)"),
        lists("(ll x n)", "(exists ((y R) (m Int)) (and (= n (+ m 0)) (ll x m)))"),
        lists("(and (= n 2) (sep (ll x n) (pto z (c w))))",
              "(exists ((u R) (v R)) (sep (pto x (c u)) (pto u (c (as nil R))) (pto z (c v))))"),
        lists("(sure x)", "(ls x (as nil R))"),
        lists("(sep (pto x (c y)) (pto x (c z)))", "(ls y z)"),
        lists("(or (pto x (c (as nil R))) (and (= x (as nil R)) (_ emp R T)))", "(ls x (as nil R))")};
    return all;
}

TEST(Proof, IsWrittenAndAccepted) {
    for (const std::string& text : entailments()) {
        const std::string proof = proof_of(text);
        ASSERT_FALSE(proof.empty()) << text;
        EXPECT_EQ(reason(text, proof), "") << text << proof;
    }
}

// Which of many like structures is which follows from one end of the chain; any other order of looking has a
// number of guesses for each.
TEST(Proof, ManyExistentialStructuresMeetTheirOwn) {
    constexpr int length = 14;
    const auto name = [](int i) {
        return i == 0 ? "x" : i == length ? "(as nil R)" : "a" + std::to_string(i);
    };
    std::string bound, left, right;
    for (int i = 1; i < length; ++i) bound += "(a" + std::to_string(i) + " R)";
    for (int i = 0; i < length; ++i) {
        left += "(rl " + name(i) + " " + name(i + 1) + ")";
        const int at = 5 * (i + 1) % length; // in another order
        right += "(rl " + name(at) + " " + name(at + 1) + ")";
    }
    const auto whole = [&](const std::string& parts) {
        return "(exists (" + bound + ") (sep " + parts + "))";
    };
    const std::string text = lists(whole(left), whole(right));
    const std::string proof = proof_of(text);
    ASSERT_FALSE(proof.empty());
    EXPECT_EQ(reason(text, proof), "");
}

// Lists laid out from either end, and by what may be either: they mean the same.
const char* const either_end =
    "(declare-sort R 0)\n(declare-datatypes ((T 0)) (((c (next R)))))\n(declare-heap (R T))\n"
    "(define-fun-rec front ((x R) (y R)) Bool (or (and (= x y) (_ emp R T)) (exists ((u R)) (sep (pto x (c "
    "u)) "
    "(front u y)))))\n"
    "(define-fun-rec back ((x R) (y R)) Bool (or (and (= x y) (_ emp R T)) (exists ((u R)) (sep (back x u) "
    "(pto "
    "u (c y))))))\n"
    "(define-fun-rec both ((x R) (y R)) Bool (or (and (= x y) (_ emp R T)) (exists ((u R)) (sep (pto x (c "
    "u)) "
    "(both u y))) (exists ((u R)) (sep (both x u) (pto u (c y))))))\n"
    "(define-fun-rec any ((x R) (y R)) Bool (or (front x y) (back x y)))\n"
    "(declare-const x R)(declare-const y R)(declare-const z R)(declare-const w R)\n";

// Trees with their sizes, the same with a hole, and sorted lists.
const char* const sized =
    "(declare-sort R 0)\n(declare-datatypes ((T 0)) (((c (left R) (right R)))))\n(declare-heap (R T))\n"
    "(define-fun-rec tr ((x R) (n Int)) Bool (or (and (= x (as nil R)) (= n 0) (_ emp R T)) (exists ((a R) "
    "(b R) "
    "(i Int) (j Int)) (and (sep (pto x (c a b)) (tr a i) (tr b j)) (= n (+ i j 1)) (<= 0 i) (<= 0 j)))))\n"
    "(define-fun-rec hole ((x R) (y R) (n Int)) Bool (or (and (= x y) (= n 0) (_ emp R T)) (exists ((a R) (b "
    "R) "
    "(i Int) (j Int)) (and (sep (pto x (c a b)) (tr a i) (hole b y j)) (= n (+ i j 1)) (<= 0 i))) (exists "
    "((a R) "
    "(b R) (i Int) (j Int)) (and (sep (pto x (c a b)) (hole a y i) (tr b j)) (= n (+ i j 1)) (<= 0 j)))))\n"
    "(declare-const x R)(declare-const y R)(declare-const z R)(declare-const w R)(declare-const n Int)"
    "(declare-const m Int)(declare-const k Int)\n";

const char* const sorted =
    "(declare-sort R 0)\n(declare-datatypes ((T 0)) (((c (next R) (val Int)))))\n(declare-heap (R T))\n"
    "(define-fun-rec so ((x R) (y R) (a Int) (b Int)) Bool (or (and (= a b) (pto x (c y a))) (exists ((u R) "
    "(i "
    "Int)) (and (sep (pto x (c u a)) (so u y i b)) (<= a i) (<= i b)))))\n"
    "(declare-const x R)(declare-const y R)(declare-const z R)(declare-const a Int)(declare-const b Int)\n";

// Trees with pointers to the node above, from the root and from some leaf.
const char* const from_leaf = "(declare-sort R 0)\n(declare-datatypes ((T 0)) (((c (left R) (right R) (up "
                              "R)))))\n(declare-heap (R T))\n"
                              "(define-fun-rec down ((x R) (p R)) Bool (or (pto x (c (as nil R) (as nil R) "
                              "p)) (exists ((a R) (b R)) (sep "
                              "(pto x (c a b p)) (down a x) (down b x)))))\n"
                              "(define-fun-rec path ((x R) (from R) (top R) (p R)) Bool (or (exists ((v R) "
                              "(b R)) (sep (pto x (c from b v)) "
                              "(down b x) (path v x top p))) (exists ((v R) (a R)) (sep (pto x (c a from v)) "
                              "(down a x) (path v x top p))) "
                              "(exists ((b R)) (and (= x top) (sep (pto x (c from b p)) (down b x)))) "
                              "(exists ((a R)) (and (= x top) (sep "
                              "(pto x (c a from p)) (down a x))))))\n"
                              "(define-fun-rec leaf ((top R) (p R)) Bool (or (pto top (c (as nil R) (as nil "
                              "R) p)) (exists ((x R) (v R)) "
                              "(sep (pto x (c (as nil R) (as nil R) v)) (path v x top p)))))\n"
                              "(declare-const x R)(declare-const y R)\n";

TEST(Proof, IsFoundWithLittleWork) {
    const struct {
        const char *what, *definitions, *left, *right;
    } cases[] = {
        {"definitions that mean the same", either_end, "(sep (any y z) (front x y) (back z w))",
         "(both x w)"},
        {"an integer that an equation tells", sized, "(and (sep (hole x y n) (tr y m)) (= k (+ n m)))",
         "(tr x k)"},
        {"sizes that are added", sized, "(and (sep (tr x n) (hole y z m) (hole z w k)) (<= 5 n))",
         "(exists ((d R) (e R) (f R) (i Int) (j Int)) (sep (hole d e i) (hole x f j)))"},
        {"which of two trees is the larger one", sized, "(and (tr x n) (<= 10 n))",
         "(exists ((d R) (i Int) (j Int)) (and (sep (hole x d i) (tr d j)) (<= 1 i) (<= 2 j)))"},
        {"the integer of the first cell", sorted, "(and (sep (so x y 1 a) (so y z b 9)) (< a b))",
         "(exists ((u R) (i Int) (j Int) (v Int)) (and (sep (pto u (c z v)) (so x u i j)) (<= j v)))"},
        {"cells of the right side at no known place", from_leaf, "(down x y)", "(leaf x y)"},
    };
    for (const auto& one : cases) {
        const std::string text = std::string(one.definitions) + "(assert " + one.left + ")(assert (not " +
                                 one.right + "))(check-sat)\n";
        const std::string proof = proof_of(text, 8'000'000);
        ASSERT_FALSE(proof.empty()) << one.what;
        EXPECT_EQ(reason(text, proof), "") << one.what;
    }
}

// A proof of one problem shows nothing of another.
TEST(Proof, IsRejectedForOtherProblems) {
    const std::vector<std::string>& all = entailments();
    for (const std::string& one : all) {
        const std::string proof = proof_of(one);
        for (const std::string& other : all)
            if (one != other) {
                EXPECT_NE(reason(other, proof), "") << one << other;
            }
    }
}

TEST(Proof, IsNotWrittenForWhatIsNotValid) {
    EXPECT_EQ(proof_of(lists("(sep (ls x y) (ls y z))", "(ls x z)")), "");
    EXPECT_EQ(proof_of(lists("(ls x y)", "(rl x y)")), "");
}

// A proof that uses its own root where no cell is gone: what a checker that forgot the condition accepts.
TEST(Proof, InductionNeedsASmallerHeap) {
    const std::string text = lists("(ls x y)", "(rl x y)"); // not valid: ls may be empty
    const OrderedJson sequent = OrderedJson::parse(
        R"({"left": {"calls": [["ls", "x", "y"]]}, "exists": [], "right": {"calls": [["rl", "x", "y"]]}})");
    OrderedJson proof = OrderedJson::parse(proof_of(entailments()[3]));
    proof["lemmas"] = OrderedJson::array();
    OrderedJson node{{"id", 1}, {"rule", "use"}, {"fact", 1}, {"locals", OrderedJson::array()}};
    node["terms"] = node["fresh"] = OrderedJson::object();
    node["sequent"] = sequent;
    node["children"] = {{{"rule", "done"}, {"locals", OrderedJson::array()}}};
    proof["proofs"][0]["proof"] = node;
    EXPECT_EQ(reason(text, proof.dump()), "the heap is not smaller where the node above is used");
}

// ---- changes

// Every value inside the proof that a change could be made to, as pointers.
void collect(const OrderedJson& json, const OrderedJson::json_pointer& at,
             std::vector<OrderedJson::json_pointer>& all) {
    all.push_back(at);
    if (json.is_object())
        for (const auto& [key, value] : json.items()) collect(value, at / key, all);
    if (json.is_array())
        for (std::size_t i = 0; i < json.size(); ++i) collect(json[i], at / i, all);
}

// All names in the proof.
void collect_names(const OrderedJson& json, std::vector<std::string>& names) {
    if (json.is_string()) names.push_back(json.get<std::string>());
    if (!json.is_structured()) return;
    for (const auto& part : json) collect_names(part, names);
}

// One random change; empty if there was nothing to change where it looked.
std::string changed(const std::string& proof, Random& rng) {
    OrderedJson json = OrderedJson::parse(proof);
    std::vector<OrderedJson::json_pointer> places;
    collect(json, OrderedJson::json_pointer(), places);
    std::vector<std::string> names;
    collect_names(json, names);
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(rng.below(n)); };
    OrderedJson& value = json[places[pick(places.size())]];
    if (value.is_string()) {
        const std::string other = names[pick(names.size())];
        if (other == value.get<std::string>()) return "";
        value = other;
    } else if (value.is_number_integer()) {
        value = value.get<int>() + (pick(2) == 0 ? 1 : -1);
    } else if (value.is_boolean()) {
        value = !value.get<bool>();
    } else if (value.is_array() && !value.empty()) {
        const std::size_t at = pick(value.size());
        if (pick(2) == 0)
            value.erase(at); // an atom, a condition, a child, a name
        else
            std::swap(value[at], value[pick(value.size())]);
    } else if (value.is_object() && value.contains("children") && !value["children"].empty()) {
        // A step is left out; or another one stands in its place.
        value =
            pick(2) == 0 ? OrderedJson(value["children"][0]) : OrderedJson(json[places[pick(places.size())]]);
    } else {
        return "";
    }
    return json.dump() == proof ? "" : json.dump();
}

// A stated sequent as a problem of its own, with the definitions of lists().
std::string as_problem(const Json& sequent) {
    std::set<std::string> numbers, places;
    const auto look = [&](const Json& clause) {
        for (const Json& cell : clause.value("cells", Json::array())) {
            places.insert(cell[0].get<std::string>());
            for (const auto& [field, value] : cell[1].items()) places.insert(value.get<std::string>());
        }
        for (const Json& call : clause.value("calls", Json::array()))
            for (std::size_t i = 1; i < call.size(); ++i)
                (call[0] == "ll" && i == 2 ? numbers : places).insert(call[i].get<std::string>());
        for (const char* key : {"equal", "distinct"})
            for (const Json& pair : clause.value(key, Json::array()))
                for (const Json& name : pair) places.insert(name.get<std::string>());
        for (const Json& one : clause.value("numbers", Json::array()))
            for (const auto& [name, coefficient] : one["sum"].items()) numbers.insert(name);
    };
    look(sequent.at("left"));
    look(sequent.at("right"));
    const auto name = [](std::string text) {
        if (text == "nil") return std::string("(as nil R)");
        std::replace(text.begin(), text.end(), '#', 'v');
        return "c_" + text;
    };
    const auto clause_text = [&](const Json& clause) {
        std::string atoms = "(_ emp R T)", conditions;
        for (const Json& cell : clause.value("cells", Json::array()))
            atoms += fmt::format("(pto {} (c {}))", name(cell[0]), name(cell[1].at("next")));
        for (const Json& call : clause.value("calls", Json::array())) {
            atoms += "(" + call[0].get<std::string>();
            for (std::size_t i = 1; i < call.size(); ++i) atoms += " " + name(call[i]);
            atoms += ")";
        }
        for (const char* key : {"equal", "distinct"})
            for (const Json& pair : clause.value(key, Json::array()))
                conditions += fmt::format("({} {} {})", std::string(key) == "equal" ? "=" : key,
                                          name(pair[0]), name(pair[1]));
        for (const Json& one : clause.value("numbers", Json::array())) {
            std::string sum = fmt::format("(+ (- {}) 0", -one["constant"].get<int>());
            if (one["constant"].get<int>() >= 0) sum = fmt::format("(+ {} 0", one["constant"].get<int>());
            for (const auto& [term, coefficient] : one["sum"].items())
                sum += coefficient.get<int>() < 0
                           ? fmt::format(" (* (- {}) {})", -coefficient.get<int>(), name(term))
                           : fmt::format(" (* {} {})", coefficient.get<int>(), name(term));
            const std::string is = one["is"];
            conditions += fmt::format("({} {}) 0)", is == "!=" ? "distinct" : is, sum);
        }
        return fmt::format("(and {} (sep {}))", conditions, atoms);
    };
    std::string declared, bound;
    const Json& exists = sequent.at("exists");
    for (const auto* all : {&places, &numbers})
        for (const std::string& one : *all) {
            if (one == "nil" || (all == &places && numbers.contains(one))) continue;
            const std::string sort = all == &numbers ? "Int" : "R";
            if (std::find(exists.begin(), exists.end(), one) != exists.end())
                bound += fmt::format("({} {})", name(one), sort);
            else
                declared += fmt::format("(declare-const {} {})", name(one), sort);
        }
    const std::string right = clause_text(sequent.at("right"));
    const std::string text = lists("LEFT", "RIGHT");
    return text.substr(0, text.find("(declare-const")) + declared + "(assert " +
           clause_text(sequent.at("left")) + ")(assert (not " +
           (bound.empty() ? right : "(exists (" + bound + ") " + right + ")") + "))(check-sat)";
}

void collect_sequents(const Json& json, std::set<std::string>& all) {
    if (json.is_object() && json.contains("left") && json.contains("exists")) all.insert(json.dump());
    if (json.is_structured())
        for (const auto& part : json) collect_sequents(part, all);
}

// A change may leave a proof right: it says more than it must. Then each sequent that it states anew must
// hold, whatever the checker says: none has a counter-model. False: it is not a problem that can be asked, a
// name stands for a location and for an integer.
bool still_right(const std::string& before, const std::string& after) {
    std::set<std::string> old_ones, new_ones;
    collect_sequents(Json::parse(before), old_ones);
    collect_sequents(Json::parse(after), new_ones);
    for (const std::string& sequent : new_ones) {
        if (old_ones.contains(sequent)) continue;
        const std::string problem = as_problem(Json::parse(sequent));
        ProverLimits limits;
        limits.seconds = 1000;
        limits.work = 20'000;
        try {
            EXPECT_NE(solve(read_smtlib(problem, limits), limits).verdict, Validity::invalid)
                << problem << "\n"
                << after;
        } catch (const SyntaxError&) {
            return false;
        }
    }
    return true;
}

int proofs_wanted(int few) {
    const char* wanted = std::getenv("GGSNN_PROOFS");
    return wanted ? std::max(1, std::atoi(wanted)) : few;
}

TEST(Proof, ChangesOfMeaningAreRejected) {
    const int count = proofs_wanted(12); // for each proof
    int rejected = 0, right = 0;
    Random rng(7);
    for (const std::string& problem : entailments()) {
        const std::string proof = proof_of(problem);
        for (int i = 0; i < count;) {
            const std::string other = changed(proof, rng);
            if (other.empty()) continue;
            ++i;
            if (!reason(problem, other).empty()) {
                ++rejected;
                continue;
            }
            right += still_right(proof, other) ? 1 : 0;
        }
    }
    std::printf("%d changed proofs rejected, %d still right\n", rejected, right);
    EXPECT_GT(rejected, right);
}

// What is not valid has no proof, whatever is changed in one of something like it.
TEST(Proof, NoChangeProvesWhatIsNotValid) {
    const std::vector<std::pair<std::string, std::string>> alike{
        {lists("(sep (ls x y) (ls y (as nil R)))", "(ls x (as nil R))"),
         lists("(sep (ls x y) (ls y (as nil R)))", "(ls y (as nil R))")},
        {lists("(sep (ls x y) (ls y z) (pto z (c w)))", "(sep (ls x z) (pto z (c w)))"),
         lists("(sep (ls x y) (ls y z) (pto z (c w)))", "(sep (ls x w) (pto z (c w)))")},
        {lists("(sep (rl x y) (rl y z))", "(rl x z)"), lists("(sep (rl x y) (rl z y))", "(rl x y)")},
        {lists("(sep (pto x (c y)) (rl y z))", "(rl x z)"),
         lists("(sep (pto x (c y)) (rl y z))", "(rl y z)")},
        {lists("(and (= n 2) (ll x n))", "(exists ((u R)) (sep (pto x (c u)) (pto u (c (as nil R)))))"),
         lists("(and (= n 3) (ll x n))", "(exists ((u R)) (sep (pto x (c u)) (pto u (c (as nil R)))))")}};
    const int count = proofs_wanted(12);
    Random rng(11);
    for (const auto& [valid, invalid] : alike) {
        const std::string proof = proof_of(valid);
        ASSERT_EQ(reason(valid, proof), "") << valid;
        ASSERT_EQ(solve(read_smtlib(invalid)).verdict, Validity::invalid) << invalid;
        EXPECT_NE(reason(invalid, proof), "") << invalid;
        for (int i = 0; i < count; ++i) {
            const std::string other = changed(proof, rng);
            if (!other.empty()) {
                EXPECT_NE(reason(invalid, other), "") << invalid << other;
            }
        }
    }
}

// ---- random definitions

// How many are valid and have a proof; each must be accepted.
int accepted_proofs(int problems, bool numbers) {
    int proved = 0;
    for (int seed = 1; seed <= problems; ++seed) {
        const std::string text = smt_text(Draw(static_cast<std::uint64_t>(seed), numbers).problem());
        ProverLimits limits;
        limits.seconds = 1000;
        limits.work = numbers ? 60'000 : 10'000;
        const Answer answer = solve_with_proof(read_smtlib(text, limits), limits);
        if (answer.verdict != Validity::valid || answer.proof.empty()) continue;
        ++proved;
        EXPECT_EQ(reason(text, answer.proof), "") << "seed " << seed << "\n" << text << answer.proof;
    }
    std::printf("%d proofs accepted\n", proved);
    return proved;
}

TEST(Proof, OfRandomDefinitionsAreAccepted) {
    const int problems = proofs_wanted(20);
    EXPECT_GT(accepted_proofs(4 * problems, false), problems);
    EXPECT_GT(accepted_proofs(problems, true), problems / 8);
}

// ---- SL-COMP

TEST(Proof, OfSlCompFilesAreAccepted) {
    const std::filesystem::path folder = std::filesystem::path(GGSNN_DATA) / "slcomp";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no problems in " << GGSNN_DATA;
    const auto wanted = static_cast<std::size_t>(proofs_wanted(3));
    for (const char* division :
         {"qf_shid_entl", "shid_entl", "qf_shidlia_entl", "shidlia_entl", "qf_shls_entl"}) {
        std::vector<std::string> paths;
        for (const auto& entry : std::filesystem::directory_iterator(folder / division))
            paths.push_back(entry.path());
        std::sort(paths.begin(), paths.end());
        std::size_t accepted = 0;
        // Spread over the division; some are too much work for a test.
        for (std::size_t i = 0; i < paths.size() && accepted < wanted; i += 1 + paths.size() / (4 * wanted)) {
            const std::string text = read_file(paths[i]);
            const std::string proof = proof_of(text, 300'000);
            if (proof.empty()) continue;
            EXPECT_EQ(reason(text, proof), "") << paths[i];
            ++accepted;
        }
        EXPECT_GE(accepted, std::min<std::size_t>(wanted, 3)) << division;
    }
}

} // namespace
} // namespace ggsnn::logic
#endif
