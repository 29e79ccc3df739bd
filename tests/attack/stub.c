/* Linked with every program that the sanitizers judge: values from outside, drawn by a seed, and a frame
   around main that leaves no stale pointers on the stack, so that the leak check sees every leak. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long long state;
static int seeded;

static unsigned long long draw(void) {
    if (!seeded) {
        const char *seed = getenv("ATTACK_SEED");
        state = seed ? strtoull(seed, 0, 10) : 0;
        seeded = 1;
    }
    state += 0x9e3779b97f4a7c15ULL;
    unsigned long long z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Small numbers, those around the limits of the types, and any others. */
static long long value(void) {
    static const long long edges[] = {127,   128,   255,        256,        32767,       32768,       65535,
                                      65536, 300,   2147483647, -2147483648LL, 4294967295LL, 4294967296LL, -128,
                                      -129,  -32768, 9223372036854775807LL, -9223372036854775807LL - 1};
    const unsigned long long kind = draw() % 16;
    if (kind < 3) return (long long)(draw() % 2);
    if (kind < 11) return (long long)(draw() % 13) - 2;
    if (kind < 14) return edges[draw() % (sizeof edges / sizeof *edges)];
    return (long long)draw();
}

#define NONDET(name, type) \
    __attribute__((weak)) type __VERIFIER_nondet_##name(void) { return (type)value(); }
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(size_t, size_t)
__attribute__((weak)) _Bool __VERIFIER_nondet_bool(void) { return draw() % 2 != 0; }

/* A run that does not count ends here, without a word. */
__attribute__((weak)) void __VERIFIER_assume(int condition) {
    if (!condition) _exit(0);
}

int __real_main(int count, char **words, char **environment);

static __attribute__((noinline)) void scrub(void) {
    volatile char frame[1 << 17];
    memset((char *)frame, 0, sizeof frame);
}

int __wrap_main(int count, char **words, char **environment) {
    const int result = __real_main(count, words, environment);
    scrub();
    return result;
}

#ifdef MALLOC_MAY_FAIL
/* In every run but the first, one of the first allocations gives NULL. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);

static int fails(void) {
    static unsigned long long calls;
    const char *seed = getenv("ATTACK_SEED");
    const unsigned long long run = seed ? strtoull(seed, 0, 10) : 0;
    return ++calls == run;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return fails() ? NULL : __real_realloc(old, size); }
#endif
