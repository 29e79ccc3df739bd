// Builds the page: src/ into dist/, which is committed, so that the program is built without npm.
//   node build.mjs            writes dist/
//   node build.mjs --check    says whether dist/ is what the sources give (exit code 1 if not)
import { build } from 'esbuild';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const result = await build({
  entryPoints: [{ in: path.join(here, 'src/main.ts'), out: 'app' }],
  outdir: path.join(here, 'dist'),
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  format: 'esm',
  target: 'es2021',
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.css': 'css' },
});
// Notices of the libraries inside, which their licences ask for.
const notice = '/* ggsnn (MIT). With cytoscape.js (MIT, The Cytoscape Consortium) and uPlot (MIT, Leon Sorokin). */\n';
const files = new Map([['index.html', await readFile(path.join(here, 'src/index.html'), 'utf8')]]);
for (const file of result.outputFiles)
  files.set(path.basename(file.path), notice + file.text.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--'));

let stale = 0;
for (const [name, text] of files) {
  const target = path.join(here, 'dist', name);
  if (process.argv.includes('--check')) {
    if ((await readFile(target, 'utf8').catch(() => '')) === text) continue;
    console.error(`web/dist/${name} is not what web/src gives: run node web/build.mjs`);
    stale = 1;
  } else {
    await writeFile(target, text);
    console.log(`dist/${name} ${text.length} bytes`);
  }
}
process.exit(stale);
