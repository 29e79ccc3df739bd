static void (*handler)(void);
void set_handler(void (*f)(void)) { handler = f; }
void poll_events(void) { if (handler) handler(); }
