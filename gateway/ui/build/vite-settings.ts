import type { UserConfig } from 'vite';

/** How a page that is served with a strict content security policy is bundled. @param base path that it is served at, with slashes */
export const viteSettings = (base: string): UserConfig => ({
  base,
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
});
