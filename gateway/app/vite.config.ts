import { resolve } from 'node:path';
import { viteSettings } from '@florin/ui/vite';
import { defineConfig, type Plugin } from 'vite';

/** The running gateway, for `npm run dev`. */
const GATEWAY = 'http://127.0.0.1:8080';

/** The gateway's pages besides the app. */
const API_PATHS = '^/(?!app(?:/|$))|^/app/session';

const WORKER = 'src/service-worker.ts';

const settings = viteSettings('/app/');

/** Tells the service worker which files the build has. */
const nameFiles = (): Plugin => ({
  name: 'florin-service-worker',
  enforce: 'post',
  generateBundle: (_options, bundle) => {
    const worker = bundle['sw.js'];
    if (worker?.type !== 'chunk') throw new Error('the build has no service worker');
    const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
    worker.code = worker.code.replace('__FILES__', JSON.stringify(files.sort()));
  },
});

export default defineConfig({
  ...settings,
  plugins: [nameFiles()],
  build: {
    ...settings.build,
    rolldownOptions: {
      ...settings.build?.rolldownOptions,
      input: { index: resolve(import.meta.dirname, 'index.html'), sw: resolve(import.meta.dirname, WORKER) },
      // Its URL stays the same, because browsers look there for the next version.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // One file for the start instead of thirty, most of which are shorter than their headers.
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'], test: (id) => !id.endsWith(WORKER) }] },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      [API_PATHS]: {
        target: GATEWAY,
        changeOrigin: true,
        // The session's endpoints answer only their own origin.
        headers: { origin: GATEWAY },
      },
    },
  },
});
