#include "ggsnn/nn/stepper/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ggsnn {

template <class T>
StepperState<T> StepperState<T>::begin(const Links& links, int bits) {
    StepperState state;
    state.x.assign(static_cast<std::size_t>(links.nodes) * bits, 0);
    state.q.assign(links.links(), 0);
    for (int v = 0; v < links.nodes; ++v) state.q[links.start[v]] = 1;
    state.way.assign(links.nodes, 0);
    state.length.assign(links.nodes, 0);
    return state;
}

template <class T>
void StepperGradient<T>::prepare(const Links& links, int bits) {
    dz.assign(static_cast<std::size_t>(links.nodes) * padded(bits), 0);
    dq.assign(links.links(), 0);
    dchosen.assign(links.nodes, 0);
    dnone = 0;
    dway.assign(links.nodes, 0);
}

namespace {

template <class T>
T sigma(T z) {
    return 1 / (1 + std::exp(-z));
}

template <class T>
T rounded(T probability, bool hard) {
    return hard ? (probability > T(0.5) ? T(1) : T(0)) : probability;
}

template <class T, int Count>
void mixture(const T* logits, T* weights) {
    const T most = *std::max_element(logits, logits + Count);
    T sum = 0;
    for (int m = 0; m < Count; ++m) sum += weights[m] = std::exp(order_sharpness * (logits[m] - most));
    for (int m = 0; m < Count; ++m) weights[m] /= sum;
}

// From the gradient of the weights of a mixture to that of its logits.
template <class T, int Count>
void mixture_backward(const T* weights, const T* dweights, T* dlogits) {
    T mean = 0;
    for (int m = 0; m < Count; ++m) mean += weights[m] * dweights[m];
    for (int m = 0; m < Count; ++m) dlogits[m] += order_sharpness * weights[m] * (dweights[m] - mean);
}

template <class T>
void relu(std::vector<T>& values) {
    for (T& value : values) value = std::max(value, T(0));
}

template <class T>
void mask(std::vector<T>& gradient, const std::vector<T>& values) {
    for (std::size_t i = 0; i < gradient.size(); ++i)
        if (values[i] <= 0) gradient[i] = 0;
}

} // namespace

template <class T>
T first_of(const int* order, int count, const T* a, T* p) {
    T rest = 1;
    for (int i = 0; i < count; ++i) {
        p[order[i]] = a[order[i]] * rest;
        rest *= 1 - a[order[i]];
    }
    return rest;
}

template <class T>
void first_of_backward(const int* order, int count, const T* a, T weight, const T* dp, T dnone, T* da) {
    thread_local std::vector<T> rest;
    rest.resize(count + 1);
    rest[0] = 1;
    for (int i = 0; i < count; ++i) rest[i + 1] = rest[i] * (1 - a[order[i]]);
    T drest = dnone;
    for (int i = count; i-- > 0;) {
        const int at = order[i];
        da[at] += weight * rest[i] * (dp[at] - drest);
        drest = dp[at] * a[at] + drest * (1 - a[at]);
    }
}

