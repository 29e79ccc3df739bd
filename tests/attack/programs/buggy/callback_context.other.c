static void (*f)(void *);
static void *c;
void later(void (*g)(void *), void *context) { f = g; c = context; }
void run_all(void) { f(c); }
