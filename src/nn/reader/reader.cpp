#include "ggsnn/nn/reader/reader.hpp"

#include <cmath>
#include <cstring>

namespace ggsnn {

template <class T>
Reader<T>::Reader(const ReaderShape& shape) : shape_(shape), n_(padded(shape.state)) {
    const int d = shape.state, passes = static_cast<int>(shape.order.size());
    const double bound = 1 / std::sqrt(double(d));
    e_ = layout_.matrix("e", shape.words, d, std::sqrt(3.0) / 2);
    start_ = layout_.matrix("start", passes + 1, d, 0.5);
    name_block(block_[0], "question");
    name_block(block_[1], "story");
    W_o_ = layout_.matrix("W_o", d, d, bound / std::sqrt(2.0));
    V_o_ = layout_.matrix("V_o", d, d, bound / std::sqrt(2.0));
    G_o_ = layout_.matrix("G_o", d, d, bound);
    b_o_ = layout_.matrix("b_o", 1, d, bound);
    W_place_ = layout_.matrix("W_place", d, shape.places, bound);
    W_class_ = layout_.block(d, shape.outputs, shape.places);
    b_class_ = layout_.block(1, shape.outputs, shape.places);
    for (int k = 0; k < shape.places; ++k) {
        layout_.name(fmt::format("W_class{}", k), W_class_, 0, d, shape.outputs, k, shape.places, bound);
        layout_.name(fmt::format("b_class{}", k), b_class_, 0, 1, shape.outputs, k, shape.places, bound);
    }
    const auto turn = [&](int rows) {
        const std::size_t at = turned_size_;
        turned_size_ += static_cast<std::size_t>(rows) * n_;
        return at;
    };
    for (Turned& t : turned_)
        t = {turn(3 * d), turn(3 * d), turn(d), turn(d), turn(2 * d), turn(2 * d), turn(2 * d)};
    turned_W_o_ = turn(d);
    turned_V_o_ = turn(d);
    turned_G_o_ = turn(d);
    turned_place_ = turn(shape.places);
    turned_class_ = turn(shape.places * shape.outputs);
}

template <class T>
void Reader<T>::name_block(Block& block, const std::string& name) {
    const int d = shape_.state;
    const double bound = 1 / std::sqrt(double(d)), both = bound / std::sqrt(2.0);
    const auto parts = [&](const std::string& what, int rows, std::initializer_list<const char*> of,
                           double size) {
        const int count = static_cast<int>(of.size());
        const std::size_t at = layout_.block(rows, d, count);
        int part = 0;
        for (const char* each : of)
            layout_.name(name + "." + what + "_" + each, at, 0, rows, d, part++, count, size);
        return at;
    };
    const auto one = [&](const char* what, int rows, double size) {
        return layout_.matrix(name + "." + what, rows, d, size);
    };
    block.W = parts("W", d, {"y", "z", "c"}, both);
    block.V = parts("V", d, {"y", "z", "c"}, both);
    block.b = parts("b", 1, {"y", "z", "c"}, bound);
    block.p = one("p", shape_.positions, 0.5);
    block.q = one("q", shape_.positions, 0.5);
    block.W_g = one("W_g", d, bound);
    block.b_g = one("b_g", 1, bound);
    block.W_s = one("W_s", d, bound);
    block.b_s = one("b_s", 1, bound);
    block.R = parts("R", d, {"z", "c"}, bound);
    block.S = parts("S", d, {"z", "c"}, both);
    block.G = parts("G", d, {"z", "c"}, both);
    block.d = parts("d", 1, {"z", "c"}, both);
}

template <class T>
std::size_t Reader<T>::projected_size() const {
    return static_cast<std::size_t>(shape_.words) * n_ * (3 * blocks + 1);
}

// Of each block the words' [y | z | c], then the words' part of o.
template <class T>
void Reader<T>::project(const T* p, T* projected) const {
    const Rows<const T> e{p + e_, n_};
    for (const Block& block : block_) {
        const Term<T> term{e, p + block.V, 3 * n_, shape_.state};
        kernels<T>().product(shape_.words, 3 * n_, &term, 1, {projected, 3 * n_}, Start::bias, p + block.b);
        projected += static_cast<std::size_t>(shape_.words) * 3 * n_;
    }
    const Term<T> term{e, p + V_o_, n_, shape_.state};
    kernels<T>().product(shape_.words, n_, &term, 1, {projected, n_}, Start::bias, p + b_o_);
}

template <class T>
std::size_t Reader<T>::transposed_size() const {
    return turned_size_;
}

template <class T>
void Reader<T>::transpose_weights(const T* p, T* out) const {
    const int d = shape_.state;
    const auto turn = [&](std::size_t from, int columns, int parts, std::size_t to) {
        const int wide = padded(columns);
        for (int part = 0; part < parts; ++part)
            transpose(p + from + static_cast<std::size_t>(part) * wide, d, columns, parts * wide,
                      out + to + static_cast<std::size_t>(part) * columns * n_, n_);
    };
    for (int b = 0; b < blocks; ++b) {
        const Block& block = block_[b];
        const Turned& t = turned_[b];
        turn(block.W, d, 3, t.W);
        turn(block.V, d, 3, t.V);
        turn(block.W_g, d, 1, t.W_g);
        turn(block.W_s, d, 1, t.W_s);
        turn(block.R, d, 2, t.R);
        turn(block.S, d, 2, t.S);
        turn(block.G, d, 2, t.G);
    }
    turn(W_o_, d, 1, turned_W_o_);
    turn(V_o_, d, 1, turned_V_o_);
    turn(G_o_, d, 1, turned_G_o_);
    turn(W_place_, shape_.places, 1, turned_place_);
    turn(W_class_, shape_.outputs, shape_.places, turned_class_);
}

// ---- forward

template <class T>
void Reader<T>::read_step(const StoryBatch& batch, const StoryBatch::Step& step, const T* p,
                          const T* projected, ReaderTape<T>& tape) const {
    const auto& kernel = kernels<T>();
    const Block& block = block_[step.block];
    const int n = n_, d = shape_.state, rows = step.last_row - step.first_row,
              sentences = step.last_sentence - step.first_sentence;
    const std::size_t first = step.first_row, first_s = step.first_sentence;
    // [y | z | c] = h W + e V + b, of which z and c lack r R
    T* gates = tape.gates.data() + first * 3 * n;
    const T* table = projected_of(projected, step.block);
    for (int i = 0; i < rows; ++i)
        std::memcpy(gates + static_cast<std::size_t>(i) * 3 * n,
                    table + static_cast<std::size_t>(batch.word[first + i]) * 3 * n, 3 * n * sizeof(T));
    const Term<T> states{{tape.h.data(), n, batch.previous.data() + first}, p + block.W, 3 * n, d};
    kernel.product(rows, 3 * n, &states, 1, {gates, 3 * n}, Start::accumulate, nullptr);
    // Positions.
    for (const auto& [table_at, to] : {std::pair(block.p, &tape.p), std::pair(block.q, &tape.q)}) {
        T* out = to->data() + first * n;
        kernel.gather(rows, n, batch.position_start.data() + first, batch.position.data(), {p + table_at, n},
                      {out, n});
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows) * n; ++i) out[i] += 1;
    }
    // s' = tanh(sum of y . p + g W_g + b_g + start)
    T* s1 = tape.s1.data() + first_s * n;
    const Term<T> story{{tape.g.data(), n, batch.before.data() + first_s}, p + block.W_g, n, d};
    kernel.product(sentences, n, &story, 1, {s1, n}, Start::bias, p + block.b_g);
    for (int k = 0; k < sentences; ++k) {
        T* sum = s1 + static_cast<std::size_t>(k) * n;
        if (step.block == 0) {
            const T* start = p + start_ + static_cast<std::size_t>(step.pass) * n;
            for (int j = 0; j < n; ++j) sum[j] += start[j];
        }
        for (int r = batch.first_row[first_s + k]; r < batch.first_row[first_s + k + 1]; ++r) {
            const T* y = tape.gates.data() + static_cast<std::size_t>(r) * 3 * n;
            const T* position = tape.p.data() + static_cast<std::size_t>(r) * n;
            for (int j = 0; j < n; ++j) sum[j] += y[j] * position[j];
        }
    }
    kernel.tanh(sentences, n, {s1, n});
    // s = tanh(s' W_s + b_s)
    T* s = tape.s.data() + first_s * n;
    const Term<T> inner{{s1, n}, p + block.W_s, n, d};
    kernel.product(sentences, n, &inner, 1, {s, n}, Start::bias, p + block.b_s);
    kernel.tanh(sentences, n, {s, n});
}