template <class T>
Stepper<T>::Stepper(const StepperShape& shape) : shape_(shape), n_(padded(shape.state)) {
    const int H = shape.state, Y = shape.seen(), F = shape.link_flags(), B = shape.bits;
    const auto bound = [](int fan) { return 1 / std::sqrt(double(std::max(1, fan))); };
    if (shape.points) {
        const double b = bound(2 * Y + F);
        at_.Ps = layout_.matrix("pointer.from", Y, H, b);
        at_.Pr = layout_.matrix("pointer.to", Y, H, b);
        at_.Pe = layout_.matrix("pointer.link", F, H, b);
        at_.Pb = layout_.matrix("pointer.b", 1, H, b);
        at_.Pw = layout_.matrix("pointer.w", 1, H, bound(H));
        at_.Pc = layout_.matrix("pointer.c", 1, 1, bound(H));
        at_.Po = layout_.matrix("pointer.order", 1, link_orders, 0.01);
    }
    at_.Ms = layout_.matrix("message.from", Y, H, bound(Y + F));
    at_.Me = layout_.matrix("message.link", F, H, bound(Y + F));
    at_.Mb = layout_.matrix("message.b", 1, H, bound(Y + F));
    at_.Uy = layout_.matrix("state.own", Y, H, bound(Y + 1 + H));
    at_.Us = layout_.matrix("state.self", 1, H, bound(Y + 1 + H));
    at_.Um = layout_.matrix("state.message", H, H, bound(Y + 1 + H));
    at_.Ub = layout_.matrix("state.b", 1, H, bound(Y + 1 + H));
    if (shape.chooses) {
        at_.Gw = layout_.matrix("choice.w", 1, H, bound(H));
        at_.Gc = layout_.matrix("choice.c", 1, 1, bound(H));
        at_.Go = layout_.matrix("choice.order", 1, choice_orders, 0.01);
    }
    at_.Wh = layout_.matrix("bits.state", H, H, bound(H + 2));
    at_.Wf = layout_.matrix("bits.choice", 2, H, bound(H + 2));
    at_.Wb = layout_.matrix("bits.b", 1, H, bound(H + 2));
    at_.Vx = layout_.matrix("bits.V", H, B, bound(H));
    at_.Vb = layout_.matrix("bits.c", 1, B, bound(H));
    if (shape.classes > 0) {
        if (shape.inputs > 0)
            at_.R = layout_.matrix("classes.inputs", shape.inputs, shape.classes, bound(shape.inputs + B));
        at_.Rx = layout_.matrix("classes.bits", B, shape.classes, bound(shape.inputs + B));
        at_.Rb = layout_.matrix("classes.b", 1, shape.classes, bound(shape.inputs + B));
    }
    const std::size_t y = static_cast<std::size_t>(H) * padded(Y), h = static_cast<std::size_t>(H) * n_;
    const auto place = [&](std::size_t& where, std::size_t size) {
        where = turned_size_;
        turned_size_ += size;
    };
    for (std::size_t* each : {&turned_Ps_, &turned_Pr_, &turned_Ms_, &turned_Uy_}) place(*each, y);
    for (std::size_t* each : {&turned_Um_, &turned_Wh_}) place(*each, h);
    place(turned_Vx_, static_cast<std::size_t>(B) * n_);
}

template <class T>
void Stepper<T>::turn_weights(const T* p, T* turned) const {
    const int H = shape_.state, Y = shape_.seen(), B = shape_.bits;
    std::fill(turned, turned + turned_size_, T(0));
    if (shape_.points) {
        transpose(p + at_.Ps, Y, H, n_, turned + turned_Ps_, padded(Y));
        transpose(p + at_.Pr, Y, H, n_, turned + turned_Pr_, padded(Y));
    }
    transpose(p + at_.Ms, Y, H, n_, turned + turned_Ms_, padded(Y));
    transpose(p + at_.Uy, Y, H, n_, turned + turned_Uy_, padded(Y));
    transpose(p + at_.Um, H, H, n_, turned + turned_Um_, n_);
    transpose(p + at_.Wh, H, H, n_, turned + turned_Wh_, n_);
    transpose(p + at_.Vx, H, B, padded(B), turned + turned_Vx_, n_);
}

// ---- forward

template <class T>
void Stepper<T>::see(const Links& links, StepperTape<T>& tape) const {
    const int Y = shape_.seen(), I = shape_.inputs, B = shape_.bits;
    tape.y.resize(static_cast<std::size_t>(links.nodes) * Y);
    for (int v = 0; v < links.nodes; ++v) {
        T* y = tape.y.data() + static_cast<std::size_t>(v) * Y;
        for (int j = 0; j < I; ++j) y[j] = static_cast<T>(links.inputs[static_cast<std::size_t>(v) * I + j]);
        std::copy_n(tape.before.x.data() + static_cast<std::size_t>(v) * B, B, y + I);
        y[I + B] = tape.before.q[links.start[v]];
    }
}

