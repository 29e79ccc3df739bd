// The table of the C library: see library.hpp. It is read from the standard and from the manual pages of the
// GNU C library; a function that is not here is unknown, and that costs a proof but never a wrong one.
#include "ggsnn/verify/library.hpp"

#include <map>

namespace ggsnn::verify {

namespace {

using Special = LibraryFunction::Special;
using Result = LibraryFunction::Result;

Extent bytes(std::int64_t number) {
    return {Extent::Kind::bytes, number, -1, -1};
}
Extent word() {
    return {Extent::Kind::word, 1, -1, -1};
}
Extent count(int argument, std::int64_t each = 1) {
    return {Extent::Kind::argument, each, argument, -1};
}
Extent product(int first, int second) {
    return {Extent::Kind::product, 1, first, second};
}
Extent text() {
    return {Extent::Kind::text, 1, -1, -1};
}
Extent text_at_most(int argument) {
    return {Extent::Kind::text_at_most, 1, argument, -1};
}

// One function, written down part by part.
struct Row : LibraryFunction {
    Row(int least_arguments, Special s = Special::none) {
        arguments = least_arguments;
        special = s;
    }
    Row& reads(int argument, Extent extent, bool or_null = false) {
        accesses.push_back({argument, false, extent, or_null});
        return *this;
    }
    Row& writes(int argument, Extent extent, bool or_null = false) {
        accesses.push_back({argument, true, extent, or_null});
        return *this;
    }
    Row& handle(int argument, bool or_null = false) {
        return reads(argument, {Extent::Kind::handle, 0, -1, -1}, or_null);
    }
    Row& nothing() {
        result = Result::none;
        return *this;
    }
    Row& number(std::int64_t least, std::int64_t most = INT64_MAX) {
        low = least;
        high = most;
        return *this;
    }
    Row& gives(Result kind, int argument = 0) {
        result = kind;
        result_argument = argument;
        return *this;
    }
    Row& same() { // the same arguments, the same result
        deterministic = true;
        return *this;
    }
    Row& separate() {
        apart = true;
        return *this;
    }
    Row& sized(Extent extent) {
        size = extent;
        return *this;
    }
    Row& formatted(int argument) {
        format = argument;
        return reads(argument, text());
    }
};

class Table {
  public:
    Table() {
        allocation();
        memory();
        texts();
        copies_of_texts();
        characters();
        printing();
        reading();
        files();
        numbers();
        mathematics();
        control();
        verifiers();
        refusals();
    }
    const LibraryFunction* find(std::string_view name) const {
        const auto found = rows_.find(name);
        return found == rows_.end() ? nullptr : &found->second;
    }

  private:
    void add(std::initializer_list<const char*> names, const Row& row) {
        for (const char* name : names) {
            LibraryFunction f = row;
            f.name = name;
            rows_.emplace(name, std::move(f));
        }
    }
    void refuse(std::initializer_list<const char*> names, const std::string& reason) {
        Row row(0, Special::refuse);
        row.reason = reason;
        add(names, row);
    }

    void allocation() {
        add({"malloc"}, Row(1, Special::allocate).gives(Result::fresh).sized(count(0)));
        add({"valloc"}, Row(1, Special::allocate).gives(Result::fresh).sized(count(0)));
        add({"aligned_alloc", "memalign"}, Row(2, Special::allocate).gives(Result::fresh).sized(count(1)));
        add({"calloc"}, Row(2, Special::zeroed).gives(Result::fresh).sized(product(0, 1)));
        add({"realloc"}, Row(2, Special::reallocate).gives(Result::fresh).sized(count(1)));
        add({"reallocarray"}, Row(3, Special::reallocate).gives(Result::fresh).sized(product(1, 2)));
        add({"free"}, Row(1, Special::release).nothing());
        add({"strdup", "__strdup"}, Row(1, Special::duplicate).reads(0, text()).gives(Result::fresh));
        add({"strndup", "__strndup"},
            Row(2, Special::duplicate).reads(0, text_at_most(1)).gives(Result::fresh));
    }

    void memory() {
        const Row copy = Row(3).reads(1, count(2)).writes(0, count(2));
        add({"memcpy", "__memcpy_chk"}, Row(copy).gives(Result::argument, 0).separate());
        add({"memmove", "__memmove_chk"}, Row(copy).gives(Result::argument, 0));
        add({"mempcpy", "__mempcpy"}, Row(copy).gives(Result::within, 0).separate());
        add({"memset", "__memset_chk"}, Row(3).writes(0, count(2)).gives(Result::argument, 0));
        add({"bzero", "explicit_bzero"}, Row(2).writes(0, count(1)).nothing());
        add({"memcmp", "bcmp"}, Row(3).reads(0, count(2)).reads(1, count(2)).same());
        add({"memchr", "memrchr"}, Row(3).reads(0, count(2)).gives(Result::within, 0).same());
    }

