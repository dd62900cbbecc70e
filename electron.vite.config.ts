import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

/** Absolute, so that the dev server finds what to optimise. */
const page = fileURLToPath(new URL('src/renderer/index.html', import.meta.url));

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: { index: 'src/main/index.ts', headless: 'src/headless/index.ts', cli: 'src/cli/index.ts' },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react()],
    // No data: URLs: the content security policy takes fonts from the app itself only.
    build: { minify: true, assetsInlineLimit: 0, rolldownOptions: { input: page } },
  },
});
