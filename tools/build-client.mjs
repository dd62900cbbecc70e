// Builds the client library: node tools/build-client.mjs [OUT_DIR]. One ES module for Node 20 and browsers, and its
// types. Into out/client unless told.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { environment, root } from './pinned-node.mjs';

/** What old enough programs run without help: Node 20 and the browsers of its time. */
const TARGET = 'es2022';

export async function buildClient(outDir = join(root, 'out', 'client')) {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      target: TARGET,
      minify: false,
      reportCompressedSize: false,
      lib: { entry: join(root, 'src', 'client', 'index.ts'), formats: ['es'], fileName: 'index' },
    },
  });
  writeTypes(outDir);
  return outDir;
}

function writeTypes(outDir) {
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', 'src/client'];
  const settings = ['--target', TARGET, '--lib', `${TARGET},DOM,DOM.Iterable`, '--types', 'node', '--strict'];
  const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--erasableSyntaxOnly', '--skipLibCheck'];
  const args = ['src/client/index.ts', '--ignoreConfig', '--outDir', outDir, ...options, ...settings, ...modules];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync('node', [tsc, ...args], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The types were not written:\n${stdout}${stderr}`);
  const used = new Set();
  followTypes(outDir, 'index', used);
  for (const name of readdirSync(outDir)) {
    if (name.endsWith('.d.ts') && !used.has(name.slice(0, -'.d.ts'.length))) rmSync(join(outDir, name));
  }
}

/** Follows the imports from one file of types; what none of them reaches is nobody's to see. */
function followTypes(outDir, module, used) {
  if (used.has(module)) return;
  used.add(module);
  const path = join(outDir, `${module}.d.ts`);
  // The types of ./x.ts are beside it as ./x.d.ts, which programs look for under ./x.js.
  const text = readFileSync(path, 'utf8').replace(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'");
  writeFileSync(path, text);
  for (const [, next] of text.matchAll(/from '\.\/([a-z-]+)\.js'/g)) followTypes(outDir, next, used);
}

// import.meta.main came with Node 24.2, and macOS on arm64 has 24.0.
if (process.argv[1] === fileURLToPath(import.meta.url))
  console.log(await buildClient(process.argv[2] && resolve(process.argv[2])));
