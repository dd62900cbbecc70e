/** The table "Where is …" of docs/ARCHITECTURE.md is what Biome enforces. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

interface Room {
  /** What other rows call it. */
  readonly name: string;
  /** `src/core/store`, or a single file. */
  readonly path: string;
  readonly allowed: readonly string[];
}

/** A file of the room that others could import. */
const fileOf = ({ path }: Pick<Room, 'path'>): string => (path.endsWith('.ts') ? path : `${path}/some-file.ts`);

/** The rows of the table that are about `src/`. */
function roomsOfDocs(): Room[] {
  const docs = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  return [...docs.matchAll(/^\| `(src\/[^`]+?)\/?` \| .* \| ([^|]+) \|$/gm)].map(([, path = '', column = '']) => ({
    name: path.replace(/^src\/(core\/)?/, '').replace(/\.ts$/, ''),
    path,
    allowed: column === 'nothing of ours' ? [] : column.split(', '),
  }));
}

const rooms = roomsOfDocs();
/** Files of the model that the contract shares. */
const SHARED = [
  { name: '`core/model/vocabulary.ts`', path: 'src/core/model/vocabulary.ts' },
  { name: '`core/model/filter*.ts`', path: 'src/core/model/filter-terms.ts' },
];

/** Every target that `room` may import by the table. */
const targets: ReadonlyArray<Pick<Room, 'name' | 'path'>> = [...rooms, ...SHARED];
const mayImport = (room: Room, target: string): boolean =>
  room.allowed.includes(target) || (SHARED.some(({ name }) => name === target) && room.allowed.includes('model'));

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'directions-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Where a room's planted files lie: in the room and in a folder of it. */
const plantedIn = ({ path }: Room): string[] =>
  path.endsWith('.ts') ? [path] : [`${path}/planted.ts`, `${path}/deeper/planted.ts`];

const importing = (from: string, to: string): string => {
  const path = relative(dirname(from), to);
  return `import '${path.startsWith('.') ? path : `./${path}`}';`;
};

const foreignOf = (room: Room): typeof targets =>
  targets.filter(({ name, path }) => name !== room.name && !path.startsWith(`${room.path}/`));

const PACKAGES = ['electron', 'react', 'better-sqlite3'];

/** Files to plant, each with the paths and packages that it imports. */
type Planted = ReadonlyMap<string, readonly string[]>;

/** Every other room is imported in each room. */
const acrossRooms = (): Planted =>
  new Map(
    rooms.flatMap((room) => plantedIn(room).map((file) => [file, [...foreignOf(room).map(fileOf), ...PACKAGES]])),
  );

const RENDERER = 'src/renderer';
const foldersOf = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const screens = foldersOf(`${RENDERER}/screens`);
const screenFile = (screen: string): string => `${RENDERER}/screens/${screen}/some-file.tsx`;
/** The live list shows a message beside it, and the first page until a call arrives. */
const LIVE_SCREEN = `${RENDERER}/screens/live/live-screen.tsx`;
const inLiveScreen = ['detail', 'first-run'];

/** Every screen is imported in each screen and in each folder beside the screens. */
function acrossScreens(): Planted {
  const inScreens = screens.flatMap((screen) =>
    ['planted.tsx', 'deeper/planted.tsx'].map((name) => `${RENDERER}/screens/${screen}/${name}`),
  );
  const beside = foldersOf(RENDERER).filter((name) => !['screens', 'styles'].includes(name));
  const files = [...inScreens, LIVE_SCREEN, ...beside.map((name) => `${RENDERER}/${name}/planted.ts`)];
  return new Map(files.map((file) => [file, screens.map(screenFile)]));
}

/** Plants the files and gives what Biome refuses as `file → target`. */
function refusedByBiome(planted: Planted): Set<string> {
  const { vcs: _, files: __, ...config } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, root: true }));
  for (const [file, imported] of planted) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    const texts = imported.map((to) => (PACKAGES.includes(to) ? `import '${to}';` : importing(file, to)));
    writeFileSync(join(folder, file), `${texts.join('\n')}\n`);
  }
  const refused = new Set<string>();
  for (const { file, line } of diagnostics()) refused.add(`${file} → ${planted.get(file)![line - 1]}`);
  return refused;
}

/** Where Biome reports a forbidden import; lines count from 1. */
function diagnostics(): Array<{ file: string; line: number }> {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const args = [
    biome,
    'lint',
    '--only=style/noRestrictedImports',
    '--reporter=github',
    '--max-diagnostics=none',
    'src',
  ];
  let text = '';
  try {
    text = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 });
  } catch (error) {
    text = (error as { stdout: string }).stdout;
  }
  return [...text.matchAll(/noRestrictedImports,file=([^,]+),line=(\d+)/g)].map(([, file = '', line]) => ({
    file: relative(folder, file),
    line: Number(line),
  }));
}

describe('the directions of imports', () => {
  const planted = acrossScreens();
  const refused = refusedByBiome(new Map([...acrossRooms(), ...planted]));

  test('the table has every room of the source', () => {
    const folders = (path: string): string[] =>
      foldersOf(path)
        .filter((name) => name !== 'core')
        .map((name) => `${path}/${name}`);
    const known = rooms.map(({ path }) => path);
    for (const path of [...folders('src'), ...folders('src/core')]) expect(known).toContain(path);
    const names = targets.map(({ name }) => name);
    for (const { allowed } of rooms) for (const name of allowed) expect(names).toContain(name);
  });

  test.each(rooms)('Biome lets $name import $allowed, and nothing else of ours', (room) => {
    for (const file of plantedIn(room))
      for (const target of foreignOf(room)) {
        const isRefused = refused.has(`${file} → ${fileOf(target)}`);
        expect([file, target.name, isRefused]).toEqual([file, target.name, !mayImport(room, target.name)]);
      }
  });

  test.each([
    ['electron', ['main', 'preload']],
    ['react', ['renderer']],
    ['better-sqlite3', ['store']],
  ])('%s is imported in %j alone', (name, users) => {
    for (const room of rooms.filter(({ path }) => !path.endsWith('.ts')))
      for (const file of plantedIn(room))
        expect([file, refused.has(`${file} → ${name}`)]).toEqual([file, !users.includes(room.name)]);
  });

  test('a screen is imported by no other screen, and by nothing that screens share', () => {
    expect(screens.length).toBeGreaterThan(1);
    for (const [file, imported] of planted)
      for (const target of imported) {
        const isOwn = file.startsWith(`${dirname(target)}/`);
        const isShown = file === LIVE_SCREEN && inLiveScreen.some((screen) => target === screenFile(screen));
        const isRefused = refused.has(`${file} → ${target}`);
        expect([file, target, isRefused]).toEqual([file, target, !isOwn && !isShown]);
      }
  });
});

const sources = (path: string): string[] =>
  readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

test('the core knows no wall clock and no chance but those of its ports', () => {
  const forbidden = /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bhrtime\b/;
  const found = sources('src/core').filter(
    (file) => !file.includes('/adapters/') && forbidden.test(readFileSync(file, 'utf8')),
  );
  expect(found).toEqual([]);
});
