import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type CodeMetrics, measure, report } from '../../../tools/code-metrics.mjs';
import { circlesOf, floorsOf } from '../../../tools/import-graph.mjs';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A project with the given files under src/. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-metrics-'));
  folders.push(root);
  const compilerOptions = { noEmit: true, allowImportingTsExtensions: true, module: 'ESNext', types: [] };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'src', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}

const metricsOf = (files: Readonly<Record<string, string>>): CodeMetrics => measure(projectOf(files));
const body = (lines: number): string => '  f();\n'.repeat(lines);
const graph = (edges: Readonly<Record<string, string>>) =>
  new Map(Object.entries(edges).map(([name, targets]) => [name, new Set(targets)]));

test('a function is as long as its lines, without the comment above it', () => {
  const { longFunctions, veryLongFunctions, functions } = metricsOf({
    'a.ts': `/** Says\n * much. */\nexport function long() {\n${body(59)}}\nfunction f() {}\n`,
    'b.ts': `class Engine {\n  constructor() {\n${body(99)}  }\n}\ndeclare function f(): void;\n`,
    'c.ts': `const fits = () => {\n${body(58)}};\ndeclare function f(): void;\n`,
  });
  expect(longFunctions).toEqual([
    { path: 'src/b.ts', name: 'Engine.constructor', lines: 101 },
    { path: 'src/a.ts', name: 'long', lines: 61 },
  ]);
  expect(veryLongFunctions.map(({ name }) => name)).toEqual(['Engine.constructor']);
  expect(functions).toBe(4);
});

test('a circle of types counts apart from a circle at run time', () => {
  const twice = (first: string, second: string, text: (other: string) => string) => ({
    [`${first}.ts`]: `${text(`./${second}.ts`)}\nexport type T = string;\n`,
    [`${second}.ts`]: `${text(`./${first}.ts`)}\nexport type T = string;\n`,
  });
  const { valueCircles, circles } = metricsOf({
    ...twice('a', 'b', (other) => `import type { T as U } from '${other}';`),
    ...twice('c', 'd', (other) => `import { type T as U } from '${other}';`),
    ...twice('e', 'f', (other) => `export type { T as U } from '${other}';`),
    ...twice('g', 'h', (other) => `export const later = () => import('${other}');`),
    ...twice('i', 'j', (other) => `import { type T as U, x } from '${other}';\nexport const x = 1;`),
  });
  const atRunTime = [
    ['src/g.ts', 'src/h.ts'],
    ['src/i.ts', 'src/j.ts'],
  ];
  expect(valueCircles).toEqual(atRunTime);
  expect(circles).toEqual([['src/a.ts', 'src/b.ts'], ['src/c.ts', 'src/d.ts'], ['src/e.ts', 'src/f.ts'], ...atRunTime]);
});

test('a folder of the core is a room, and so is a file that lies loose in it', () => {
  const { rooms, floors, arrows, roomCircles } = metricsOf({
    'core/engine/engine.ts': `import '../store/a.ts';\nimport '../store/b.ts';\nimport '../ports.ts';\n`,
    'core/store/a.ts': `import type { Port } from '../ports.ts';\nexport type A = Port;\n`,
    'core/store/b.ts': `import './a.ts';\n`,
    'core/ports.ts': `export type Port = string;\n`,
    'main/index.ts': `import '../core/engine/engine.ts';\n`,
  });
  expect({ rooms, floors, arrows, roomCircles }).toEqual({ rooms: 3, floors: 3, arrows: 3, roomCircles: [] });
});

test('a line counts as a comment when it holds nothing else', () => {
  const { commentShare } = metricsOf({
    'a.ts': `/**\n * Two.\n */\nexport const a = '// none';\nif (a) {\n  // one\n}\nconst b = 1; // none\n`,
  });
  expect(commentShare).toBeCloseTo(4 / 8);
});

test('an export is documented by a docstring right above it', () => {
  const { exported, documentedShare } = metricsOf({
    'a.ts': `/** One. */\nexport const a = 1;\n\n// No docstring.\nexport type B = string;\nexport function c() {}\n/** Mine. */\nconst d = 1;\n`,
  });
  expect({ exported, documentedShare }).toEqual({ exported: 3, documentedShare: 1 / 3 });
});

test('the report has a column for each folder and names what is long', () => {
  const before = projectOf({ 'a.ts': `export const a = 1;\n${'\n'.repeat(300)}export const b = 1;\n` });
  const after = projectOf({ 'a.ts': 'export const a = 1;\n', 'b.ts': '' });
  const text = report([before, after]);
  expect(text).toContain(`| measure | \`${before}\` | \`${after}\` |`);
  expect(text).toContain('| files in `src/` | 1 | 2 |');
  expect(text).toContain('| files over 300 lines | 1 | 0 |');
  expect(text).toContain('- 302: `src/a.ts`');
});

test('names that reach each other are one circle and share a floor', () => {
  const crossed = graph({ a: 'b', b: 'cd', c: 'b', d: 'e', e: '', f: 'f' });
  expect(circlesOf(crossed)).toEqual([['b', 'c']]);
  expect(floorsOf(crossed)).toBe(4);
  expect(floorsOf(graph({}))).toBe(0);
});
