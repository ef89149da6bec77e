import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the script that gives a page a backend in a browser, for the browser tests. */
export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: 'dist-browser',
    target: ['chrome123'],
    minify: false,
    lib: {
      entry: 'src/backend/browser/install.ts',
      formats: ['iife'],
      name: 'sightglassBrowserBackend',
      fileName: () => 'backend.js',
    },
  },
  clearScreen: false,
});
