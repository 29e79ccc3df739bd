// The page as a person uses it, in Debian's chromium: all five parts, both themes, three widths. Fails on an error of the
// console, on a request that leaves the machine, on a serious finding of axe-core, and where something is cut off.
//   node page.mjs PROGRAM FOLDER_FOR_SCREENSHOTS PART    programs, unsafe, graphs, training, formulas, reports, alone
// Exit code 77: skipped, because chromium or the modules are not there; it says so.
import { spawn, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [program, shots, part] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));
const browserPath = '/usr/bin/chromium';
function skip(why) {
  console.log(`[  SKIPPED ] ${why}`);
  process.exit(77);
}
if (!existsSync(path.join(here, '../node_modules/playwright-core'))) skip('npm modules of web/ are not installed');
if (!existsSync(browserPath)) skip('chromium is not installed');
const { chromium } = await import('playwright-core');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const failures = [];
const expect = (what, good) => {
  if (!good) failures.push(what);
  console.log(`${good ? 'ok  ' : 'FAIL'} ${what}`);
};

// What there is to see: two trainings, a report of one experiment.
const folder = mkdtempSync(path.join(tmpdir(), 'ggsnn-page-'));
const run = (...words) => execFileSync(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
const programs = path.join(here, '../../examples/programs');
if (part === 'training') {
  run('generate', 'babi18', '--count', '120', '--seed', '1', '-o', 'data.txt');
  const train = ['train', 'data.txt', '--train-count', '50', '--valid-count', '50', '--updates', '300', '--restarts', '3'];
  run(...train, '-o', 'fast.ggsnn', '--log', 'fast.jsonl');
  run(...train, '-o', 'slow.ggsnn', '--log', 'slow.jsonl', '--learning-rate', '0.001');
}
if (part === 'reports') {
  mkdirSync(path.join(folder, 'few'));
  writeFileSync(path.join(folder, 'few/concat.c'), readFileSync(path.join(programs, 'concat.c')));
  writeFileSync(path.join(folder, 'few/leak.c'), readFileSync(path.join(programs, 'broken/leak.c')));
  run('reproduce', 'programs', '--data', 'few', '-o', 'report', '--quiet');
}
mkdirSync(shots, { recursive: true });

const server = spawn(program, ['serve', '--port', '0', '--no-open', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
const base = await new Promise((done, broken) => {
  server.stdout.on('data', (bytes) => done(bytes.toString().trim()));
  server.on('exit', () => broken(new Error('the server ended')));
});
const profile = path.join(folder, 'profile');
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

async function open(hash, width = 1400, theme = 'light') {
  const page = await browser.newPage();
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !(hash === '#/formulas' && message.text().includes('422'))) failures.push(`console ${hash}: ${message.text()}`); });
  page.on('pageerror', (error) => failures.push(`error ${hash}: ${error.message}`));
  page.on('request', (request) => { if (!/^(http:\/\/127\.0\.0\.1:|data:|blob:|about:|file:)/.test(request.url())) failures.push(`a request left the machine: ${request.url()}`); });
  await page.goto(base + hash);
  return page;
}

async function look(page, name) {
  await page.waitForTimeout(100);
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(`${name}: nothing is cut off sideways`, wide <= 0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact));
  expect(`${name}: axe-core finds nothing serious ${serious.map((one) => `${one.id} ${one.nodes.slice(0, 3).map((node) => `${node.target}: ${node.failureSummary?.split('\n')[1] ?? ''}`)}`).join('; ')}`, serious.length === 0);
}

const own = `struct item { struct item *next; int key; };
int count(struct item *list) {
  int n = 0;
  struct item *at = list;
  while (at) { n++; at = at->next; }
  return n;
}
`;

