#include "library_dll_insert.c"
int main(void) {
    struct d one = {1, NULL, NULL};
    insert_after(&one, 2);
    free(one.next);
    return 0;
}
