import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
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
    plugins: [react(), tailwindcss()],
    build: { minify: true, rolldownOptions: { input: page } },
  },
});