const parts = {
  async programs(page) {
    // Three clicks: into the field (and paste), Verify; then what is proved stands there.
    await page.click('textarea');
    await page.fill('textarea', own);
    await page.click('text=Verify');
    await page.waitForSelector('.verdict', { timeout: 30000 });
    expect('programs: a pasted function is proved', (await page.textContent('.verdict')).startsWith('Proved'));
    expect('programs: its invariant is in the margin of its line', /ls\(at, NULL\)/.test(await page.textContent('#L5 .margin')));
    await page.click('.prediction [aria-label="Step forward"]');
    await page.click('.prediction [aria-label="Step forward"]');
    expect('programs: the formula grows', /ls\(/.test(await page.textContent('.growing')));
    await page.keyboard.press('ArrowRight');
    expect('programs: the keyboard steps, too', (await page.textContent('.prediction output')).startsWith('4 of'));
    expect('programs: nodes are marked', (await page.locator('.heap .active').count()) > 0);
    expect('programs: several snapshots side by side', (await page.locator('.heap-card').count()) > 1);
    await page.click('.proof .leaf summary');
    expect('programs: a case of the proof opens', await page.isVisible('.proof .leaf .entails'));
  },
  async unsafe(page) {
    await page.waitForSelector('optgroup', { state: 'attached' });
    await page.selectOption('select', { label: 'double_free.c' });
    await page.waitForFunction(() => document.querySelector('textarea').value.includes('again'));
    await page.click('text=Verify');
    await page.waitForSelector('.verdict.unsafe', { timeout: 30000 });
    expect('unsafe: the failing line is marked', (await page.textContent('.row.failing .line-number')) === '19');
    await page.click('.film [aria-label="First step"]');
    expect('unsafe: the film begins with the cell', (await page.locator('.stage .cell').count()) === 1);
    expect('unsafe: the listing follows the film', (await page.locator('.row.at').count()) === 1);
    await page.click('.film [aria-label="Last step"]');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Download a replay')]);
    expect('unsafe: the replay includes the program', readFileSync(await saved.path(), 'utf8').includes('#include "double_free.c"'));
  },
  async graphs(page) {
    await page.waitForSelector('.verdict');
    expect('graphs: the answer is right', (await page.textContent('.verdict')).includes('→ B'));
    await page.selectOption('.result .field select', { index: 1 });
    await page.waitForFunction(() => document.querySelector('.verdict').textContent.includes('→ E'));
    await page.click('[aria-label="Propagation steps"] [aria-label="First step"]');
    expect('graphs: states of the first step', (await page.textContent('.result')).includes('after propagation step 1'));
    const before = await page.inputValue('textarea');
    await page.click('text=Add node');
    await page.waitForFunction((text) => document.querySelector('textarea').value !== text, before);
    await page.waitForTimeout(300);
    expect('graphs: drawing writes the story', (await page.inputValue('textarea')).split('\n').length === before.split('\n').length + 1);
    await page.selectOption('form select', { label: 'shortest-path' });
    await page.waitForFunction(() => document.querySelector('.verdict')?.textContent.includes('shortest-path 1 5'));
    expect('graphs: a sequence, output by output', (await page.locator('.outputs button').count()) === 5);
    await page.click('.outputs button >> nth=2');
    expect('graphs: annotations of that output', (await page.textContent('.result')).includes('before output 3'));
  },
  async training(page) {
    await page.waitForSelector('.u-wrap');
    expect('training: two runs are compared', (await page.locator('.runs li').count()) === 2);
    expect('training: three charts', (await page.locator('.u-wrap').count()) === 3);
    expect('training: what differs stands first', /learning rate/.test(await page.textContent('.differs >> nth=1')));
  },
  async formulas(page) {
    await page.fill('textarea', 'ls(x,y) |- ls(x,NULL)');
    await page.click('button:text-is("Prove")');
    await page.waitForSelector('.verdict.unsafe');
    expect('formulas: a counter-heap is drawn', (await page.locator('.stage .cell').count()) > 0);
    await page.fill('textarea', 'ls(x,y) * x != y |- x |-> {next: y}');
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => document.querySelectorAll('.branch').length > 0);
    await page.fill('textarea', 'ls(x');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.error');
    expect('formulas: a mistake has its place', (await page.textContent('.error')).includes('line 1, column'));
    await page.click('text=x != NULL * tree(x)');
    await page.waitForSelector('.verdict.proved');
    expect('formulas: the proof is a tree', (await page.locator('.branch .branch').count()) > 0);
  },
  async reports(page) {
    const frame = page.frameLocator('iframe.report');
    await frame.locator('h1').waitFor();
    expect('reports: a summary first', (await frame.locator('.contents').first().textContent()).includes('2 of 2 as expected'));
  },
};

// Both themes and three widths of what stands there; axe-core looks at all of them.
async function lookAll(page, name) {
  for (const theme of ['light', 'dark'])
    for (const width of [1400, 800, 400]) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      await look(page, `${name}-${theme}-${width}`);
    }
}

async function live() {
  const page = await open('#/training');
  await page.waitForSelector('.u-wrap');
  writeFileSync(path.join(folder, 'live.jsonl'), readFileSync(path.join(folder, 'fast.jsonl'), 'utf8').split('\n').slice(0, 3).join('\n') + '\n');
  await page.waitForSelector('text=live.jsonl', { timeout: 8000 });
  expect('training: a run that begins is seen without loading the page again', true);
}

// The theme by hand, and a file that needs no server.
async function alone() {
  const page = await open('#/programs');
  await page.click('[aria-label="Dark theme"]');
  expect('the theme can be chosen', (await page.evaluate(() => document.documentElement.dataset.theme)) === 'dark');
  run('show', path.join(programs, 'concat.c'), '-o', 'show.html');
  page.on('request', (request) => { if (!/^(file|data):/.test(request.url())) failures.push(`show.html asked for ${request.url()}`); });
  await page.goto(`file://${folder}/show.html`);
  await page.waitForSelector('.listing');
  await page.click('[aria-label="Last step"]');
  await lookAll(page, 'alone');
}

try {
  if (part === 'alone') {
    await alone();
  } else {
    const page = await open(`#/${part === 'unsafe' ? 'programs' : part}`);
    await parts[part](page);
    await lookAll(page, part);
    if (part === 'training') await live();
    for (const file of part === 'reports' ? ['index', 'programs'] : []) {
      await page.goto(`file://${folder}/report/${file}.html`);
      await lookAll(page, `report-${file}`);
    }
  }
} catch (error) {
  failures.push(String(error));
} finally {
  await browser.close();
  server.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) console.error(`\n${failures.length} failures:\n${failures.join('\n')}`);
process.exit(failures.length > 0 ? 1 : 0);