namespace {

// x := (1 - z) . x + z . c; `gates` is [z | c], before sigma and tanh, and after.
template <class T>
void gated_update(int rows, int n, T* gates, std::ptrdiff_t stride, Rows<const T> before, T* after) {
    const auto& kernel = kernels<T>();
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) gates[i * stride + j] -= 1;
    kernel.sigmoid(rows, n, {gates, stride});
    kernel.tanh(rows, n, {gates + n, stride});
    for (int i = 0; i < rows; ++i) {
        const T *z = gates + i * stride, *c = z + n, *x = before.row(i);
        T* out = after + static_cast<std::ptrdiff_t>(i) * n;
        for (int j = 0; j < n; ++j) out[j] = x[j] + z[j] * (c[j] - x[j]);
    }
}

// The gradient before sigma and tanh, from that of what came out, which is passed on to x. Rows of one step
// have different versions before them, so that nothing is added to twice at once.
template <class T>
void gated_backward(int rows, int n, const T* gates, std::ptrdiff_t stride, Rows<const T> before,
                    const T* d_after, Rows<T> d_before, T* d_gates) {
    for (int i = 0; i < rows; ++i) {
        const T *z = gates + i * stride, *c = z + n, *x = before.row(i),
                *d_out = d_after + static_cast<std::ptrdiff_t>(i) * n;
        T *dx = d_before.row(i), *dz = d_gates + i * stride, *dc = dz + n;
        for (int j = 0; j < n; ++j) {
            dz[j] = d_out[j] * (c[j] - x[j]) * z[j] * (1 - z[j]);
            dc[j] = d_out[j] * z[j] * (1 - c[j] * c[j]);
            dx[j] += d_out[j] * (1 - z[j]);
        }
    }
}

} // namespace