// What stands before w in a_vu, after the relu.
template <class T>
void Stepper<T>::hidden_of_link(const Links& links, const StepperTape<T>& tape, const T* p, int v, int link,
                                T* hidden) const {
    const int H = shape_.state, S = shape_.slots;
    const T *ps = tape.ps.data() + static_cast<std::size_t>(links.from[link]) * n_,
            *pr = tape.pr.data() + static_cast<std::size_t>(v) * n_, *flags = p + at_.Pe;
    const T here = tape.before.q[link], there = tape.before.q[links.back[link]],
            self = links.from[link] == v ? T(1) : T(0);
    for (int j = 0; j < H; ++j) hidden[j] = ps[j] + pr[j];
    for (int s = 0; s < S; ++s)
        if (links.kind[static_cast<std::size_t>(link) * S + s] != 0)
            for (int j = 0; j < H; ++j) hidden[j] += flags[s * n_ + j];
    const T *f0 = flags + static_cast<std::ptrdiff_t>(S) * n_, *f1 = f0 + n_, *f2 = f1 + n_;
    for (int j = 0; j < H; ++j)
        hidden[j] = std::max(T(0), hidden[j] + here * f0[j] + there * f1[j] + self * f2[j]);
}

// Whom nodes allow.
template <class T>
void Stepper<T>::allow(const Links& links, bool hard, const T* p, StepperTape<T>& tape) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, H = shape_.state, Y = shape_.seen();
    tape.ps.resize(static_cast<std::size_t>(nodes) * n_);
    tape.pr.resize(tape.ps.size());
    const Rows<const T> y{tape.y.data(), Y};
    const Term<T> sent{y, p + at_.Ps, n_, Y}, received{y, p + at_.Pr, n_, Y};
    kernel.product(nodes, n_, &sent, 1, {tape.ps.data(), n_}, Start::zero, nullptr);
    kernel.product(nodes, n_, &received, 1, {tape.pr.data(), n_}, Start::bias, p + at_.Pb);
    tape.a.resize(links.links());
    tape.a_soft.resize(links.links());
    std::vector<T> hidden(H);
    for (int v = 0; v < nodes; ++v)
        for (int l = links.start[v]; l < links.start[v + 1]; ++l) {
            hidden_of_link(links, tape, p, v, l, hidden.data());
            T z = p[at_.Pc];
            for (int j = 0; j < H; ++j) z += hidden[j] * p[at_.Pw + j];
            tape.a_soft[l] = sigma(z);
            tape.a[l] = rounded(tape.a_soft[l], hard);
        }
}

// The first of the links of v, in all orders.
template <class T>
void Stepper<T>::first_links(const Links& links, int v, const T* weights, StepperTape<T>& tape) const {
    const int first = links.start[v], last = links.start[v + 1], count = links.links();
    for (int m = 0; m < link_orders; ++m) {
        int* order = tape.order.data() + static_cast<std::size_t>(m) * count + first;
        std::iota(order, order + (last - first), first);
        const auto key = [&](int l) {
            const T length = static_cast<T>(links.length[l]);
            return m == 0 ? T(0) : m == 1 ? length : length + tape.before.way[links.from[l]];
        };
        std::sort(order, order + (last - first), [&](int a, int b) {
            const T ka = key(a), kb = key(b);
            return ka != kb ? ka < kb : links.from[a] < links.from[b];
        });
        tape.keep[v] =
            first_of(order, last - first, tape.a.data(), tape.p.data() + static_cast<std::size_t>(m) * count);
    }
    for (int l = first; l < last; ++l) {
        T sum = 0;
        for (int m = 0; m < link_orders; ++m)
            sum += weights[m] * tape.p[static_cast<std::size_t>(m) * count + l];
        tape.q_own[l] = sum + tape.keep[v] * tape.before.q[l];
    }
}

// Pointers, and the lengths along them.
template <class T>
void Stepper<T>::point(const Links& links, const StepTold* told, bool hard, const T* p,
                       StepperTape<T>& tape) const {
    const int nodes = links.nodes;
    tape.q_own = tape.before.q;
    if (shape_.points) {
        allow(links, hard, p, tape);
        tape.keep.resize(nodes);
        tape.order.resize(static_cast<std::size_t>(link_orders) * links.links());
        tape.p.resize(tape.order.size());
        T weights[link_orders];
        mixture<T, link_orders>(p + at_.Po, weights);
        for (int v = 0; v < nodes; ++v) first_links(links, v, weights, tape);
    }
    tape.q = tape.q_own;
    if (told != nullptr && !told->pointers.empty()) {
        std::fill(tape.q.begin(), tape.q.end(), T(0));
        for (int v = 0; v < nodes; ++v) tape.q[told->pointers[v]] = 1;
    }
    tape.way.assign(nodes, 0);
    tape.length.assign(nodes, 0);
    for (int v = 0; v < nodes; ++v)
        for (int l = links.start[v] + 1; l < links.start[v + 1]; ++l) {
            if (tape.q[l] == 0) continue;
            const T length = static_cast<T>(links.length[l]);
            tape.way[v] += tape.q[l] * (tape.before.way[links.from[l]] + length);
            tape.length[v] += tape.q[l] * length;
        }
}

