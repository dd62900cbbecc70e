/** Builds the renderer alone: `node tools/with-node.mjs node tests/helpers/build-renderer.ts [OUT_DIR]`. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** Writes into `outDir`, by default out/renderer. */
export async function buildRenderer(outDir: string = resolve(root, 'out/renderer')): Promise<string> {
  await build({
    configFile: false,
    root: resolve(root, 'src/renderer'),
    base: './',
    logLevel: 'warn',
    plugins: [react()],
    build: { outDir, emptyOutDir: true, target: 'chrome140', assetsInlineLimit: 0 },
  });
  return outDir;
}

if (process.argv[1] === import.meta.filename)
  console.log(await buildRenderer(process.argv[2] === undefined ? undefined : resolve(process.argv[2])));