    void texts() {
        const Row one = Row(1).reads(0, text()).same();
        const Row two = Row(2).reads(0, text()).reads(1, text()).same();
        add({"strlen"}, Row(one).number(0));
        add({"strnlen"}, Row(2).reads(0, text_at_most(1)).number(0).same());
        add({"strcmp", "strcasecmp", "strcoll"}, two);
        add({"strncmp", "strncasecmp"}, Row(3).reads(0, text_at_most(2)).reads(1, text_at_most(2)).same());
        add({"strspn", "strcspn"}, Row(two).number(0));
        add({"strstr", "strcasestr", "strpbrk"}, Row(two).gives(Result::within, 0));
        add({"strchr", "strrchr", "strchrnul", "index", "rindex"},
            Row(2).reads(0, text()).gives(Result::within, 0).same());
        add({"strerror", "strsignal"}, Row(1).gives(Result::text));
    }

    void copies_of_texts() {
        const Row copy = Row(2, Special::copy_text).reads(1, text()).separate();
        add({"strcpy", "__strcpy_chk"}, Row(copy).gives(Result::argument, 0));
        add({"stpcpy", "__stpcpy", "__stpcpy_chk"}, Row(copy).gives(Result::within, 0));
        const Row most = Row(3).reads(1, text_at_most(2)).writes(0, count(2)).separate();
        add({"strncpy", "__strncpy_chk"}, Row(most).gives(Result::argument, 0));
        add({"stpncpy"}, Row(most).gives(Result::within, 0));
        const Row append =
            Row(2, Special::append_text).reads(0, text()).gives(Result::argument, 0).separate();
        add({"strcat", "__strcat_chk"}, Row(append).reads(1, text()));
        Row some = Row(append).reads(1, text_at_most(2));
        some.arguments = 3;
        add({"strncat", "__strncat_chk"}, some);
    }

    void characters() {
        // isalpha and the like look into a table at their argument, without a check: as functions they are
        // not here, and as the macros of the header they are loads.
        add({"isascii", "toascii", "toupper", "tolower"}, Row(1).same());
        Row table = Row(0).gives(Result::table).same();
        table.high = 2;
        add({"__ctype_b_loc"}, table);
        table.high = 4;
        add({"__ctype_tolower_loc", "__ctype_toupper_loc"}, table);
    }

    void printing() {
        add({"printf"}, Row(1, Special::print).formatted(0));
        add({"fprintf"}, Row(2, Special::print).handle(0).formatted(1));
        add({"dprintf"}, Row(2, Special::print).formatted(1));
        add({"__printf_chk"}, Row(2, Special::print).formatted(1));
        add({"__fprintf_chk"}, Row(3, Special::print).handle(0).formatted(2));
        add({"sprintf"}, Row(2, Special::print_into).formatted(1));
        add({"__sprintf_chk"}, Row(4, Special::print_into).formatted(3));
        add({"snprintf"}, Row(3, Special::print_into).writes(0, count(1)).formatted(2));
        add({"__snprintf_chk"}, Row(5, Special::print_into).writes(0, count(1)).formatted(4));
        add({"puts"}, Row(1).reads(0, text()));
        add({"fputs"}, Row(2).reads(0, text()).handle(1));
        add({"putchar", "putchar_unlocked"}, Row(1));
        add({"putc", "fputc", "_IO_putc"}, Row(2).handle(1));
        add({"fwrite"}, Row(4).reads(0, product(1, 2)).handle(3).number(0));
        add({"perror"}, Row(1).reads(0, text(), true).nothing());
    }

    void reading() {
        add({"scanf", "__isoc99_scanf", "__isoc23_scanf"}, Row(1, Special::scan).formatted(0).number(-1));
        add({"fscanf", "__isoc99_fscanf", "__isoc23_fscanf"},
            Row(2, Special::scan).handle(0).formatted(1).number(-1));
        add({"sscanf", "__isoc99_sscanf", "__isoc23_sscanf"},
            Row(2, Special::scan).reads(0, text()).formatted(1).number(-1));
        add({"getchar", "getchar_unlocked"}, Row(0).number(-1, 255));
        add({"getc", "fgetc", "_IO_getc"}, Row(1).handle(0).number(-1, 255));
        add({"ungetc"}, Row(2).handle(1).number(-1, 255));
        add({"fgets"}, Row(3).writes(0, count(1)).handle(2).gives(Result::within, 0));
        add({"fread"}, Row(4).writes(0, product(1, 2)).handle(3).number(0));
    }

