#include <stddef.h>
struct conf;
struct conf *find_conf(const char *name) { return name[0] == 'x' ? NULL : (struct conf *)name; }
