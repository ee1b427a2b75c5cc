import { viteSettings } from '@florin/ui/vite';
import { defineConfig } from 'vite';

/** The running process, for `npm run dev`. */
const PROCESS = 'http://localhost:8090';

export default defineConfig({
  ...viteSettings('/'),
  server: {
    port: 5174,
    strictPort: true,
    proxy: {
      // It answers only its own origin.
      '^/(?:api|sign-in)/': { target: PROCESS, changeOrigin: true, headers: { origin: PROCESS } },
    },
  },
});