    void files() {
        add({"fopen", "fopen64"},
            Row(2, Special::open).reads(0, text()).reads(1, text()).gives(Result::fresh));
        add({"fdopen"}, Row(2, Special::open).reads(1, text()).gives(Result::fresh));
        add({"tmpfile"}, Row(0, Special::open).gives(Result::fresh));
        add({"fclose"}, Row(1, Special::close).handle(0));
        add({"fflush"}, Row(1).handle(0, true));
        add({"feof", "ferror", "fileno", "ftell", "ftello"}, Row(1).handle(0));
        add({"clearerr", "rewind"}, Row(1).handle(0).nothing());
        add({"fseek", "fseeko"}, Row(3).handle(0));
        add({"remove", "unlink", "rmdir", "mkdir", "chdir"}, Row(1).reads(0, text()));
        add({"rename"}, Row(2).reads(0, text()).reads(1, text()));
        add({"close", "isatty", "sleep", "usleep"}, Row(1));
        add({"read"}, Row(3).writes(1, count(2)).number(-1));
        add({"write"}, Row(3).reads(1, count(2)).number(-1));
        add({"getpid", "getppid", "getuid", "geteuid", "getgid", "clock", "sched_yield"}, Row(0));
        add({"time"}, Row(1).writes(0, word(), true));
        add({"system"}, Row(1).reads(0, text(), true));
        add({"getenv", "secure_getenv"}, Row(1).reads(0, text()).gives(Result::text));
    }

    void numbers() {
        add({"abs", "labs", "llabs", "imaxabs"}, Row(1).same());
        add({"atoi", "atol", "atoll"}, Row(1).reads(0, text()).same());
        add({"atof"}, Row(1).reads(0, text()));
        const Row convert = Row(3).reads(0, text()).writes(1, word(), true);
        add({"strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax", "__isoc23_strtol",
             "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull"},
            convert);
        Row floating = convert;
        floating.arguments = 2;
        add({"strtod", "strtof", "strtold"}, floating);
        add({"rand", "random"}, Row(0).number(0, INT32_MAX));
        add({"lrand48"}, Row(0).number(0, INT32_MAX));
        add({"mrand48"}, Row(0));
        add({"drand48"}, Row(0));
        add({"srand", "srandom", "srand48"}, Row(1).nothing());
        add({"rand_r"}, Row(1).writes(0, bytes(4)).number(0, INT32_MAX));
        add({"ffs", "ffsl", "ffsll", "htonl", "htons", "ntohl", "ntohs"}, Row(1));
        add({"difftime"}, Row(2));
    }

    // No memory, and floating results of which nothing is known.
    void mathematics() {
        for (const char* stem :
             {"sqrt",  "cbrt", "sin",       "cos",    "tan",    "asin",    "acos",  "atan",
              "sinh",  "cosh", "tanh",      "asinh",  "acosh",  "atanh",   "exp",   "exp2",
              "expm1", "log",  "log2",      "log10",  "log1p",  "floor",   "ceil",  "trunc",
              "round", "rint", "nearbyint", "fabs",   "lround", "llround", "lrint", "llrint",
              "erf",   "erfc", "tgamma",    "lgamma", "logb",   "ilogb"})
            for (const char* tail : {"", "f", "l"}) add({(std::string(stem) + tail).c_str()}, Row(1));
        for (const char* stem : {"pow", "atan2", "fmod", "remainder", "hypot", "fmin", "fmax", "fdim",
                                 "ldexp", "scalbn", "scalbln", "copysign", "nextafter"})
            for (const char* tail : {"", "f", "l"}) add({(std::string(stem) + tail).c_str()}, Row(2));
        for (const char* tail : {"", "f", "l"}) {
            add({(std::string("fma") + tail).c_str()}, Row(3));
            add({(std::string("frexp") + tail).c_str()}, Row(2).writes(1, bytes(4)));
        }
        add({"modf"}, Row(2).writes(1, bytes(8)));
        add({"modff"}, Row(2).writes(1, bytes(4)));
        add({"__fpclassify", "__fpclassifyf", "__isnan", "__isnanf", "__isinf", "__isinff", "__finite",
             "__finitef", "__signbit", "__signbitf"},
            Row(1));
    }

    void control() {
        add({"exit"}, Row(1, Special::stop).nothing());
        add({"abort"}, Row(0, Special::abort).nothing());
        add({"_Exit", "_exit"}, Row(1, Special::abort).nothing());
        add({"atexit"}, Row(1, Special::at_exit));
        add({"__assert_fail"}, Row(4, Special::failed).nothing());
        add({"__assert_perror_fail"}, Row(4, Special::failed).nothing());
        add({"__assert"}, Row(3, Special::failed).nothing());
        add({"qsort"}, Row(4, Special::sort).writes(0, product(1, 2)).nothing());
        add({"bsearch"}, Row(5, Special::search).reads(1, product(2, 3)).gives(Result::within, 1));
        add({"__errno_location"}, Row(0).gives(Result::place).same());
    }