template <class T>
void Reader<T>::update_words(const StoryBatch& batch, const StoryBatch::Step& step, const T* p,
                             ReaderTape<T>& tape) const {
    const int n = n_, rows = step.last_row - step.first_row;
    const std::size_t first = step.first_row;
    T* r = tape.r.data() + first * n;
    for (int i = 0; i < rows; ++i) {
        const T* s = tape.s.data() + static_cast<std::size_t>(batch.sentence[first + i]) * n;
        const T* q = tape.q.data() + (first + i) * n;
        for (int j = 0; j < n; ++j) r[static_cast<std::size_t>(i) * n + j] = s[j] * q[j];
    }
    T* gates = tape.gates.data() + first * 3 * n + n;
    const Term<T> heard{{r, n}, p + block_[step.block].R, 2 * n, shape_.state};
    kernels<T>().product(rows, 2 * n, &heard, 1, {gates, 3 * n}, Start::accumulate, nullptr);
    gated_update<T>(rows, n, gates, 3 * n, {tape.h.data(), n, batch.previous.data() + first},
                    tape.h.data() + (first + 1) * n);
}

template <class T>
void Reader<T>::update_stories(const StoryBatch& batch, const StoryBatch::Step& step, const T* p,
                               ReaderTape<T>& tape) const {
    const int n = n_, sentences = step.last_sentence - step.first_sentence;
    const std::size_t first = step.first_sentence;
    const Block& block = block_[step.block];
    const Rows<const T> before{tape.g.data(), n, batch.before.data() + first};
    T* gates = tape.story_gates.data() + first * 2 * n;
    const Term<T> terms[] = {{{tape.s.data() + first * n, n}, p + block.S, 2 * n, shape_.state},
                             {before, p + block.G, 2 * n, shape_.state}};
    kernels<T>().product(sentences, 2 * n, terms, 2, {gates, 2 * n}, Start::bias, p + block.d);
    gated_update<T>(sentences, n, gates, 2 * n, before, tape.g.data() + (first + 1) * n);
}

