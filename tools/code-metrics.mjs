// Measures src/ of one checkout or several and prints Markdown, a column each:
//   node tools/code-metrics.mjs [FOLDER ...]
// Each folder needs a tsconfig.json. The API of TypeScript 7 is called unstable; the version is pinned, and a test
// runs this script.
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getLeadingCommentRanges, getTrailingCommentRanges, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { circlesOf, floorsOf } from './import-graph.mjs';

const LONG_FILE = 300;
const LONG_FUNCTION = 60;
const VERY_LONG_FUNCTION = 100;

const FUNCTIONS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

/** What `export` may stand before. */
const DECLARATIONS = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.VariableStatement,
]);

function walk(node, visit) {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** A function has the name that it is declared with, or that of the variable, property or call that it is given to. */
function nameOf(node) {
  if (node.kind === SyntaxKind.Constructor) return `${node.parent.name?.text ?? 'class'}.constructor`;
  const own = node.name?.text;
  const isMember = own !== undefined && node.parent.kind === SyntaxKind.ClassDeclaration;
  if (isMember) return `${node.parent.name?.text ?? 'class'}.${own}`;
  if (own !== undefined) return own;
  for (let above = node.parent; above !== undefined; above = above.parent) {
    if (FUNCTIONS.has(above.kind)) return `a function in ${nameOf(above)}`;
    if (above.name?.text !== undefined) return above.name.text;
  }
  return 'a function';
}

/** Where the files that a file imports are, and whether each import is of types alone. */
function importsOf(file) {
  const imports = [];
  const add = (specifier, typeOnly) => {
    const [path] = specifier.split('?');
    if (path.startsWith('.')) imports.push({ to: resolve(dirname(file.fileName), path), typeOnly });
  };
  walk(file, (node) => {
    if (node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration) {
      if (node.moduleSpecifier !== undefined) add(node.moduleSpecifier.text, isTypeOnly(node));
    } else if (node.kind === SyntaxKind.ImportType) add(node.argument.literal.text, true);
    else if (node.kind === SyntaxKind.CallExpression && node.expression.kind === SyntaxKind.ImportKeyword)
      if (node.arguments[0].kind === SyntaxKind.StringLiteral) add(node.arguments[0].text, false);
  });
  return imports;
}

function isTypeOnly(node) {
  const clause = node.importClause ?? node;
  if (clause.isTypeOnly || clause.phaseModifier === SyntaxKind.TypeKeyword) return true;
  const named = node.importClause === undefined ? node.exportClause : clause.namedBindings;
  const all = named?.elements;
  return all !== undefined && all.length > 0 && clause.name === undefined && all.every((one) => one.isTypeOnly);
}

/** The comments of a file by position, each once: before a node, after it, or in braces that hold nothing else. */
function commentsOf(file) {
  const found = new Map();
  walk(file, (node) => {
    if (node.kind === SyntaxKind.JsxText) return;
    const start = startOf(file, node);
    for (const range of [
      ...(getLeadingCommentRanges(file.text, node.pos) ?? []),
      ...(getTrailingCommentRanges(file.text, node.end) ?? []),
      ...(getLeadingCommentRanges(file.text, node.end) ?? []),
      ...(file.text[start] === '{' ? (getLeadingCommentRanges(file.text, start + 1) ?? []) : []),
    ])
      found.set(range.pos, range.end);
  });
  return [...found].sort(([left], [right]) => left - right);
}

/** How many lines hold nothing but a comment. */
function commentLinesOf(file) {
  let bare = '';
  let at = 0;
  for (const [pos, end] of commentsOf(file)) {
    if (pos < at) continue;
    bare += file.text.slice(at, pos) + file.text.slice(pos, end).replace(/[^\n]/g, '\0');
    at = end;
  }
  bare += file.text.slice(at);
  return bare.split('\n').filter((line) => line.includes('\0') && line.replaceAll('\0', '').trim() === '').length;
}

/** Where the text of a node begins, after comments and spaces. */
function startOf(file, node) {
  const at = getLeadingCommentRanges(file.text, node.pos)?.at(-1)?.end ?? node.pos;
  return at + (file.text.slice(at, node.end).match(/^\s+/)?.[0].length ?? 0);
}

const linesOf = (file, node) => file.text.slice(startOf(file, node), node.end).split('\n').length;

function measureFile(root, file) {
  const path = relative(root, file.fileName).split(sep).join('/');
  const functions = [];
  let exported = 0;
  let documented = 0;
  walk(file, (node) => {
    if (FUNCTIONS.has(node.kind) && node.body !== undefined)
      functions.push({ path, name: nameOf(node), lines: linesOf(file, node) });
    if (!DECLARATIONS.has(node.kind)) return;
    if (!node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword)) return;
    exported += 1;
    const above = getLeadingCommentRanges(file.text, node.pos)?.at(-1);
    if (above !== undefined && file.text.startsWith('/**', above.pos)) documented += 1;
  });
  const lines = file.text.trimEnd().split('\n');
  return {
    path,
    lines: lines.length,
    codeLines: lines.filter((line) => line.trim() !== '').length,
    commentLines: commentLinesOf(file),
    functions,
    exported,
    documented,
    imports: importsOf(file).map(({ to, typeOnly }) => ({
      to: relative(root, to).split(sep).join('/'),
      typeOnly,
    })),
  };
}

/** A room is a folder of the core, or a file that lies loose in it. */
const roomOf = (path) => path.split('/').slice(0, 3).join('/');

