import type { AccessControlServer } from './access-control-server.ts';

/** Confirms every decision at once, so that the whole flow can be played without a real server. */
export const sandboxAccessControlServer: AccessControlServer = { confirmsAtOnce: true, notify: async () => 'acknowledged' };