    void verifiers() {
        for (const char* type : {"bool",
                                 "_Bool",
                                 "char",
                                 "schar",
                                 "uchar",
                                 "short",
                                 "ushort",
                                 "int",
                                 "uint",
                                 "unsigned",
                                 "long",
                                 "ulong",
                                 "longlong",
                                 "ulonglong",
                                 "size_t",
                                 "ssize_t",
                                 "loff_t",
                                 "float",
                                 "double",
                                 "u8",
                                 "u16",
                                 "u32",
                                 "u64",
                                 "S8",
                                 "U8",
                                 "S16",
                                 "U16",
                                 "S32",
                                 "U32",
                                 "S64",
                                 "U64",
                                 "int8_t",
                                 "uint8_t",
                                 "int16_t",
                                 "uint16_t",
                                 "int32_t",
                                 "uint32_t",
                                 "int64_t",
                                 "uint64_t",
                                 "unsigned_int",
                                 "unsigned_char",
                                 "unsigned_long",
                                 "unsigned_short",
                                 "sector_t"})
            add({(std::string("__VERIFIER_nondet_") + type).c_str()}, Row(0));
        add({"__VERIFIER_assume"}, Row(1, Special::assume).nothing());
        add({"__VERIFIER_error", "reach_error"}, Row(0, Special::failed).nothing());
        refuse({"__VERIFIER_nondet_pointer", "__VERIFIER_nondet_pchar", "__VERIFIER_nondet_charp"},
               "a pointer that may be anything; take one from malloc, or NULL");
        refuse({"__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"}, "threads are not followed");
    }

    void refusals() {
        refuse({"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp"},
               "jumps out of functions are not followed; return an error code instead");
        refuse({"signal", "sigaction", "bsd_signal", "sigset", "raise", "kill", "sigprocmask"},
               "signals are not followed: a handler may run at any moment");
        refuse({"pthread_create",
                "pthread_join",
                "pthread_exit",
                "pthread_cancel",
                "pthread_detach",
                "pthread_mutex_init",
                "pthread_mutex_lock",
                "pthread_mutex_unlock",
                "pthread_mutex_destroy",
                "pthread_mutex_trylock",
                "pthread_cond_init",
                "pthread_cond_wait",
                "pthread_cond_signal",
                "pthread_cond_broadcast",
                "pthread_cond_destroy",
                "pthread_key_create",
                "pthread_once",
                "pthread_setspecific",
                "pthread_getspecific",
                "pthread_rwlock_init",
                "pthread_rwlock_rdlock",
                "pthread_rwlock_wrlock",
                "pthread_rwlock_unlock",
                "thrd_create",
                "thrd_join",
                "mtx_init",
                "mtx_lock",
                "mtx_unlock",
                "sem_init",
                "sem_wait",
                "sem_post"},
               "threads are not followed");
        refuse({"fork", "vfork", "execl", "execlp", "execle", "execv", "execvp", "execve", "clone", "wait",
                "waitpid"},
               "other processes are not followed");
        refuse({"mmap", "munmap", "mprotect", "brk", "sbrk", "posix_memalign", "obstack_free"},
               "this kind of memory is not followed; take it from malloc");
        refuse({"strtok", "strtok_r", "strsep"},
               "it keeps pointers between calls; cut texts with strchr or strcspn");
        refuse({"vprintf", "vfprintf", "vsprintf", "vsnprintf", "vscanf", "vsscanf", "vfscanf", "vasprintf",
                "asprintf", "vdprintf"},
               "variable arguments are not followed");
        refuse({"gets", "getline", "getdelim", "freopen", "setvbuf", "setbuf", "fgetpos", "fsetpos", "popen",
                "pclose", "open_memstream", "fmemopen"},
               "this use of files is not followed; read with fgets");
        refuse({"putenv", "setenv", "unsetenv", "clearenv", "setlocale", "localeconv"},
               "changes of the environment are not followed");
        refuse({"localtime", "gmtime", "ctime", "asctime", "localtime_r", "gmtime_r", "mktime", "strftime",
                "gettimeofday", "clock_gettime", "nanosleep"},
               "dates are not followed");
        refuse({"quick_exit", "at_quick_exit", "on_exit", "__cxa_atexit", "__cxa_finalize"},
               "this way to end is not followed; use atexit and exit");
        refuse({"qsort_r", "lsearch", "lfind", "hsearch", "tsearch", "tfind", "tdelete", "twalk"},
               "this function of the library is not followed");
    }

    std::map<std::string, LibraryFunction, std::less<>> rows_;
};

} // namespace

const LibraryFunction* library_function(std::string_view name) {
    static const Table table;
    return table.find(name);
}

} // namespace ggsnn::verify
