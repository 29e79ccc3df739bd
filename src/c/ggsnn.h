/* Answers of trained models, for C and for whatever can call C: load a model, ask what its numbers mean,
   predict. Models are trained by the program (`ggsnn train`) or from C++ (ggsnn/nn/train/trainer.hpp).

   Errors. A function that gives a pointer gives NULL, one that gives a number gives -1, and
   ggsnn_last_error() then says why. Every pointer, count, index and number that comes in is checked; nothing
   throws, prints or exits. Ownership. What ggsnn_load* and ggsnn_predict give is the caller's to free; what
   points into a model or an answer lives as long as that does. Nothing that was passed in is kept. Threads. A
   model never changes: threads may share it. An answer likewise. The last error is each thread's own. */
#ifndef GGSNN_C_GGSNN_H
#define GGSNN_C_GGSNN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ggsnn_model ggsnn_model;
typedef struct ggsnn_answer ggsnn_answer;

/* What a model answers with. The numbers will not change. */
typedef enum ggsnn_kind {
    GGSNN_NODE = 0,           /* a node of the graph */
    GGSNN_CLASS = 1,          /* a class */
    GGSNN_NUMBERS = 2,        /* numbers for the graph */
    GGSNN_NODE_CLASSES = 3,   /* a class for every node */
    GGSNN_NODE_NUMBERS = 4,   /* numbers for every node */
    GGSNN_NODE_SEQUENCE = 5,  /* a sequence of nodes */
    GGSNN_CLASS_SEQUENCE = 6, /* a sequence of classes */
} ggsnn_kind;

/* What a model has some of. */
typedef enum ggsnn_part {
    GGSNN_EDGE_TYPES = 0,
    GGSNN_QUESTION_TYPES = 1, /* at least one */
    GGSNN_CLASSES = 2,
    GGSNN_FEATURES = 3,  /* numbers at each node; they have no names */
    GGSNN_ARGUMENTS = 4, /* most nodes that a question may name; no names */
    GGSNN_OUTPUTS = 5,   /* numbers in an answer, where it is numbers, else 0; no names */
} ggsnn_part;

/* Why the last function that failed in this thread did so; "" if none did. Valid until the next failure. */
const char* ggsnn_last_error(void);

/* A model file. */
ggsnn_model* ggsnn_load(const char* path);
/* The bytes of a model file. */
ggsnn_model* ggsnn_load_bytes(const void* bytes, size_t size);
void ggsnn_free(ggsnn_model* model); /* NULL is allowed */

/* One of ggsnn_kind. */
int ggsnn_answer_kind(const ggsnn_model* model);
/* How many of ggsnn_part. */
int ggsnn_count(const ggsnn_model* model, int part);
/* The name of number 0 .. count - 1 of a part, and the number of a name. */
const char* ggsnn_name(const ggsnn_model* model, int part, int number);
int ggsnn_find(const ggsnn_model* model, int part, const char* name);

/* A graph and a question about it. Begin with zeros: `ggsnn_input input = {0};`. */
typedef struct ggsnn_input {
    int nodes;             /* at least 1; they are numbered from 0 */
    int edges;             /* may be 0 */
    const int* edge_list;  /* edges x 3: source node, edge type, target node */
    const float* features; /* nodes x GGSNN_FEATURES, node by node, finite; NULL if the model has none */
    int question;          /* question type */
    int arguments;         /* how many nodes the question names, at most GGSNN_ARGUMENTS */
    const int* argument_list;
} ggsnn_input;

ggsnn_answer* ggsnn_predict(const ggsnn_model* model, const ggsnn_input* input);
void ggsnn_answer_free(ggsnn_answer* answer); /* NULL is allowed */

/* The most probable node or class; for every node; or the sequence, without its end. None where answers are
   numbers. Gives their number and sets *labels (unless labels is NULL). */
int ggsnn_labels(const ggsnn_answer* answer, const int** labels);
/* Lists of the answer: one of probabilities over nodes or classes, or of numbers; per node: one for each;
   sequence: one for each output, in which the last entry is 'the sequence ends here'. */
int ggsnn_lists(const ggsnn_answer* answer);
/* List number `list`: gives its length and sets *values (unless values is NULL). */
int ggsnn_list(const ggsnn_answer* answer, int list, const double** values);
/* 1; 0 for a sequence that was cut off because it did not end. */
int ggsnn_ended(const ggsnn_answer* answer);

#ifdef __cplusplus
}
#endif

#endif
