// Search over all sections of all pages, and the choice of light or dark. `sections` is in sections.js.
(function () {
    "use strict";
    var root = document.documentElement, box = document.getElementById("find"), list = document.getElementById("results");
    var theme = document.getElementById("theme");
    function stored() { try { return localStorage.getItem("theme"); } catch (e) { return null; } }
    function isDark() {
        return (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    }
    function label() { theme.textContent = isDark() ? "Light" : "Dark"; }
    if (matchMedia("(max-width: 760px)").matches) document.getElementById("pages").open = false;
    if (stored()) root.dataset.theme = stored();
    label();
    theme.addEventListener("click", function () {
        root.dataset.theme = isDark() ? "light" : "dark";
        try { localStorage.setItem("theme", root.dataset.theme); } catch (e) { /* kept for this page alone */ }
        label();
    });
    function score(section, words) {
        var title = section.title.toLowerCase(), text = section.text.toLowerCase(), sum = 0;
        for (var i = 0; i < words.length; ++i) {
            var inTitle = title.indexOf(words[i]) >= 0, at = text.indexOf(words[i]);
            if (!inTitle && at < 0) return 0;
            sum += (inTitle ? 10 : 0) + (at >= 0 ? Math.min(5, text.split(words[i]).length - 1) : 0);
        }
        return sum;
    }
    function around(text, word) {
        var at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
        return (at > 0 ? "… " : "") + text.slice(at, at + 120) + "…";
    }
    function show() {
        var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
        list.textContent = "";
        if (!words.length) return;
        var found = [];
        sections.forEach(function (s) { var n = score(s, words); if (n) found.push([n, s]); });
        found.sort(function (a, b) { return b[0] - a[0]; });
        found.slice(0, 20).forEach(function (f) {
            var a = document.createElement("a"), small = document.createElement("small");
            a.href = f[1].url;
            a.textContent = f[1].page === f[1].title ? f[1].title : f[1].page + " › " + f[1].title;
            small.textContent = around(f[1].text, words[0]);
            a.appendChild(small);
            list.appendChild(a);
        });
        if (!found.length) { var none = document.createElement("a"); none.textContent = "Nothing found"; list.appendChild(none); }
    }
    box.addEventListener("input", show);
    document.addEventListener("keydown", function (event) {
        if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
        if (event.key === "Escape") { box.value = ""; show(); box.blur(); }
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            var items = Array.prototype.slice.call(list.querySelectorAll("a[href]"));
            if (!items.length) return;
            var at = items.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
            event.preventDefault();
            (items[at] || (at < 0 ? box : items[0])).focus();
        }
    });
    document.addEventListener("click", function (event) { if (!event.target.closest(".find")) list.textContent = ""; });
}());
