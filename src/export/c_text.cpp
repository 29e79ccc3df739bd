#include "ggsnn/export/c_text.hpp"

namespace ggsnn {

const char* const c_declarations = R"C(
/* What net_predict gives when it refuses. */
enum { NET_BAD_GRAPH = -1, NET_SMALL_WORKSPACE = -2, NET_SMALL_OUT = -3 };

typedef struct net_graph {
    int nodes;                             /* at least 1; they are numbered from 0 */
    int edges;                             /* may be 0 */
    const int *sources, *types, *targets;  /* by edge: node, edge type, node */
    const float *edge_weights;             /* by edge; NULL: all 1 */
    const float *edge_numbers;             /* edges x NET_EDGE_NUMBERS; NULL where that is 0 */
    const float *features;                 /* nodes x NET_FEATURES, in the units of the training data; or NULL */
    const unsigned char *tags;             /* nodes x NET_TAGS: 1 where a node bears the name, else 0; or NULL */
    const int *arguments;                  /* NET_ARGUMENTS nodes that the question names, -1: none; or NULL */
    int question;                          /* question type, from 0 */
} net_graph;

/* Floats of working memory for a graph of so many nodes and edges, and doubles of answer (of `most` outputs,
   which is 1 unless answers are sequences). They may stand where a constant is asked for. */
#define NET_ROWS(nodes) ((size_t)(nodes) + NET_END_NODE)
#define NET_WORKSPACE(nodes, edges)                                                                         \
    (NET_ROWS(nodes) * (size_t)(NET_KEPT * NET_ANNOTATION + (2 + 2 * NET_SIDES) * NET_STATE +               \
                                NET_EDGE_NUMBERS + NET_ROW_OUTPUTS + 2) +                                   \
     (size_t)(edges) * 2 + NET_OUTPUTS)
#define NET_OUT(nodes, most) ((size_t)(most) * (NET_NODE_ROWS ? NET_ROWS(nodes) * NET_OUTPUTS : (size_t)NET_OUTPUTS))

/* The answer of the network to one question about one graph. Gives the number of outputs, 1 unless answers are
   sequences, or one of the codes above. Sizes are of the memory given, in floats and doubles. */
int net_predict(const net_graph *graph, int most, float *workspace, size_t workspace_size, double *out,
                size_t out_size);
)C";

const char* const c_definitions = R"C(
typedef struct net_work {
    const net_graph *graph;
    int nodes;         /* rows: those of the graph, and for sequences of nodes one that stands for 'end' */
    float *x;          /* annotations, of every member where they change from output to output */
    float *h, *sums;   /* rows x NET_STATE */
    float *a, *base;   /* rows x NET_SIDES NET_STATE: what is heard; of it, what is the same in every step */
    float *degree, *count, *numbers; /* by row, over the edges of one type and direction */
    float *in, *back;  /* weights of edges, as their targets and as their sources hear them */
    float *scores;     /* outputs: rows x NET_OUTPUTS, or NET_OUTPUTS */
} net_work;

static float net_sigma(float v) { return 1.0f / (1.0f + expf(-v)); }

/* to += from W, W having `k` rows and `m` columns. */
static void net_add(const float *from, int k, const float *w, int m, float *to) {
    int i, j;
    for (i = 0; i < k; ++i)
        for (j = 0; j < m; ++j) to[j] += from[i] * w[(size_t)i * m + j];
}

static void net_copy(float *to, const float *from, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) to[i] = from[i];
}

static void net_clear(float *to, size_t count) {
    size_t i;
    for (i = 0; i < count; ++i) to[i] = 0;
}

static int net_is_bad(const net_graph *g, int most) {
    int i;
    if (g == NULL || g->nodes < 1 || g->edges < 0 || most < 1) return 1;
    if (g->question < 0 || g->question >= NET_QUESTIONS) return 1;
    if (g->edges > 0 && (g->sources == NULL || g->types == NULL || g->targets == NULL)) return 1;
    if (g->edges > 0 && NET_EDGE_NUMBERS > 0 && g->edge_numbers == NULL) return 1;
    for (i = 0; i < g->edges; ++i) {
        if (g->sources[i] < 0 || g->sources[i] >= g->nodes) return 1;
        if (g->targets[i] < 0 || g->targets[i] >= g->nodes) return 1;
        if (g->types[i] < 0 || g->types[i] >= NET_EDGE_TYPES) return 1;
    }
    for (i = 0; i < NET_ARGUMENTS && g->arguments != NULL; ++i)
        if (g->arguments[i] < -1 || g->arguments[i] >= g->nodes) return 1;
    return 0;
}

