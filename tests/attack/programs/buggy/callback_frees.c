// expect: unsafe-or-unknown
// A static function is given away; the other file calls it.
#include <stdlib.h>

void set_handler(void (*f)(void));
void poll_events(void);

static int *data;
static void on_close(void) {
    free(data);
    data = NULL;
}

int main(void) {
    data = malloc(sizeof(int));
    if (!data) return 1;
    *data = 2;
    set_handler(on_close);
    poll_events();
    *data = 3;
    free(data);
    return 0;
}