/** The rooms of the core as a graph: each room to the rooms that it imports from, types included. */
function roomsOf(files) {
  const rooms = new Map();
  for (const { path, imports } of files) {
    if (!path.startsWith('src/core/')) continue;
    const from = roomOf(path);
    if (!rooms.has(from)) rooms.set(from, new Set());
    for (const { to } of imports)
      if (to.startsWith('src/core/') && roomOf(to) !== from) rooms.get(from).add(roomOf(to));
  }
  return rooms;
}

const graphOf = (files, isIncluded) =>
  new Map(files.map(({ path, imports }) => [path, new Set(imports.filter(isIncluded).map(({ to }) => to))]));

/** The value below which the share `at` of all lies. */
function quantile(values, at) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const longest = (left, right) => right.lines - left.lines || left.path.localeCompare(right.path);

/** Measures the TypeScript files under `root`/src. Lengths are in lines. */
export function measure(root) {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve(root, 'tsconfig.json')] }).getProjects();
    const inside = project.program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${resolve(root, 'src')}${sep}`) && /\.tsx?$/.test(name));
    return summary(inside.map((name) => measureFile(root, project.program.getSourceFile(name))));
  } finally {
    api.close();
  }
}

function summary(files) {
  const functions = files.flatMap((file) => file.functions).sort(longest);
  const rooms = roomsOf(files);
  const lengths = functions.map(({ lines }) => lines);
  return {
    files: files.length,
    lines: sum(files.map(({ lines }) => lines)),
    longFiles: files.filter(({ lines }) => lines > LONG_FILE).sort(longest),
    functions: functions.length,
    medianFunction: quantile(lengths, 0.5),
    p95Function: quantile(lengths, 0.95),
    longFunctions: functions.filter(({ lines }) => lines > LONG_FUNCTION),
    veryLongFunctions: functions.filter(({ lines }) => lines > VERY_LONG_FUNCTION),
    valueCircles: circlesOf(graphOf(files, ({ typeOnly }) => !typeOnly)),
    circles: circlesOf(graphOf(files, () => true)),
    rooms: rooms.size,
    floors: floorsOf(rooms),
    arrows: sum([...rooms.values()].map((targets) => targets.size)),
    roomCircles: circlesOf(rooms),
    commentShare: sum(files.map((file) => file.commentLines)) / sum(files.map((file) => file.codeLines)),
    exported: sum(files.map(({ exported }) => exported)),
    documentedShare: sum(files.map(({ documented }) => documented)) / sum(files.map(({ exported }) => exported)),
  };
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** The rows of the table: what is measured, and how it is written. */
const ROWS = [
  ['files in `src/`', (m) => m.files],
  ['lines in `src/`', (m) => m.lines],
  [`files over ${LONG_FILE} lines`, (m) => m.longFiles.length],
  ['functions', (m) => m.functions],
  ['median function, lines', (m) => m.medianFunction],
  ['95th percentile of functions, lines', (m) => m.p95Function],
  [`functions over ${LONG_FUNCTION} lines`, (m) => m.longFunctions.length],
  [`functions over ${VERY_LONG_FUNCTION} lines`, (m) => m.veryLongFunctions.length],
  ['import circles at run time', (m) => m.valueCircles.length],
  ['import circles, types included', (m) => m.circles.length],
  ['rooms of the core', (m) => m.rooms],
  ['floors of the core', (m) => m.floors],
  ['arrows between rooms of the core', (m) => m.arrows],
  ['circles of rooms', (m) => m.roomCircles.length],
  ['lines that hold only a comment', (m) => percent(m.commentShare)],
  ['exported things', (m) => m.exported],
  ['exported things with a docstring', (m) => percent(m.documentedShare)],
];

const row = (cells) => `| ${cells.join(' | ')} |`;
const list = (title, lines) => (lines.length === 0 ? [] : ['', `${title}:`, '', ...lines.map((line) => `- ${line}`)]);

function details(name, m) {
  const fn = ({ name: called, path, lines }) => `${lines}: \`${called}\` in \`${path}\``;
  const circle = (files) => files.map((file) => `\`${file}\``).join(', ');
  return [
    '',
    `## ${name}`,
    ...list(
      `Files over ${LONG_FILE} lines`,
      m.longFiles.map(({ path, lines }) => `${lines}: \`${path}\``),
    ),
    ...list(`Functions over ${LONG_FUNCTION} lines`, m.longFunctions.map(fn)),
    ...list('Import circles at run time', m.valueCircles.map(circle)),
    ...list('Import circles, types included', m.circles.map(circle)),
    ...list('Circles of rooms', m.roomCircles.map(circle)),
  ];
}

/** Markdown: one table with a column for each folder, then what is long or circular in each. */
export function report(folders) {
  const measured = folders.map((folder) => ({ name: folder, metrics: measure(resolve(folder)) }));
  return [
    row(['measure', ...measured.map(({ name }) => `\`${name}\``)]),
    row(['---', ...measured.map(() => '---')]),
    ...ROWS.map(([title, value]) => row([title, ...measured.map(({ metrics }) => value(metrics))])),
    ...measured.flatMap(({ name, metrics }) => details(name, metrics)),
  ].join('\n');
}

// import.meta.main came with Node 24.2, and macOS on arm64 has 24.0.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  console.log(report(folders.length === 0 ? ['.'] : folders));
}
