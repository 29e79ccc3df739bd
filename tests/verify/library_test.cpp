// The table of the C library, and formats.
#include "ggsnn/verify/library.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ggsnn::verify {
namespace {

using Special = LibraryFunction::Special;
using Result = LibraryFunction::Result;

TEST(Library, KnowsTheCommonFunctions) {
    for (const char* name : {"malloc",
                             "calloc",
                             "realloc",
                             "free",
                             "strdup",
                             "strlen",
                             "strcpy",
                             "strncpy",
                             "strcat",
                             "strcmp",
                             "memcpy",
                             "memmove",
                             "memset",
                             "memcmp",
                             "printf",
                             "sprintf",
                             "snprintf",
                             "fprintf",
                             "puts",
                             "putchar",
                             "scanf",
                             "sscanf",
                             "fgets",
                             "fread",
                             "fwrite",
                             "fopen",
                             "fclose",
                             "exit",
                             "abort",
                             "atexit",
                             "atoi",
                             "strtol",
                             "rand",
                             "srand",
                             "abs",
                             "qsort",
                             "bsearch",
                             "getenv",
                             "__assert_fail",
                             "time",
                             "clock",
                             "sqrt",
                             "__errno_location",
                             "__isoc99_scanf",
                             "__isoc99_sscanf",
                             "__VERIFIER_nondet_int",
                             "__VERIFIER_nondet_uchar",
                             "__VERIFIER_assume",
                             "reach_error",
                             "__strcpy_chk",
                             "toupper",
                             "__ctype_b_loc",
                             "stpcpy",
                             "strspn",
                             "powf",
                             "fmodl"}) {
        const LibraryFunction* f = library_function(name);
        ASSERT_NE(f, nullptr) << name;
        EXPECT_EQ(f->name, name);
        EXPECT_NE(f->special, Special::refuse) << name;
    }
    for (const char* name : {"foo", "", "mallocx", "__VERIFIER_nondet_", "isalpha"})
        EXPECT_EQ(library_function(name), nullptr) << name;
}

TEST(Library, RefusesWithAReason) {
    for (const char* name : {"setjmp", "longjmp", "signal", "pthread_create", "fork", "strtok", "vprintf",
                             "__VERIFIER_nondet_pointer", "mmap", "gets"}) {
        const LibraryFunction* f = library_function(name);
        ASSERT_NE(f, nullptr) << name;
        EXPECT_EQ(f->special, Special::refuse) << name;
        EXPECT_FALSE(f->reason.empty()) << name;
    }
}

// Arguments that the table speaks of are among those that a call must have.
TEST(Library, SpeaksOfArgumentsThatAreThere) {
    int seen = 0;
    for (const char* name :
         {"malloc", "calloc", "reallocarray", "memcpy", "strncat", "snprintf", "__snprintf_chk", "fscanf",
          "fread", "qsort", "bsearch", "strtol", "strtod", "bzero", "frexp", "read"}) {
        const LibraryFunction* f = library_function(name);
        ASSERT_NE(f, nullptr) << name;
        for (const Access& access : f->accesses) {
            EXPECT_LT(access.argument, f->arguments) << name;
            EXPECT_LT(access.extent.first, f->arguments) << name;
            EXPECT_LT(access.extent.second, f->arguments) << name;
            ++seen;
        }
        EXPECT_LT(f->format, f->arguments) << name;
        EXPECT_LT(f->size.first, std::max(f->arguments, 1)) << name;
    }
    EXPECT_GT(seen, 15);
    EXPECT_TRUE(library_function("memcpy")->apart);
    EXPECT_FALSE(library_function("memmove")->apart);
    EXPECT_EQ(library_function("memchr")->result, Result::within);
    EXPECT_EQ(library_function("getenv")->result, Result::text);
    EXPECT_EQ(library_function("__sprintf_chk")->format, 3);
}

std::string parts_of(const std::string& format, bool scan, int word = 8) {
    std::vector<FormatPart> parts;
    if (!parse_format(format, scan, parts, word)) return "no";
    std::string text;
    static const char* kinds = "nftpkc";
    for (const FormatPart& part : parts) {
        text += text.empty() ? "" : " ";
        text += kinds[static_cast<int>(part.kind)];
        text += std::to_string(part.bytes);
        if (part.width >= 0) text += "w" + std::to_string(part.width);
        if (part.suppressed) text += "*";
    }
    return text;
}

TEST(Library, ParsesFormatsOfPrintf) {
    EXPECT_EQ(parts_of("plain %% text", false), "");
    EXPECT_EQ(parts_of("%d %ld %lld %zu %hhd %hd %jd", false), "n4 n8 n8 n8 n4 n4 n8");
    EXPECT_EQ(parts_of("%ld %zu %lld %p", false, 4), "n4 n4 n8 p4");
    EXPECT_EQ(parts_of("%s %.10s %-5s %c %p", false), "t1 t1w10 t1 c4 p8");
    EXPECT_EQ(parts_of("%f %5.2lf %Lg %e", false), "f8 f8 f16 f8");
    EXPECT_EQ(parts_of("%n%hhn%ln", false), "k4 k1 k8");
    EXPECT_EQ(parts_of("%*d %+08.3x %#o", false), "n4 n4 n4 n4");
    for (const char* odd : {"%", "%1$d", "%ls", "%S", "%m", "%q", "%.*s", "%lc", "%Ld", "%5n", "abc%"})
        EXPECT_EQ(parts_of(odd, false), "no") << odd;
}

TEST(Library, ParsesFormatsOfScanf) {
    EXPECT_EQ(parts_of("%d %ld %hhd %hd", true), "n4 n8 n1 n2");
    EXPECT_EQ(parts_of("%s %9s %[a-z] %5[^]x] %c %4c", true), "t1 t1w9 t1 t1w5 c1w1 c1w4");
    EXPECT_EQ(parts_of("%f %lf %Lf", true), "f4 f8 f16");
    EXPECT_EQ(parts_of("%*d %n %%", true), "n4* k4");
    for (const char* odd : {"%p", "%ms", "%[abc", "%0d", "%-5d", "%.3f", "%ls", "%1$d"})
        EXPECT_EQ(parts_of(odd, true), "no") << odd;
}

} // namespace
} // namespace ggsnn::verify