template <class T>
void Reader<T>::output(const StoryBatch& batch, const T* p, const T* projected, ReaderTape<T>& tape) const {
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, words = batch.last_words(), stories = batch.stories(),
              m = padded(shape_.outputs), places = shape_.places, pl = padded(places);
    // o = tanh(h W_o + e V_o + g G_o + b_o)
    T* o = tape.o.get(static_cast<std::size_t>(words) * n);
    T* from_story = tape.per_story.get(static_cast<std::size_t>(stories) * n);
    const Rows<const T> ends{tape.g.data(), n, batch.end.data()};
    const Term<T> story{ends, p + G_o_, n, d};
    kernel.product(stories, n, &story, 1, {from_story, n}, Start::zero, nullptr);
    const T* table = projected_of(projected, blocks);
    for (int w = 0; w < words; ++w) {
        const T* e = table + static_cast<std::size_t>(batch.last_word[w]) * n;
        const T* g = from_story + static_cast<std::size_t>(batch.last_story[w]) * n;
        for (int j = 0; j < n; ++j) o[static_cast<std::size_t>(w) * n + j] = e[j] + g[j];
    }
    const Term<T> states{{tape.h.data(), n, batch.last.data()}, p + W_o_, n, d};
    kernel.product(words, n, &states, 1, {o, n}, Start::accumulate, nullptr);
    kernel.tanh(words, n, {o, n});
    // score = g W_class + b_class + o W_place
    T* scores = tape.scores.get(static_cast<std::size_t>(stories) * places * m);
    const Term<T> classes{ends, p + W_class_, places * m, d};
    kernel.product(stories, places * m, &classes, 1, {scores, static_cast<std::ptrdiff_t>(places) * m},
                   Start::bias, p + b_class_);
    T* word_scores = tape.word_scores.get(static_cast<std::size_t>(words) * pl);
    const Term<T> by_place{{o, n}, p + W_place_, pl, d};
    kernel.product(words, pl, &by_place, 1, {word_scores, pl}, Start::zero, nullptr);
    for (int w = 0; w < words; ++w) {
        if (batch.last_class[w] < 0) continue;
        T* to = scores + static_cast<std::size_t>(batch.last_story[w]) * places * m + batch.last_class[w];
        for (int k = 0; k < places; ++k) to[k * m] += word_scores[static_cast<std::size_t>(w) * pl + k];
    }
}

template <class T>
void Reader<T>::forward(const StoryBatch& batch, const T* p, const T* projected, ReaderTape<T>& tape) const {
    const std::size_t n = n_, rows = batch.rows(), sentences = batch.sentences();
    std::memset(tape.h.get((rows + 1) * n), 0, n * sizeof(T));
    std::memset(tape.g.get((sentences + 1) * n), 0, n * sizeof(T));
    tape.gates.get(rows * 3 * n);
    for (Buffer<T>* each : {&tape.p, &tape.q, &tape.r}) each->get(rows * n);
    for (Buffer<T>* each : {&tape.s1, &tape.s}) each->get(sentences * n);
    tape.story_gates.get(sentences * 2 * n);
    for (const StoryBatch::Step& step : batch.steps) {
        read_step(batch, step, p, projected, tape);
        update_words(batch, step, p, tape);
        update_stories(batch, step, p, tape);
    }
    output(batch, p, projected, tape);
}

// ---- backward