// Messages and states.
template <class T>
void Stepper<T>::hear(const Links& links, const T* p, StepperTape<T>& tape) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, H = shape_.state, Y = shape_.seen(), S = shape_.slots;
    const std::size_t size = static_cast<std::size_t>(nodes) * n_;
    const Rows<const T> y{tape.y.data(), Y};
    tape.ms.resize(size);
    const Term<T> sent{y, p + at_.Ms, n_, Y};
    kernel.product(nodes, n_, &sent, 1, {tape.ms.data(), n_}, Start::bias, p + at_.Mb);
    tape.m.assign(size, 0);
    tape.top.assign(size, -1);
    std::vector<T> e(H);
    const T *flags = p + at_.Me, *f0 = flags + static_cast<std::ptrdiff_t>(S) * n_, *f1 = f0 + n_;
    for (int v = 0; v < nodes; ++v) {
        T* m = tape.m.data() + static_cast<std::size_t>(v) * n_;
        int* top = tape.top.data() + static_cast<std::size_t>(v) * n_;
        for (int l = links.start[v] + 1; l < links.start[v + 1]; ++l) {
            const T* ms = tape.ms.data() + static_cast<std::size_t>(links.from[l]) * n_;
            const T here = tape.q[l], there = tape.q[links.back[l]];
            for (int j = 0; j < H; ++j) e[j] = ms[j] + here * f0[j] + there * f1[j];
            for (int s = 0; s < S; ++s)
                if (links.kind[static_cast<std::size_t>(l) * S + s] != 0)
                    for (int j = 0; j < H; ++j) e[j] += flags[s * n_ + j];
            for (int j = 0; j < H; ++j)
                if (e[j] > m[j]) {
                    m[j] = e[j];
                    top[j] = l;
                }
        }
    }
    tape.h.resize(size);
    const Term<T> terms[] = {{y, p + at_.Uy, n_, Y}, {{tape.m.data(), n_}, p + at_.Um, n_, H}};
    kernel.product(nodes, n_, terms, 2, {tape.h.data(), n_}, Start::bias, p + at_.Ub);
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < H; ++j)
            tape.h[static_cast<std::size_t>(v) * n_ + j] += tape.q[links.start[v]] * p[at_.Us + j];
    relu(tape.h);
}

template <class T>
void Stepper<T>::choose(const Links& links, const StepTold* told, bool hard, const T* p,
                        StepperTape<T>& tape) const {
    const int nodes = links.nodes, H = shape_.state;
    tape.chosen_own.assign(nodes, 0);
    tape.none_own = 1;
    if (shape_.chooses) {
        tape.g.resize(nodes);
        tape.g_soft.resize(nodes);
        tape.choice_order.resize(static_cast<std::size_t>(choice_orders) * nodes);
        tape.pc.resize(tape.choice_order.size());
        for (int v = 0; v < nodes; ++v) {
            T z = p[at_.Gc];
            for (int j = 0; j < H; ++j) z += tape.h[static_cast<std::size_t>(v) * n_ + j] * p[at_.Gw + j];
            tape.g_soft[v] = sigma(z);
            tape.g[v] = rounded(tape.g_soft[v], hard);
        }
        T weights[choice_orders];
        mixture<T, choice_orders>(p + at_.Go, weights);
        for (int m = 0; m < choice_orders; ++m) {
            int* order = tape.choice_order.data() + static_cast<std::size_t>(m) * nodes;
            std::iota(order, order + nodes, 0);
            const auto key = [&](int v) {
                return m == 0 ? T(0) : m == 1 ? tape.length[v] : m == 2 ? tape.way[v] : -tape.way[v];
            };
            std::stable_sort(order, order + nodes, [&](int a, int b) { return key(a) < key(b); });
            T* pc = tape.pc.data() + static_cast<std::size_t>(m) * nodes;
            tape.none_own = first_of(order, nodes, tape.g.data(), pc);
            for (int v = 0; v < nodes; ++v) tape.chosen_own[v] += weights[m] * pc[v];
        }
    }
    tape.chosen = tape.chosen_own;
    tape.none = tape.none_own;
    if (told != nullptr) {
        std::fill(tape.chosen.begin(), tape.chosen.end(), T(0));
        tape.none = told->chosen < 0 ? T(1) : T(0);
        if (told->chosen >= 0) tape.chosen[told->chosen] = 1;
    }
}

