import { viteSettings } from '@florin/ui/vite';
import { defineConfig } from 'vite';

/** The running gateway, for `npm run dev`. */
const GATEWAY = 'http://127.0.0.1:8080';

/** The gateway's pages besides the app. */
const API_PATHS = '^/(?!app(?:/|$))|^/app/session';

export default defineConfig({
  ...viteSettings('/app/'),
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