template <class T>
void Reader<T>::output_backward(const StoryBatch& batch, const T* p, const T* turned, ReaderTape<T>& tape,
                                T* gradient, T* d_projected) const {
    (void)p;
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, words = batch.last_words(), stories = batch.stories(),
              m = padded(shape_.outputs), places = shape_.places, pl = padded(places);
    const T* d_scores = tape.d_scores.data();
    // score = g W_class + b_class + o W_place
    T* d_word_scores = tape.d_word_scores.zeroed(static_cast<std::size_t>(words) * pl);
    for (int w = 0; w < words; ++w) {
        if (batch.last_class[w] < 0) continue;
        const T* from =
            d_scores + static_cast<std::size_t>(batch.last_story[w]) * places * m + batch.last_class[w];
        for (int k = 0; k < places; ++k) d_word_scores[static_cast<std::size_t>(w) * pl + k] = from[k * m];
    }
    const Rows<const T> ends{tape.g.data(), n, batch.end.data()}, o{tape.o.data(), n};
    const std::ptrdiff_t wide = static_cast<std::ptrdiff_t>(places) * m;
    kernel.outer(stories, d, places * m, ends, {d_scores, wide}, gradient + W_class_, places * m);
    kernel.column_sum(stories, places * m, {d_scores, wide}, gradient + b_class_);
    kernel.outer(words, d, pl, o, {d_word_scores, pl}, gradient + W_place_, pl);
    const Rows<T> d_ends{tape.dg.data(), n, batch.end.data()};
    for (int k = 0; k < places; ++k) {
        const Term<T> term{{d_scores + static_cast<std::ptrdiff_t>(k) * m, wide},
                           turned + turned_class_ + static_cast<std::size_t>(k) * shape_.outputs * n,
                           n,
                           shape_.outputs};
        kernel.product(stories, n, &term, 1, d_ends, Start::accumulate, nullptr);
    }
    // o = tanh(h W_o + e V_o + g G_o + b_o)
    T* d_o = tape.d_o.get(static_cast<std::size_t>(words) * n);
    const Term<T> by_place{{d_word_scores, pl}, turned + turned_place_, n, places};
    kernel.product(words, n, &by_place, 1, {d_o, n}, Start::zero, nullptr);
    for (std::size_t i = 0; i < static_cast<std::size_t>(words) * n; ++i)
        d_o[i] *= 1 - tape.o.data()[i] * tape.o.data()[i];
    T* d_from_story = tape.per_story.zeroed(static_cast<std::size_t>(stories) * n);
    T* d_table = d_projected + static_cast<std::size_t>(blocks) * shape_.words * 3 * n;
    for (int w = 0; w < words; ++w) {
        T* e = d_table + static_cast<std::size_t>(batch.last_word[w]) * n;
        T* g = d_from_story + static_cast<std::size_t>(batch.last_story[w]) * n;
        const T* from = d_o + static_cast<std::size_t>(w) * n;
        for (int j = 0; j < n; ++j) e[j] += from[j], g[j] += from[j];
    }
    kernel.outer(words, d, n, {tape.h.data(), n, batch.last.data()}, {d_o, n}, gradient + W_o_, n);
    kernel.outer(stories, d, n, ends, {d_from_story, n}, gradient + G_o_, n);
    const Term<T> to_h{{d_o, n}, turned + turned_W_o_, n, d},
        to_g{{d_from_story, n}, turned + turned_G_o_, n, d};
    kernel.product(words, n, &to_h, 1, {tape.dh.data(), n, batch.last.data()}, Start::accumulate, nullptr);
    kernel.product(stories, n, &to_g, 1, d_ends, Start::accumulate, nullptr);
}

// g := (1 - z) . g + z . c; sets ds.
template <class T>
void Reader<T>::stories_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                                 ReaderTape<T>& tape, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, sentences = step.last_sentence - step.first_sentence;
    const std::size_t first = step.first_sentence;
    const Block& block = block_[step.block];
    const Turned& t = turned_[step.block];
    const Rows<const T> before{tape.g.data(), n, batch.before.data() + first};
    const Rows<T> d_before{tape.dg.data(), n, batch.before.data() + first};
    T* da = tape.d_story_gates.get(static_cast<std::size_t>(sentences) * 2 * n);
    gated_backward<T>(sentences, n, tape.story_gates.data() + first * 2 * n, 2 * n, before,
                      tape.dg.data() + (first + 1) * n, d_before, da);
    // [z | c] = s S + g G + d
    kernel.outer(sentences, d, 2 * n, {tape.s.data() + first * n, n}, {da, 2 * n}, gradient + block.S, 2 * n);
    kernel.outer(sentences, d, 2 * n, before, {da, 2 * n}, gradient + block.G, 2 * n);
    kernel.column_sum(sentences, 2 * n, {da, 2 * n}, gradient + block.d);
    const std::size_t half = static_cast<std::size_t>(d) * n;
    const Term<T> to_s[] = {{{da, 2 * n}, turned + t.S, n, d}, {{da + n, 2 * n}, turned + t.S + half, n, d}},
                  to_g[] = {{{da, 2 * n}, turned + t.G, n, d}, {{da + n, 2 * n}, turned + t.G + half, n, d}};
    kernel.product(sentences, n, to_s, 2, {tape.ds.get(static_cast<std::size_t>(sentences) * n), n},
                   Start::zero, nullptr);
    kernel.product(sentences, n, to_g, 2, d_before, Start::accumulate, nullptr);
}