template <class T>
void Stepper<T>::forward(const Links& links, const StepperState<T>& before, const StepTold* told, bool hard,
                         const T* p, StepperTape<T>& tape) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, H = shape_.state, B = shape_.bits, nb = padded(B);
    tape.before = before;
    tape.told = told != nullptr;
    see(links, tape);
    point(links, told, hard, p, tape);
    hear(links, p, tape);
    choose(links, told, hard, p, tape);
    // Bits.
    tape.u.resize(static_cast<std::size_t>(nodes) * n_);
    const Term<T> state{{tape.h.data(), n_}, p + at_.Wh, n_, H};
    kernel.product(nodes, n_, &state, 1, {tape.u.data(), n_}, Start::bias, p + at_.Wb);
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < H; ++j)
            tape.u[static_cast<std::size_t>(v) * n_ + j] +=
                tape.chosen[v] * p[at_.Wf + j] + tape.none * p[at_.Wf + n_ + j];
    relu(tape.u);
    tape.x_soft.resize(static_cast<std::size_t>(nodes) * nb);
    const Term<T> bits{{tape.u.data(), n_}, p + at_.Vx, nb, H};
    kernel.product(nodes, nb, &bits, 1, {tape.x_soft.data(), nb}, Start::bias, p + at_.Vb);
    tape.x.resize(static_cast<std::size_t>(nodes) * B);
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < B; ++j) {
            T& soft = tape.x_soft[static_cast<std::size_t>(v) * nb + j];
            soft = sigma(soft);
            tape.x[static_cast<std::size_t>(v) * B + j] = rounded(soft, hard);
        }
}

// ---- backward

template <class T>
struct Stepper<T>::Work {
    std::vector<T> du, dh, dm, dms, dps, dpr; // nodes x H
    std::vector<T> dy;                        // nodes x padded(seen)
    std::vector<T> dq;                        // by link: of the pointers in use
    std::vector<T> dchosen;
    T dnone = 0;
    std::vector<T> hidden; // of one link
};

template <class T>
void Stepper<T>::choose_backward(const T* p, const StepperTape<T>& tape, int nodes, Work& work,
                                 T* gradient) const {
    const int H = shape_.state;
    T weights[choice_orders], dweights[choice_orders] = {};
    mixture<T, choice_orders>(p + at_.Go, weights);
    std::vector<T> dg(nodes, 0);
    for (int m = 0; m < choice_orders; ++m) {
        const std::size_t first = static_cast<std::size_t>(m) * nodes;
        first_of_backward(tape.choice_order.data() + first, nodes, tape.g.data(), weights[m],
                          work.dchosen.data(), work.dnone, dg.data());
        for (int v = 0; v < nodes; ++v) dweights[m] += work.dchosen[v] * tape.pc[first + v];
    }
    mixture_backward<T, choice_orders>(weights, dweights, gradient + at_.Go);
    for (int v = 0; v < nodes; ++v) {
        const T dz = dg[v] * tape.g_soft[v] * (1 - tape.g_soft[v]);
        if (dz == 0) continue;
        const std::size_t row = static_cast<std::size_t>(v) * n_;
        gradient[at_.Gc] += dz;
        for (int j = 0; j < H; ++j) {
            gradient[at_.Gw + j] += dz * tape.h[row + j];
            work.dh[row + j] += dz * p[at_.Gw + j];
        }
    }
}

