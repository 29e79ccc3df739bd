#include "ggsnn/serve/source_check.hpp"

#include <gmock/gmock.h>

namespace ggsnn::serve {
namespace {

using ::testing::HasSubstr;

TEST(SourceCheck, AllowsWhatProgramsHave) {
    for (const char* text :
         {"", "int f(void) { return 0; }", "#include <stdlib.h>\n#include <sys/types.h>\n",
          "#define A 1\n#if A\nint x;\n#else\n#endif\n", "char* s = \"#include /etc/passwd\";",
          "// #include \"/etc/passwd\"\n/* \n#include \"/etc/passwd\"\n*/\nint x;", "#\nint x;",
          "int a = 'x';\n// don't\n#include <stdio.h>\n", "  #  include  <stdio.h>  // why\n"})
        EXPECT_EQ(refused_source(text), "") << text;
}

// Whatever would make the compiler open a file that is not a header of the system, in all the ways that C
// writes it.
TEST(SourceCheck, RefusesEveryWayToAFile) {
    for (const char* text : {"#include \"/etc/passwd\"",
                             "#include </etc/passwd>",
                             "#include <../../etc/passwd.h>",
                             "#include <a/../b.h>",
                             "#include </etc/x.h>",
                             "#include \"x.h\"",
                             "#define F \"/etc/passwd\"\n#include F",
                             "#include_next <stdio.h>",
                             "#import <stdio.h>",
                             "#embed \"/etc/passwd\"",
                             "#pragma GCC dependency \"/etc/passwd\"",
                             "#line 1 \"x\"",
                             "# 1 \"/etc/passwd\"",
                             "%:include \"x\"",
                             "/* */ # /* */ include /* */ \"/etc/passwd\"",
                             "#inc\\\nlude \"/etc/passwd\"",
                             "#inc\\  \nlude \"/etc/passwd\"",
                             "/\\\n* *\\\n/ #include \"x\"",
                             "#include \\\n\"/etc/passwd\"",
                             "int x;\n/* a */ /* b\n*/ #include \"/etc/passwd\"",
                             "#if __has_include(\"/etc/passwd\")\n#endif",
                             "_Pragma(\"GCC dependency\")",
                             "'\n#include \"x\"",
                             "\"\n#include \"x\"",
                             "char c = '\"';\n#include \"/etc/passwd\"\n//\"",
                             "#if 0\n don't\n#endif\n#include \"/etc/passwd\"",
                             "// \\\n x\n#include \"/etc/passwd\"",
                             "\"a\\\"b\"\n#include \"/etc/passwd\""})
        EXPECT_NE(refused_source(text), "") << text;
    EXPECT_NE(refused_source("?"
                             "?=include \"/etc/passwd\""),
              "");
    EXPECT_NE(refused_source(std::string("int x;\0#include", 15)), "");
}

TEST(SourceCheck, NamesTheLine) {
    EXPECT_THAT(refused_source("int a;\n/* x\n y */\n#include \"x.h\"\n"), HasSubstr("line 4"));
    EXPECT_THAT(refused_source("int a; \\\n int b;\n#pragma x\n"), HasSubstr("line 3"));
}

} // namespace
} // namespace ggsnn::serve