// h := (1 - z) . h + z . c, r = s . q; adds to ds, sets the z and c of d_gates.
template <class T>
void Reader<T>::words_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                               ReaderTape<T>& tape, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, rows = step.last_row - step.first_row;
    const std::size_t first = step.first_row;
    const Block& block = block_[step.block];
    T* da = tape.d_gates.get(static_cast<std::size_t>(rows) * 3 * n) + n;
    gated_backward<T>(rows, n, tape.gates.data() + first * 3 * n + n, 3 * n,
                      {tape.h.data(), n, batch.previous.data() + first}, tape.dh.data() + (first + 1) * n,
                      {tape.dh.data(), n, batch.previous.data() + first}, da);
    kernel.outer(rows, d, 2 * n, {tape.r.data() + first * n, n}, {da, 3 * n}, gradient + block.R, 2 * n);
    T* dr = tape.dr.get(static_cast<std::size_t>(rows) * n);
    const T* R = turned + turned_[step.block].R;
    const Term<T> to_r[] = {{{da, 3 * n}, R, n, d},
                            {{da + n, 3 * n}, R + static_cast<std::size_t>(d) * n, n, d}};
    kernel.product(rows, n, to_r, 2, {dr, n}, Start::zero, nullptr);
    for (int i = 0; i < rows; ++i) {
        const std::size_t sentence = batch.sentence[first + i];
        const T *s = tape.s.data() + sentence * n, *q = tape.q.data() + (first + i) * n;
        T *ds = tape.ds.data() + (sentence - step.first_sentence) * n,
          *from = dr + static_cast<std::size_t>(i) * n;
        for (int j = 0; j < n; ++j) {
            ds[j] += from[j] * q[j];
            from[j] *= s[j]; // the gradient of q
        }
        for (int at = batch.position_start[first + i]; at < batch.position_start[first + i + 1]; ++at) {
            T* dq = gradient + block.q + static_cast<std::size_t>(batch.position[at]) * n;
            for (int j = 0; j < n; ++j) dq[j] += from[j];
        }
    }
}

// s, s' and y; with ds and the z and c of d_gates complete.
template <class T>
void Reader<T>::read_backward(const StoryBatch& batch, const StoryBatch::Step& step, const T* turned,
                              ReaderTape<T>& tape, T* gradient, T* d_projected) const {
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, rows = step.last_row - step.first_row,
              sentences = step.last_sentence - step.first_sentence;
    const std::size_t first = step.first_row, first_s = step.first_sentence;
    const Block& block = block_[step.block];
    const Turned& t = turned_[step.block];
    // s = tanh(s' W_s + b_s)
    T* ds = tape.ds.data();
    const T *s = tape.s.data() + first_s * n, *s1 = tape.s1.data() + first_s * n;
    for (std::size_t i = 0; i < static_cast<std::size_t>(sentences) * n; ++i) ds[i] *= 1 - s[i] * s[i];
    kernel.outer(sentences, d, n, {s1, n}, {ds, n}, gradient + block.W_s, n);
    kernel.column_sum(sentences, n, {ds, n}, gradient + block.b_s);
    T* ds1 = tape.ds1.get(static_cast<std::size_t>(sentences) * n);
    const Term<T> inner{{ds, n}, turned + t.W_s, n, d};
    kernel.product(sentences, n, &inner, 1, {ds1, n}, Start::zero, nullptr);
    // s' = tanh(sum of y . p + g W_g + b_g + start)
    for (std::size_t i = 0; i < static_cast<std::size_t>(sentences) * n; ++i) ds1[i] *= 1 - s1[i] * s1[i];
    const int* before = batch.before.data() + first_s;
    kernel.outer(sentences, d, n, {tape.g.data(), n, before}, {ds1, n}, gradient + block.W_g, n);
    kernel.column_sum(sentences, n, {ds1, n}, gradient + block.b_g);
    if (step.block == 0)
        kernel.column_sum(sentences, n, {ds1, n},
                          gradient + start_ + static_cast<std::size_t>(step.pass) * n);
    const Term<T> to_g{{ds1, n}, turned + t.W_g, n, d};
    kernel.product(sentences, n, &to_g, 1, {tape.dg.data(), n, before}, Start::accumulate, nullptr);
    T* da = tape.d_gates.data();
    T* d_table = d_projected + static_cast<std::size_t>(step.block) * shape_.words * 3 * n;
    for (int i = 0; i < rows; ++i) {
        const T* sum = ds1 + (static_cast<std::size_t>(batch.sentence[first + i]) - first_s) * n;
        const T *y = tape.gates.data() + (first + i) * 3 * n, *p = tape.p.data() + (first + i) * n;
        T* dy = da + static_cast<std::size_t>(i) * 3 * n;
        for (int j = 0; j < n; ++j) dy[j] = sum[j] * p[j];
        for (int at = batch.position_start[first + i]; at < batch.position_start[first + i + 1]; ++at) {
            T* dp = gradient + block.p + static_cast<std::size_t>(batch.position[at]) * n;
            for (int j = 0; j < n; ++j) dp[j] += sum[j] * y[j];
        }
        T* table = d_table + static_cast<std::size_t>(batch.word[first + i]) * 3 * n;
        for (int j = 0; j < 3 * n; ++j) table[j] += dy[j];
    }
    // [y | z | c] = h W + e V + b
    const int* previous = batch.previous.data() + first;
    kernel.outer(rows, d, 3 * n, {tape.h.data(), n, previous}, {da, 3 * n}, gradient + block.W, 3 * n);
    const std::size_t part = static_cast<std::size_t>(d) * n;
    const Term<T> to_h[] = {{{da, 3 * n}, turned + t.W, n, d},
                            {{da + n, 3 * n}, turned + t.W + part, n, d},
                            {{da + 2 * n, 3 * n}, turned + t.W + 2 * part, n, d}};
    kernel.product(rows, n, to_h, 3, {tape.dh.data(), n, previous}, Start::accumulate, nullptr);
}