template <class T>
void Stepper<T>::hear_backward(const Links& links, const T* p, const T* turned, const StepperTape<T>& tape,
                               bool through, Work& work, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, H = shape_.state, Y = shape_.seen(), S = shape_.slots;
    const Rows<const T> y{tape.y.data(), Y};
    mask(work.dh, tape.h);
    const Rows<const T> dh{work.dh.data(), n_};
    kernel.outer(nodes, Y, n_, y, dh, gradient + at_.Uy, n_);
    kernel.outer(nodes, H, n_, {tape.m.data(), n_}, dh, gradient + at_.Um, n_);
    kernel.column_sum(nodes, n_, dh, gradient + at_.Ub);
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < H; ++j) {
            const T each = work.dh[static_cast<std::size_t>(v) * n_ + j];
            gradient[at_.Us + j] += tape.q[links.start[v]] * each;
            work.dq[links.start[v]] += p[at_.Us + j] * each;
        }
    work.dm.resize(work.dh.size());
    const Term<T> to_m{dh, turned + turned_Um_, n_, H};
    kernel.product(nodes, n_, &to_m, 1, {work.dm.data(), n_}, Start::zero, nullptr);
    work.dms.assign(work.dh.size(), 0);
    const std::size_t f0 = static_cast<std::size_t>(S) * n_, f1 = f0 + n_;
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < H; ++j) {
            const std::size_t at = static_cast<std::size_t>(v) * n_ + j;
            const int l = tape.top[at];
            const T de = work.dm[at];
            if (l < 0 || de == 0) continue;
            work.dms[static_cast<std::size_t>(links.from[l]) * n_ + j] += de;
            for (int s = 0; s < S; ++s)
                if (links.kind[static_cast<std::size_t>(l) * S + s] != 0)
                    gradient[at_.Me + static_cast<std::size_t>(s) * n_ + j] += de;
            gradient[at_.Me + f0 + j] += tape.q[l] * de;
            gradient[at_.Me + f1 + j] += tape.q[links.back[l]] * de;
            work.dq[l] += p[at_.Me + f0 + j] * de;
            work.dq[links.back[l]] += p[at_.Me + f1 + j] * de;
        }
    const Rows<const T> dms{work.dms.data(), n_};
    kernel.outer(nodes, Y, n_, y, dms, gradient + at_.Ms, n_);
    kernel.column_sum(nodes, n_, dms, gradient + at_.Mb);
    if (!through) return;
    const Term<T> to_y[] = {{dh, turned + turned_Uy_, padded(Y), H},
                            {dms, turned + turned_Ms_, padded(Y), H}};
    kernel.product(nodes, padded(Y), to_y, 2, {work.dy.data(), padded(Y)}, Start::accumulate, nullptr);
}

// dz: what comes back to a_vu, before the sigmoid.
template <class T>
void Stepper<T>::allow_backward(const Links& links, const T* p, const StepperTape<T>& tape, int v, int link,
                                T dz, bool through, StepperGradient<T>& d, Work& work, T* gradient) const {
    const int H = shape_.state, S = shape_.slots;
    const std::size_t f0 = static_cast<std::size_t>(S) * n_, f1 = f0 + n_, f2 = f1 + n_;
    work.hidden.resize(H);
    hidden_of_link(links, tape, p, v, link, work.hidden.data());
    T *dps = work.dps.data() + static_cast<std::size_t>(links.from[link]) * n_,
      *dpr = work.dpr.data() + static_cast<std::size_t>(v) * n_;
    const T here = tape.before.q[link], there = tape.before.q[links.back[link]],
            self = links.from[link] == v ? T(1) : T(0);
    gradient[at_.Pc] += dz;
    T* each = work.hidden.data(); // from here on its gradient
    for (int j = 0; j < H; ++j) {
        gradient[at_.Pw + j] += dz * each[j];
        each[j] = each[j] > 0 ? dz * p[at_.Pw + j] : T(0);
    }
    for (int j = 0; j < H; ++j) dps[j] += each[j], dpr[j] += each[j];
    const auto add_flag = [&](std::size_t row, T flag) {
        for (int j = 0; j < H && flag != 0; ++j) gradient[at_.Pe + row + j] += flag * each[j];
    };
    for (int s = 0; s < S; ++s)
        add_flag(static_cast<std::size_t>(s) * n_, links.kind[static_cast<std::size_t>(link) * S + s]);
    add_flag(f0, here);
    add_flag(f1, there);
    add_flag(f2, self);
    for (int j = 0; j < H && through; ++j) {
        d.dq_before[link] += p[at_.Pe + f0 + j] * each[j];
        d.dq_before[links.back[link]] += p[at_.Pe + f1 + j] * each[j];
    }
}

