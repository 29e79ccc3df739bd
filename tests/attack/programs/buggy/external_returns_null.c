// expect: unsafe-or-unknown
// An unknown function returns NULL.
struct conf { int level; };
struct conf *find_conf(const char *name);

int main(void) { return find_conf("x")->level; }
