// expect: unsafe-or-unknown
// A pointer that another file defines is NULL.
extern int *table;

int main(void) { return table[0]; }
