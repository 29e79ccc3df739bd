/* What looks like a type of its own frees at the end of the scope. */
#include <stdlib.h>
static inline void holder_drop(void *p) { free(*(void **)p); }
#define HOLDER(type) __attribute__((cleanup(holder_drop))) type *
typedef volatile int shared_int;
#define READY 1
