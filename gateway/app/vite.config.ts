import { defineConfig } from 'vite';

/** The running gateway, for `npm run dev`. */
const GATEWAY = 'http://127.0.0.1:8080';

/** What the gateway serves besides the app. */
const API_PATHS = '^/(?!app(?:/|$))|^/app/session';

export default defineConfig({
  base: '/app/',
  build: {
    // The content security policy allows neither inline scripts nor data: URLs, apart from images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog: (level, log, handle) => {
        // It addresses frameworks that render on servers.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
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