template <class T>
void Stepper<T>::point_backward(const Links& links, const T* p, const T* turned, const StepperTape<T>& tape,
                                bool through, StepperGradient<T>& d, Work& work, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, count = links.links(), H = shape_.state, Y = shape_.seen();
    // d.dq is that of the network's own pointers from here on.
    if (through)
        for (int l = 0; l < count; ++l) d.dq[l] += work.dq[l];
    if (!shape_.points) {
        if (through)
            for (int l = 0; l < count; ++l) d.dq_before[l] += d.dq[l];
        return;
    }
    T weights[link_orders], dweights[link_orders] = {};
    mixture<T, link_orders>(p + at_.Po, weights);
    std::vector<T> da(count, 0);
    work.dps.assign(static_cast<std::size_t>(nodes) * n_, 0);
    work.dpr.assign(work.dps.size(), 0);
    for (int v = 0; v < nodes; ++v) {
        const int first = links.start[v], last = links.start[v + 1];
        T dkeep = 0;
        for (int l = first; l < last; ++l) {
            dkeep += d.dq[l] * tape.before.q[l];
            if (through) d.dq_before[l] += tape.keep[v] * d.dq[l];
        }
        for (int m = 0; m < link_orders; ++m) {
            const std::size_t part = static_cast<std::size_t>(m) * count;
            first_of_backward(tape.order.data() + part + first, last - first, tape.a.data(), weights[m],
                              d.dq.data(), dkeep, da.data());
            for (int l = first; l < last; ++l) dweights[m] += d.dq[l] * tape.p[part + l];
        }
        for (int l = first; l < last; ++l) {
            const T dz = da[l] * tape.a_soft[l] * (1 - tape.a_soft[l]);
            if (dz != 0) allow_backward(links, p, tape, v, l, dz, through, d, work, gradient);
        }
    }
    mixture_backward<T, link_orders>(weights, dweights, gradient + at_.Po);
    const Rows<const T> y{tape.y.data(), Y}, dps{work.dps.data(), n_}, dpr{work.dpr.data(), n_};
    kernel.outer(nodes, Y, n_, y, dps, gradient + at_.Ps, n_);
    kernel.outer(nodes, Y, n_, y, dpr, gradient + at_.Pr, n_);
    kernel.column_sum(nodes, n_, dpr, gradient + at_.Pb);
    if (!through) return;
    const Term<T> to_y[] = {{dps, turned + turned_Ps_, padded(Y), H},
                            {dpr, turned + turned_Pr_, padded(Y), H}};
    kernel.product(nodes, padded(Y), to_y, 2, {work.dy.data(), padded(Y)}, Start::accumulate, nullptr);
}