/* Messages that a node gets over edges of one type and direction are added up, or averaged by their weights. */
static void net_weigh(net_work *w) {
    const net_graph *g = w->graph;
    int i, type, side;
    for (i = 0; i < g->edges; ++i) w->in[i] = w->back[i] = g->edge_weights != NULL ? g->edge_weights[i] : 1.0f;
    for (side = 0; side < 2 && NET_MEAN; ++side) {
        const int *to = side == 0 ? g->targets : g->sources;
        float *weights = side == 0 ? w->in : w->back;
        for (type = 0; type < NET_EDGE_TYPES; ++type) {
            net_clear(w->degree, (size_t)w->nodes);
            for (i = 0; i < g->edges; ++i)
                if (g->types[i] == type) w->degree[to[i]] += fabsf(weights[i]);
            for (i = 0; i < g->edges; ++i)
                if (g->types[i] == type) weights[i] *= w->degree[to[i]] > 0 ? 1.0f / w->degree[to[i]] : 0.0f;
        }
    }
}

/* The annotations of the first output: features and tags, or what the input layer makes of them; a bit for each
   argument; in the last bit, the flag of the node that stands for 'end'. */
static void net_annotate(const net_work *w, const float *p, float *x) {
    const net_graph *g = w->graph;
    int v, j;
    net_clear(x, (size_t)w->nodes * NET_ANNOTATION);
    for (v = 0; v < w->nodes; ++v) {
        float *row = x + (size_t)v * NET_ANNOTATION;
        if (NET_EMBEDDING > 0) net_copy(row, p + NET_AT_INPUT_B, NET_EMBEDDING);
        for (j = 0; j < NET_INPUTS && v < g->nodes; ++j) {
            float known = 0;
            if (j < NET_FEATURES) {
                if (g->features != NULL)
                    known = (float)(g->features[(size_t)v * NET_FEATURES + j] * net_feature_scales[j]);
            } else if (g->tags != NULL) {
                known = g->tags[(size_t)v * NET_TAGS + (j - NET_FEATURES)] != 0 ? 1.0f : 0.0f;
            }
            if (NET_EMBEDDING > 0) {
                net_add(&known, 1, p + NET_AT_INPUT_W + (size_t)j * NET_EMBEDDING, NET_EMBEDDING, row);
            } else {
                row[j] = known;
            }
        }
        for (j = 0; j < NET_EMBEDDING; ++j) row[j] = tanhf(row[j]);
    }
    for (j = 0; j < NET_ARGUMENTS && g->arguments != NULL; ++j)
        if (g->arguments[j] >= 0) x[(size_t)g->arguments[j] * NET_ANNOTATION + NET_ASKED + j] = 1;
    if (NET_END_NODE) x[(size_t)g->nodes * NET_ANNOTATION + NET_ANNOTATION - 1] = 1;
}

/* What nodes hear in every step alike: the paper's bias, the numbers of their edges, and their annotations. */
static void net_set_base(net_work *w, const float *p, const float *x) {
    const net_graph *g = w->graph;
    const size_t heard = NET_SIDES * NET_STATE;
    int v, i, j, slot, side;
    for (v = 0; v < w->nodes; ++v) net_copy(w->base + v * heard, p + NET_AT_B, heard);
    for (slot = 0; slot < 2 * NET_EDGE_TYPES && NET_EDGE_NUMBERS > 0; ++slot) {
        const int *to = slot % 2 == 0 ? g->targets : g->sources;
        const float *weights = slot % 2 == 0 ? w->in : w->back;
        net_clear(w->numbers, (size_t)w->nodes * NET_EDGE_NUMBERS);
        for (i = 0; i < g->edges; ++i)
            for (j = 0; j < NET_EDGE_NUMBERS && g->types[i] == slot / 2; ++j)
                w->numbers[(size_t)to[i] * NET_EDGE_NUMBERS + j] +=
                    weights[i] * g->edge_numbers[(size_t)i * NET_EDGE_NUMBERS + j];
        for (v = 0; v < w->nodes; ++v)
            net_add(w->numbers + (size_t)v * NET_EDGE_NUMBERS, NET_EDGE_NUMBERS,
                    p + NET_AT_NUMBERS + (size_t)slot * NET_EDGE_NUMBERS * NET_STATE, NET_STATE,
                    w->base + v * heard + (size_t)(slot % NET_SIDES) * NET_STATE);
    }
    for (side = 0; side < NET_SIDES && NET_RESIDUAL; ++side)
        for (v = 0; v < w->nodes; ++v)
            net_add(x + (size_t)v * NET_ANNOTATION, NET_ANNOTATION,
                    p + NET_AT_RESIDUAL + (size_t)side * NET_ANNOTATION * NET_STATE, NET_STATE,
                    w->base + v * heard + (size_t)side * NET_STATE);
}

