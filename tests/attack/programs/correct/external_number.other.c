int read_sensor(void) { return 77; }
