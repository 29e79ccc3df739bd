/* Asks a trained model from C: of a line of five stations, is the fourth before or after the second? The
   model file is the argument (examples/train_classification.cpp writes it). */
#include <ggsnn/c/ggsnn.h>

#include <stdio.h>
#include <string.h>

static int failed(const char* what) {
    fprintf(stderr, "%s: %s\n", what, ggsnn_last_error());
    return 1;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s MODEL\n", argv[0]);
        return 2;
    }
    ggsnn_model* model = ggsnn_load(argv[1]);
    if (model == NULL) return failed("loading");
    if (ggsnn_answer_kind(model) != GGSNN_CLASS) {
        fprintf(stderr, "%s does not answer with classes\n", argv[1]);
        ggsnn_free(model);
        return 1;
    }

    const int next = ggsnn_find(model, GGSNN_EDGE_TYPES, "next");
    const int line[] = {0, next, 1, 1, next, 2, 2, next, 3, 3, next, 4};
    const int stations[] = {3, 1};
    ggsnn_input input = {0};
    input.nodes = 5;
    input.edges = 4;
    input.edge_list = line;
    input.question = ggsnn_find(model, GGSNN_QUESTION_TYPES, "when");
    input.arguments = 2;
    input.argument_list = stations;
    ggsnn_answer* answer = ggsnn_predict(model, &input);
    if (answer == NULL) {
        ggsnn_free(model);
        return failed("asking");
    }

    const double* probabilities = NULL;
    const int classes = ggsnn_list(answer, 0, &probabilities);
    for (int c = 0; c < classes; ++c)
        printf("%s %.3f\n", ggsnn_name(model, GGSNN_CLASSES, c), probabilities[c]);
    const int* labels = NULL;
    ggsnn_labels(answer, &labels);
    const int right = strcmp(ggsnn_name(model, GGSNN_CLASSES, labels[0]), "after") == 0;
    ggsnn_answer_free(answer);
    ggsnn_free(model);
    return right ? 0 : 1;
}
