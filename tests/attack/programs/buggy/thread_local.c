// expect: unsafe-or-unknown
// A thread-local pointer that is NULL in main.
static __thread int *mine;

int main(void) { return *mine; }
