#include "verify/front_headers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ggsnn::verify {

namespace {

constexpr std::string_view stddef_h = R"(
#ifndef __ggsnn_stddef
#define __ggsnn_stddef
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#undef NULL
#define NULL ((void *)0)
#endif
)";

constexpr std::string_view stdlib_h = R"(
#ifndef __ggsnn_stdlib
#define __ggsnn_stdlib
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
__attribute__((noreturn)) void exit(int);
__attribute__((noreturn)) void _Exit(int);
__attribute__((noreturn)) void quick_exit(int);
__attribute__((noreturn)) void abort(void);
int atexit(void (*)(void));
int rand(void);
void srand(unsigned);
long random(void);
void srandom(unsigned);
int abs(int);
long labs(long);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
char *getenv(const char *);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
#endif
)";

constexpr std::string_view stdio_h = R"(
#ifndef __ggsnn_stdio
#define __ggsnn_stdio
#include <stddef.h>
#include <stdarg.h>
typedef struct __ggsnn_file FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
#define BUFSIZ 8192
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int puts(const char *);
int fputs(const char *, FILE *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
int ungetc(int, FILE *);
char *fgets(char *, int, FILE *);
char *gets(char *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fflush(FILE *);
int feof(FILE *);
int ferror(FILE *);
void rewind(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
void perror(const char *);
int remove(const char *);
#endif
)";

constexpr std::string_view stdarg_h = R"(
#ifndef __ggsnn_stdarg
#define __ggsnn_stdarg
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#endif
)";

constexpr std::string_view stdbool_h = R"(
#ifndef __ggsnn_stdbool
#define __ggsnn_stdbool
#define bool _Bool
#define true 1
#define false 0
#endif
)";

constexpr std::string_view string_h = R"(
#ifndef __ggsnn_string
#define __ggsnn_string
#include <stddef.h>
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strtok(char *, const char *);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strerror(int);
void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
#endif
)";

// No guard: NDEBUG decides anew at each inclusion.
constexpr std::string_view assert_h = R"(
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail())
#endif
#ifndef __ggsnn_assert
#define __ggsnn_assert
__attribute__((noreturn)) void __assert_fail();
#define static_assert _Static_assert
#endif
)";

constexpr std::string_view limits_h = R"(
#ifndef __ggsnn_limits
#define __ggsnn_limits
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#endif
)";

constexpr std::string_view stdint_h = R"(
#ifndef __ggsnn_stdint
#define __ggsnn_stdint
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
#define INTPTR_MAX 9223372036854775807L
#endif
)";

constexpr std::string_view malloc_h = "#include <stdlib.h>\n";
constexpr std::string_view inttypes_h = "#include <stdint.h>\n#define PRId64 \"ld\"\n#define PRIu64 \"lu\"\n";

constexpr std::string_view ctype_h = R"(
#ifndef __ggsnn_ctype
#define __ggsnn_ctype
int isalnum(int);
int isalpha(int);
int isdigit(int);
int islower(int);
int isprint(int);
int ispunct(int);
int isspace(int);
int isupper(int);
int isxdigit(int);
int tolower(int);
int toupper(int);
#endif
)";

constexpr std::string_view time_h = R"(
#ifndef __ggsnn_time
#define __ggsnn_time
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
#define CLOCKS_PER_SEC 1000000L
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
#endif
)";

constexpr std::string_view unistd_h = R"(
#ifndef __ggsnn_unistd
#define __ggsnn_unistd
#include <stddef.h>
typedef long ssize_t;
unsigned sleep(unsigned);
int usleep(unsigned);
int getpid(void);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
__attribute__((noreturn)) void _exit(int);
#endif
)";

constexpr std::string_view errno_h = R"(
#ifndef __ggsnn_errno
#define __ggsnn_errno
extern int errno;
#define EINVAL 22
#define ENOMEM 12
#define ENOENT 2
#define EEXIST 17
#define ERANGE 34
#endif
)";