template <class T>
void Reader<T>::backward(const StoryBatch& batch, const T* p, const T* turned, ReaderTape<T>& tape,
                         T* gradient, T* d_projected) const {
    tape.dh.zeroed(static_cast<std::size_t>(batch.rows() + 1) * n_);
    tape.dg.zeroed(static_cast<std::size_t>(batch.sentences() + 1) * n_);
    output_backward(batch, p, turned, tape, gradient, d_projected);
    for (auto step = batch.steps.rbegin(); step != batch.steps.rend(); ++step) {
        stories_backward(batch, *step, turned, tape, gradient);
        words_backward(batch, *step, turned, tape, gradient);
        read_backward(batch, *step, turned, tape, gradient, d_projected);
    }
}

template <class T>
void Reader<T>::unproject(const T* p, const T* turned, const T* d_projected, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int n = n_, d = shape_.state, words = shape_.words;
    const Rows<const T> e{p + e_, n};
    const Rows<T> de{gradient + e_, n};
    const std::size_t part = static_cast<std::size_t>(d) * n;
    for (int b = 0; b < blocks; ++b) {
        const T* da = d_projected + static_cast<std::size_t>(b) * words * 3 * n;
        kernel.outer(words, d, 3 * n, e, {da, 3 * n}, gradient + block_[b].V, 3 * n);
        kernel.column_sum(words, 3 * n, {da, 3 * n}, gradient + block_[b].b);
        const T* V = turned + turned_[b].V;
        const Term<T> terms[] = {{{da, 3 * n}, V, n, d},
                                 {{da + n, 3 * n}, V + part, n, d},
                                 {{da + 2 * n, 3 * n}, V + 2 * part, n, d}};
        kernel.product(words, n, terms, 3, de, Start::accumulate, nullptr);
    }
    const T* d_o = d_projected + static_cast<std::size_t>(blocks) * words * 3 * n;
    kernel.outer(words, d, n, e, {d_o, n}, gradient + V_o_, n);
    kernel.column_sum(words, n, {d_o, n}, gradient + b_o_);
    const Term<T> term{{d_o, n}, turned + turned_V_o_, n, d};
    kernel.product(words, n, &term, 1, de, Start::accumulate, nullptr);
}

template class Reader<float>;
template class Reader<double>;

} // namespace ggsnn
