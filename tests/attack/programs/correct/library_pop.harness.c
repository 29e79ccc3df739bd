#include "library_pop.c"
int main(void) { return pop(pop(calloc(1, sizeof(struct list)))) != NULL; }