constexpr std::string_view math_h = R"(
#ifndef __ggsnn_math
#define __ggsnn_math
#define M_PI 3.14159265358979323846
#define INFINITY (1e300 * 1e300)
double fabs(double);
double sqrt(double);
double pow(double, double);
double floor(double);
double ceil(double);
double round(double);
double fmod(double, double);
double exp(double);
double log(double);
double log2(double);
double log10(double);
double sin(double);
double cos(double);
double tan(double);
float fabsf(float);
float sqrtf(float);
#endif
)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> headers{{{"stdlib.h", stdlib_h},
                                                                                 {"stdio.h", stdio_h},
                                                                                 {"stddef.h", stddef_h},
                                                                                 {"stdarg.h", stdarg_h},
                                                                                 {"stdbool.h", stdbool_h},
                                                                                 {"string.h", string_h},
                                                                                 {"assert.h", assert_h},
                                                                                 {"limits.h", limits_h},
                                                                                 {"stdint.h", stdint_h},
                                                                                 {"malloc.h", malloc_h},
                                                                                 {"ctype.h", ctype_h},
                                                                                 {"time.h", time_h},
                                                                                 {"unistd.h", unistd_h},
                                                                                 {"inttypes.h", inttypes_h},
                                                                                 {"errno.h", errno_h},
                                                                                 {"math.h", math_h}}};

constexpr auto harmless = std::to_array<std::string_view>(
    {"printf",   "fprintf",    "sprintf",     "snprintf", "vprintf",
     "vfprintf", "puts",       "fputs",       "putchar",  "putc",
     "fputc",    "getchar",    "getc",        "fgetc",    "ungetc",
     "fgets",    "gets",       "fopen",       "fclose",   "fflush",
     "feof",     "ferror",     "rewind",      "fread",    "fwrite",
     "perror",   "remove",     "rand",        "srand",    "random",
     "srandom",  "abs",        "labs",        "atoi",     "atol",
     "atoll",    "atof",       "strtol",      "strtoul",  "strtod",
     "getenv",   "system",     "strlen",      "strnlen",  "strcmp",
     "strncmp",  "strcasecmp", "strncasecmp", "strcpy",   "strncpy",
     "strcat",   "strncat",    "strchr",      "strrchr",  "strstr",
     "strtok",   "strdup",     "strndup",     "strerror", "memcmp",
     "isalnum",  "isalpha",    "isdigit",     "islower",  "isprint",
     "ispunct",  "isspace",    "isupper",     "isxdigit", "tolower",
     "toupper",  "time",       "clock",       "difftime", "sleep",
     "usleep",   "getpid",     "close",       "fabs",     "sqrt",
     "pow",      "floor",      "ceil",        "round",    "fmod",
     "exp",      "log",        "log2",        "log10",    "sin",
     "cos",      "tan",        "fabsf",       "sqrtf",    "__builtin_printf"});

constexpr auto others =
    std::to_array<std::pair<std::string_view, Library>>({{"scanf", Library::reads},
                                                         {"fscanf", Library::reads},
                                                         {"sscanf", Library::reads},
                                                         {"malloc", Library::allocate},
                                                         {"__builtin_malloc", Library::allocate},
                                                         {"calloc", Library::zeroed},
                                                         {"__builtin_calloc", Library::zeroed},
                                                         {"free", Library::release},
                                                         {"cfree", Library::release},
                                                         {"__builtin_free", Library::release},
                                                         {"memset", Library::fill},
                                                         {"__builtin_memset", Library::fill},
                                                         {"exit", Library::stop},
                                                         {"_Exit", Library::stop},
                                                         {"_exit", Library::stop},
                                                         {"quick_exit", Library::stop},
                                                         {"abort", Library::stop},
                                                         {"__builtin_abort", Library::stop},
                                                         {"__builtin_trap", Library::stop},
                                                         {"__builtin_unreachable", Library::stop},
                                                         {"__assert_fail", Library::stop},
                                                         {"__VERIFIER_error", Library::stop},
                                                         {"reach_error", Library::stop},
                                                         {"__VERIFIER_assume", Library::assume},
                                                         {"__builtin_expect", Library::first}});

} // namespace

std::string_view standard_header(std::string_view name) {
    const auto found = std::find_if(headers.begin(), headers.end(), [&](auto& h) { return h.first == name; });
    return found == headers.end() ? std::string_view() : found->second;
}

Library library_function(std::string_view name) {
    if (std::find(harmless.begin(), harmless.end(), name) != harmless.end()) return Library::harmless;
    const auto found = std::find_if(others.begin(), others.end(), [&](auto& o) { return o.first == name; });
    if (found != others.end()) return found->second;
    // Verification tasks declare values that may be anything: __VERIFIER_nondet_int and kin.
    return name.starts_with("__VERIFIER_nondet_") ? Library::harmless : Library::unknown;
}

} // namespace ggsnn::verify