/* Eq. 2: a = the sum over edges of w (h A + b), and what is heard in every step. */
static void net_hear(net_work *w, const float *p, int step) {
    const net_graph *g = w->graph;
    const size_t heard = NET_SIDES * NET_STATE;
    int v, i, j, slot;
    net_copy(w->a, w->base, w->nodes * heard);
    for (slot = 0; slot < 2 * NET_EDGE_TYPES; ++slot) {
        const int *to = slot % 2 == 0 ? g->targets : g->sources, *from = slot % 2 == 0 ? g->sources : g->targets;
        const float *weights = slot % 2 == 0 ? w->in : w->back;
        const size_t matrix = (size_t)(NET_SETS > 1 ? step : 0) * 2 * NET_EDGE_TYPES + slot;
        const float *message = p + NET_AT_MESSAGES + matrix * (NET_STATE + 1) * NET_STATE;
        net_clear(w->sums, (size_t)w->nodes * NET_STATE);
        net_clear(w->degree, (size_t)w->nodes);
        net_clear(w->count, (size_t)w->nodes);
        for (i = 0; i < g->edges; ++i) {
            float *sum = w->sums + (size_t)to[i] * NET_STATE;
            const float *h = w->h + (size_t)from[i] * NET_STATE;
            if (g->types[i] != slot / 2) continue;
            w->degree[to[i]] += weights[i];
            w->count[to[i]] = 1;
            for (j = 0; j < NET_STATE; ++j) sum[j] += weights[i] * h[j];
        }
        for (v = 0; v < w->nodes; ++v) {
            float *a = w->a + v * heard + (size_t)(slot % NET_SIDES) * NET_STATE;
            if (w->count[v] == 0) continue;
            net_add(w->sums + (size_t)v * NET_STATE, NET_STATE, message, NET_STATE, a);
            net_add(w->degree + v, 1, message + (size_t)NET_STATE * NET_STATE, NET_STATE, a);
        }
    }
}

/* Eqs. 3 to 6 for one node. */
static void net_update(const float *a, const float *p, float *h) {
    const size_t square = (size_t)NET_STATE * NET_STATE;
    float gate[3][NET_STATE], reset[NET_STATE];
    int i, j;
    for (i = 0; i < 3; ++i) { /* z, r, h~ */
        net_copy(gate[i], p + NET_AT_GATE_B + (size_t)i * NET_STATE, NET_STATE);
        net_add(a, NET_SIDES * NET_STATE, p + NET_AT_W + i * NET_SIDES * square, NET_STATE, gate[i]);
        if (i == 2) break;
        net_add(h, NET_STATE, p + NET_AT_U + i * square, NET_STATE, gate[i]);
        for (j = 0; j < NET_STATE; ++j) gate[i][j] = net_sigma(gate[i][j]);
    }
    if (NET_RESET_AFTER) { /* r . (h U_h + c_h) */
        net_copy(reset, p + NET_AT_RESET_B, NET_STATE);
        net_add(h, NET_STATE, p + NET_AT_U + 2 * square, NET_STATE, reset);
        for (j = 0; j < NET_STATE; ++j) gate[2][j] += gate[1][j] * reset[j];
    } else { /* (r . h) U_h */
        for (j = 0; j < NET_STATE; ++j) reset[j] = gate[1][j] * h[j];
        net_add(reset, NET_STATE, p + NET_AT_U + 2 * square, NET_STATE, gate[2]);
    }
    for (j = 0; j < NET_STATE; ++j) h[j] += gate[0][j] * (tanhf(gate[2][j]) - h[j]);
}

/* From annotations to final states, w->h. */
static void net_propagate(net_work *w, const float *p, const float *x) {
    int v, j, t;
    for (v = 0; v < w->nodes; ++v) /* Eq. 1 */
        for (j = 0; j < NET_STATE; ++j)
            w->h[(size_t)v * NET_STATE + j] = j < NET_ANNOTATION ? x[(size_t)v * NET_ANNOTATION + j] : 0.0f;
    net_set_base(w, p, x);
    for (t = 0; t < NET_STEPS; ++t) {
        net_hear(w, p, t);
        for (v = 0; v < w->nodes; ++v)
            net_update(w->a + (size_t)v * NET_SIDES * NET_STATE, p, w->h + (size_t)v * NET_STATE);
    }
}