template <class T>
void Stepper<T>::backward(const Links& links, const T* p, const T* turned, const StepperTape<T>& tape,
                          bool through, StepperGradient<T>& d, T* gradient) const {
    const auto& kernel = kernels<T>();
    const int nodes = links.nodes, H = shape_.state, B = shape_.bits, nb = padded(B), Y = shape_.seen();
    thread_local Work work;
    work.dy.assign(static_cast<std::size_t>(nodes) * padded(Y), 0);
    work.dq.assign(links.links(), 0);
    work.dchosen = d.dchosen;
    work.dnone = d.dnone;
    d.dx_before.assign(static_cast<std::size_t>(nodes) * B, 0);
    d.dq_before.assign(links.links(), 0);
    d.dway_before.assign(nodes, 0);
    // Lengths of ways.
    for (int v = 0; v < nodes && through; ++v)
        for (int l = links.start[v] + 1; l < links.start[v + 1]; ++l) {
            const int u = links.from[l];
            work.dq[l] += d.dway[v] * (tape.before.way[u] + static_cast<T>(links.length[l]));
            d.dway_before[u] += d.dway[v] * tape.q[l];
        }
    // Bits.
    const Rows<const T> dz{d.dz.data(), nb};
    kernel.outer(nodes, H, nb, {tape.u.data(), n_}, dz, gradient + at_.Vx, nb);
    kernel.column_sum(nodes, nb, dz, gradient + at_.Vb);
    work.du.resize(static_cast<std::size_t>(nodes) * n_);
    const Term<T> to_u{dz, turned + turned_Vx_, n_, B};
    kernel.product(nodes, n_, &to_u, 1, {work.du.data(), n_}, Start::zero, nullptr);
    mask(work.du, tape.u);
    const Rows<const T> du{work.du.data(), n_};
    kernel.outer(nodes, H, n_, {tape.h.data(), n_}, du, gradient + at_.Wh, n_);
    kernel.column_sum(nodes, n_, du, gradient + at_.Wb);
    for (int v = 0; v < nodes; ++v)
        for (int j = 0; j < H; ++j) {
            const T each = work.du[static_cast<std::size_t>(v) * n_ + j];
            gradient[at_.Wf + j] += tape.chosen[v] * each;
            gradient[at_.Wf + n_ + j] += tape.none * each;
            if (!through) continue;
            work.dchosen[v] += p[at_.Wf + j] * each;
            work.dnone += p[at_.Wf + n_ + j] * each;
        }
    work.dh.resize(work.du.size());
    const Term<T> to_h{du, turned + turned_Wh_, n_, H};
    kernel.product(nodes, n_, &to_h, 1, {work.dh.data(), n_}, Start::zero, nullptr);
    if (shape_.chooses) choose_backward(p, tape, nodes, work, gradient);
    hear_backward(links, p, turned, tape, through, work, gradient);
    point_backward(links, p, turned, tape, through, d, work, gradient);
    if (!through) return;
    for (int v = 0; v < nodes; ++v) {
        const T* dy = work.dy.data() + static_cast<std::size_t>(v) * padded(Y);
        for (int j = 0; j < B; ++j) d.dx_before[static_cast<std::size_t>(v) * B + j] += dy[shape_.inputs + j];
        d.dq_before[links.start[v]] += dy[shape_.inputs + B];
    }
}

template <class T>
void Stepper<T>::read_classes(const T* inputs, const T* x, const T* p, T* scores) const {
    const int m = padded(shape_.classes);
    std::copy_n(p + at_.Rb, m, scores);
    for (int c = 0; c < shape_.classes; ++c) {
        for (int j = 0; j < shape_.inputs; ++j)
            scores[c] += inputs[j] * p[at_.R + static_cast<std::size_t>(j) * m + c];
        for (int j = 0; j < shape_.bits; ++j)
            scores[c] += x[j] * p[at_.Rx + static_cast<std::size_t>(j) * m + c];
    }
}

template <class T>
void Stepper<T>::read_classes_backward(const T* inputs, const T* x, const T* p, const T* d_scores,
                                       T* gradient, T* dx) const {
    const int m = padded(shape_.classes);
    for (int c = 0; c < shape_.classes; ++c) {
        gradient[at_.Rb + c] += d_scores[c];
        for (int j = 0; j < shape_.inputs; ++j)
            gradient[at_.R + static_cast<std::size_t>(j) * m + c] += inputs[j] * d_scores[c];
        for (int j = 0; j < shape_.bits; ++j) {
            gradient[at_.Rx + static_cast<std::size_t>(j) * m + c] += x[j] * d_scores[c];
            if (dx != nullptr) dx[j] += p[at_.Rx + static_cast<std::size_t>(j) * m + c] * d_scores[c];
        }
    }
}

template struct StepperState<float>;
template struct StepperState<double>;
template struct StepperGradient<float>;
template struct StepperGradient<double>;
template class Stepper<float>;
template class Stepper<double>;
template float first_of(const int*, int, const float*, float*);
template double first_of(const int*, int, const double*, double*);
template void first_of_backward(const int*, int, const float*, float, const float*, float, float*);
template void first_of_backward(const int*, int, const double*, double, const double*, double, double*);

} // namespace ggsnn
