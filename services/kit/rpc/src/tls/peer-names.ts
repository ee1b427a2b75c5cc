import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const DNS_NAME = /^DNS:([^"]+)$/;

/** Node quotes a name that contains separators, as JSON. No process has such a name. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/**
 * The DNS names in a certificate's subject alternative names.
 * @param text as Node's `subjectaltname` has them
 */
export const dnsNames = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .replaceAll(QUOTED, '""')
      .split(', ')
      .flatMap((name) => DNS_NAME.exec(name)?.[1] ?? []),
  );

/** The certificate of a connection does not change while it is open. */
const remembered = new WeakMap<TLSSocket, ReadonlySet<string>>();

/**
 * The DNS names in the certificate that the other side of a connection proved to own (RFC 5280, section 4.2.1.6).
 * @returns undefined for a connection without TLS; no names for one that is gone already, of which nothing is known
 */
export const peerNames = (socket: Socket | null | undefined): ReadonlySet<string> | undefined => {
  if (!(socket instanceof TLSSocket)) return socket instanceof Socket ? undefined : new Set();
  const known = remembered.get(socket);
  if (known !== undefined) return known;
  const { subjectaltname = '' } = socket.getPeerCertificate();
  const names = dnsNames(subjectaltname);
  remembered.set(socket, names);
  return names;
};