/* to = [h, x] W + b */
static void net_layer(const float *h, const float *x, const float *weights, const float *bias, int m, float *to) {
    net_copy(to, bias, (size_t)m);
    net_add(h, NET_STATE, weights, m, to);
    net_add(x, NET_ANNOTATION, weights + (size_t)NET_STATE * m, m, to);
}

/* tanh([h, x] W_1 + b_1) W_2 + b_2; p: these four, one after the other. */
static void net_score(const float *h, const float *x, const float *p, int m, float *to) {
    const float *b1 = p + (size_t)(NET_STATE + NET_ANNOTATION) * NET_STATE, *w2 = b1 + NET_STATE;
    float hidden[NET_STATE];
    int j;
    net_layer(h, x, p, b1, NET_STATE, hidden);
    for (j = 0; j < NET_STATE; ++j) hidden[j] = tanhf(hidden[j]);
    net_copy(to, w2 + (size_t)NET_STATE * m, (size_t)m);
    net_add(hidden, NET_STATE, w2, m, to);
}

static void net_node_outputs(net_work *w, const float *p, const float *x) {
    int v;
    for (v = 0; v < w->nodes; ++v) {
        const float *h = w->h + (size_t)v * NET_STATE, *row = x + (size_t)v * NET_ANNOTATION;
        float *to = w->scores + (size_t)v * NET_OUTPUTS, gate;
        if (NET_LINEAR) {
            net_copy(to, p + NET_AT_OUTPUT + (size_t)NET_STATE * NET_OUTPUTS, NET_OUTPUTS);
            net_add(h, NET_STATE, p + NET_AT_OUTPUT, NET_OUTPUTS, to);
        } else {
            net_score(h, row, p + NET_AT_OUTPUT, NET_OUTPUTS, to);
        }
        if (!NET_GATED) continue;
        net_layer(h, row, p + NET_AT_GATE_W_G, p + NET_AT_GATE_B_G, 1, &gate);
        to[0] *= net_sigma(gate);
    }
}

/* Eq. 7, and what follows it. */
static void net_graph_outputs(net_work *w, const float *p, const float *x) {
    const size_t block = (size_t)(NET_STATE + NET_ANNOTATION + 1) * NET_STATE;
    const float *wi = p + NET_AT_OUTPUT, *wj = wi + block, *rest = wj + block;
    float sum[NET_STATE], i[NET_STATE], j[NET_STATE], hidden[NET_STATE];
    int v, k;
    net_clear(sum, NET_STATE);
    for (v = 0; v < w->nodes; ++v) {
        const float *h = w->h + (size_t)v * NET_STATE, *row = x + (size_t)v * NET_ANNOTATION;
        net_layer(h, row, wi, wi + block - NET_STATE, NET_STATE, i);
        net_layer(h, row, wj, wj + block - NET_STATE, NET_STATE, j);
        for (k = 0; k < NET_STATE; ++k) sum[k] += net_sigma(i[k]) * tanhf(j[k]);
    }
    for (k = 0; k < NET_STATE && NET_SQUASHED; ++k) sum[k] = tanhf(sum[k]);
    if (NET_HIDDEN) {
        net_copy(hidden, rest + (size_t)NET_STATE * NET_STATE, NET_STATE);
        net_add(sum, NET_STATE, rest, NET_STATE, hidden);
        for (k = 0; k < NET_STATE; ++k) sum[k] = tanhf(hidden[k]);
        rest += (size_t)(NET_STATE + 1) * NET_STATE;
    }
    net_copy(w->scores, rest + (size_t)NET_STATE * NET_OUTPUTS, NET_OUTPUTS);
    net_add(sum, NET_STATE, rest, NET_OUTPUTS, w->scores);
}

/* out += the softmax of scores, over `members`. Scores that ran out of single precision say nothing. */
static void net_softmax(const float *scores, int count, int members, double *out) {
    double top = -HUGE_VAL, sum = 0;
    int i, fine = 1;
    for (i = 0; i < count; ++i)
        if (scores[i] > top) top = scores[i];
    for (i = 0; i < count; ++i) sum += exp(scores[i] - top);
    for (i = 0; i < count; ++i)
        if (!(exp(scores[i] - top) / sum <= 1.0)) fine = 0;
    for (i = 0; i < count; ++i) out[i] += (fine ? exp(scores[i] - top) / sum : 1.0 / count) / members;
}

