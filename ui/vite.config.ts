/// <reference types="vitest/config" />
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { frameInPage } from './frame-in-page.ts';
import { oneByteCode } from './one-byte-code.ts';
import { pdfData } from './pdf-data.ts';
import { reactAriaLocale } from './react-aria-locale.ts';
import { startSize } from './start-size.ts';

/** Gives the page a backend while the development server serves it; never in a build. */
function backendInBrowser(): Plugin {
  return {
    name: 'sightglass-backend-in-browser',
    apply: 'serve',
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: { type: 'module', src: '/src/backend/browser/install.ts' },
        injectTo: 'head-prepend',
      },
    ],
  };
}

export default defineConfig({
  plugins: [
    react(),
    reactAriaLocale(),
    pdfData(),
    frameInPage(),
    oneByteCode(),
    startSize(),
    backendInBrowser(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  // The window loads its files from the app itself, where no host name stands before them.
  base: './',
  build: {
    target: ['safari18', 'chrome123'],
    // Everything is read from disk, so a warning about download size says nothing.
    chunkSizeWarningLimit: 4000,
    // Every WebKit that the window runs in loads modules ahead by itself.
    modulePreload: { polyfill: false },
    // A font or an image in a stylesheet stays a file: the policy of the window allows it.
    assetsInlineLimit: 0,
    // What the first picture needs comes as one file: each file is a round through the
    // window's main thread, which has enough to do while it starts.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
  clearScreen: false,
  test: {
    // A document takes longer to make than most tests to run: those in `.tsx` files have one.
    projects: [
      {
        extends: true,
        test: { name: 'functions', environment: 'node', include: ['src/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'window',
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['src/test-setup.ts'],
        },
      },
    ],
    // A machine that does other things too is slow, and no reason to fail.
    testTimeout: 60_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
