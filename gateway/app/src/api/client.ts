import { createClient, createCookieSession } from '@florin/client';
import { shownLanguage } from '@florin/ui/page/preferences.ts';

/**
 * The platform that serves this page. The access token stays in memory, the refresh token in a cookie that no script can read. What the platform writes to the person
 * is in the language of the page, which may be another one than the browser's.
 */
export const client = createClient({
  url: location.origin,
  session: createCookieSession(),
  fetch: (url, init) => {
    const headers = new Headers(init.headers);
    headers.set('accept-language', shownLanguage());
    return fetch(url, { ...init, headers });
  },
});