/* What one member says of this output, added to out. */
static void net_read(const net_work *w, int members, double *out) {
    const int rows = NET_NODE_ROWS ? w->nodes : 1;
    int i, j;
    if (NET_NODE_ROWS && !NET_EACH_NODE) {
        net_softmax(w->scores, rows, members, out);
        return;
    }
    for (i = 0; i < rows; ++i) {
        const float *scores = w->scores + (size_t)i * NET_OUTPUTS;
        double *to = out + (size_t)i * NET_OUTPUTS;
        if (!NET_NUMBERS) net_softmax(scores, NET_OUTPUTS, members, to);
        for (j = 0; j < NET_OUTPUTS && NET_NUMBERS; ++j)
            to[j] += (scores[j] * net_value_scales[j] + net_value_means[j]) / members;
    }
}

/* The annotations of the next output, in place. Those that training was shown are 0 or 1, and are rounded. */
static void net_next(net_work *w, const float *p, float *x) {
    float next[NET_ANNOTATION];
    int v, j;
    if (NET_AT_NEXT_PROPAGATION > 0) net_propagate(w, p + NET_AT_NEXT_PROPAGATION, x);
    for (v = 0; v < w->nodes; ++v) {
        float *row = x + (size_t)v * NET_ANNOTATION;
        net_score(w->h + (size_t)v * NET_STATE, row, p + NET_AT_NEXT, NET_ANNOTATION, next);
        for (j = 0; j < NET_ANNOTATION; ++j) {
            const float value = net_sigma(next[j]);
            row[j] = !NET_OBSERVED ? value : value >= 0.5f ? 1.0f : 0.0f;
        }
    }
}

/* Whether the last of these is the largest, 'end': the sequence is over. */
static int net_ended(const double *list, size_t count) {
    size_t i;
    for (i = 0; i + 1 < count; ++i)
        if (list[i] >= list[count - 1]) return 0;
    return 1;
}

static void net_divide(net_work *w, float *from) {
    const size_t rows = (size_t)w->nodes, edges = (size_t)w->graph->edges;
    w->x = from;
    w->h = w->x + rows * NET_KEPT * NET_ANNOTATION;
    w->sums = w->h + rows * NET_STATE;
    w->a = w->sums + rows * NET_STATE;
    w->base = w->a + rows * NET_SIDES * NET_STATE;
    w->numbers = w->base + rows * NET_SIDES * NET_STATE;
    w->degree = w->numbers + rows * NET_EDGE_NUMBERS;
    w->count = w->degree + rows;
    w->in = w->count + rows;
    w->back = w->in + edges;
    w->scores = w->back + edges;
}

int net_predict(const net_graph *graph, int most, float *workspace, size_t workspace_size, double *out,
                size_t out_size) {
    net_work w;
    size_t list, i;
    int k, m, members, first;
    if (net_is_bad(graph, most)) return NET_BAD_GRAPH;
    if (!NET_SEQUENCE) most = 1;
    if (workspace == NULL || workspace_size < NET_WORKSPACE(graph->nodes, graph->edges)) return NET_SMALL_WORKSPACE;
    if (out == NULL || out_size < NET_OUT(graph->nodes, most)) return NET_SMALL_OUT;
    w.graph = graph;
    w.nodes = graph->nodes + NET_END_NODE;
    net_divide(&w, workspace);
    net_weigh(&w);
    first = net_first_member[graph->question];
    members = net_first_member[graph->question + 1] - first;
    list = NET_OUT(graph->nodes, 1);
    for (k = 0; k < most; ++k, out += list) {
        for (i = 0; i < list; ++i) out[i] = 0;
        for (m = 0; m < members; ++m) {
            const float *p = net_weights[first + m];
            float *x = w.x + (NET_SEQUENCE ? (size_t)m * w.nodes * NET_ANNOTATION : 0);
            if (k == 0) net_annotate(&w, p, x);
            net_propagate(&w, p, x);
            if (NET_NODE_ROWS) {
                net_node_outputs(&w, p, x);
            } else {
                net_graph_outputs(&w, p, x);
            }
            net_read(&w, members, out);
            if (NET_SEQUENCE && k + 1 < most) net_next(&w, p, x);
        }
        if (NET_SEQUENCE && net_ended(out, list)) return k + 1;
    }
    return most;
}
)C";

} // namespace ggsnn
