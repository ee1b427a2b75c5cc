import { createContextKey } from '@connectrpc/connect';

/** DNS names in the certificate of the connection that a call arrived on; undefined without mutual TLS. */
export const kPeerNames = createContextKey<ReadonlySet<string> | undefined>(undefined);
