// The same as onnx_run.py, in onnxruntime:  node onnx_run.mjs FOLDER MODULES
// MODULES: where npm has put onnxruntime-web.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, modules] = process.argv.slice(2);
const dist = join(modules, "onnxruntime-web", "dist");
const ort = await import(pathToFileURL(join(dist, "ort.node.min.mjs")).href);
ort.env.wasm.numThreads = 1;
ort.env.wasm.wasmPaths = pathToFileURL(dist).href + "/";

const tolerance = 1e-5;

function tensor({ type, dims, data }) {
    const values = { float32: () => Float32Array.from(data), int64: () => BigInt64Array.from(data.map(BigInt)), bool: () => Uint8Array.from(data) };
    return new ort.Tensor(type, values[type](), dims);
}

function compare(found, expected) {
    if (found.length !== expected.length) throw new Error(`${found.length} numbers; expected ${expected.length}`);
    let worst = 0, count = 0;
    expected.forEach((wanted, i) => {
        if (wanted === null) return;
        if (!Number.isFinite(found[i])) throw new Error("a number that is not finite");
        worst = Math.max(worst, Math.abs(found[i] - wanted) / Math.max(1, Math.abs(wanted)));
        ++count;
    });
    return { worst, count };
}

const models = readdirSync(folder).filter((name) => name.endsWith(".onnx")).sort();
if (models.length === 0) throw new Error(`${folder}: no models`);
for (const name of models) {
    const session = await ort.InferenceSession.create(new Uint8Array(readFileSync(join(folder, name))));
    const stem = name.slice(0, -".onnx".length);
    let count = 0, worst = 0;
    for (const batch of JSON.parse(readFileSync(join(folder, stem + ".json"), "utf8"))) {
        const inputs = Object.fromEntries(Object.entries(batch.inputs).map(([key, value]) => [key, tensor(value)]));
        for (const expected of batch.steps) {
            const outputs = await session.run(inputs);
            const result = compare(outputs[session.outputNames[0]].data, expected);
            count += result.count;
            worst = Math.max(worst, result.worst);
            if (outputs.next_annotations === undefined) continue;
            inputs.annotations = outputs.next_annotations;
            inputs.first = new ort.Tensor("bool", Uint8Array.of(0), [1]);
        }
    }
    if (!(worst <= tolerance)) {
        console.error(`${name}: differs by ${worst}; at most ${tolerance} was expected`);
        process.exit(1);
    }
    console.log(`${stem} ${count} ${worst.toPrecision(3)}`);
}
process.exit(0);
