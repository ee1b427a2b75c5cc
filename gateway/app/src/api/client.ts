import { createClient, createCookieSession } from '@florin/client';

/** The platform that serves this page. The access token stays in memory, the refresh token in a cookie that no script can read. */
export const client = createClient({ url: location.origin, session: createCookieSession() });
