int *table = 0;
