import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, ProxyAgent } from 'undici';
import type { AddressRule } from '../guard/public-address.ts';

/** Raised instead of a connection to an address that is not allowed. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the host has an address that is not one of the public internet');
    this.name = 'ForbiddenAddressError';
  }
}

/** Returns all addresses of a name. @throws an error with a `code` of node:dns */
export type Resolve = (name: string) => Promise<string[]>;

const RESOLVE_TIMEOUT_MS = 2000;

/** Codes of answers that a name has no addresses of a family. */
const NO_ADDRESSES = new Set(['ENODATA', 'ENOTFOUND']);

/** Asks the name servers, without the hosts file and without the threads of the process, which slow name servers would occupy. */
export const createResolve = (): Resolve => {
  const resolver = new Resolver({ timeout: RESOLVE_TIMEOUT_MS, tries: 2 });
  return async (name) => {
    if (name === 'localhost') return ['127.0.0.1'];
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const failed = answers.find((answer) => answer.status === 'rejected' && !NO_ADDRESSES.has((answer.reason as { code: string }).code));
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason;
    return addresses;
  };
};

/** Looks a name up for a connection, which then goes to one of these very addresses. One that is not allowed forbids the name. */
const guardedLookup =
  (resolve: Resolve, isAllowed: AddressRule): LookupFunction =>
  (hostname, { all }, callback) => {
    const answer = (error: NodeJS.ErrnoException | null, addresses: string[]): void => {
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (all === true) callback(error, found);
      else callback(error, found[0]?.address ?? '', found[0]?.family ?? 0);
    };
    resolve(hostname).then(
      (addresses) => {
        if (addresses.length === 0) answer(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), []);
        else if (addresses.every(isAllowed)) answer(null, addresses);
        else answer(new ForbiddenAddressError(), []);
      },
      (error: unknown) => answer(error as NodeJS.ErrnoException, []),
    );
  };

type Options = {
  isAllowed: AddressRule;
  resolve: Resolve;
  connectTimeoutMs: number;
  /** Proxy through which everything goes. It then resolves names and has to check addresses. */
  proxyUrl?: string | undefined;
  /** Certificate authorities (PEM) instead of those of Node.js. */
  ca?: string | undefined;
};

/** Idle time after which a connection is closed: less than what servers allow. */
const KEEP_ALIVE_MS = 4000;

/** Opens the connections to receivers. They follow no redirects, and answers with large headers fail. */
export const createDispatcher = ({ isAllowed, resolve, connectTimeoutMs, proxyUrl, ca }: Options): Dispatcher => {
  const limits = {
    // No limit of connections per origin: partners share origins, and none may take them from others. Slots limit what is under way.
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16_384,
  };
  const trust = ca === undefined ? {} : { ca };
  if (proxyUrl !== undefined) return new ProxyAgent({ uri: proxyUrl, requestTls: trust, ...limits });
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(resolve, isAllowed), ...trust });
  const guarded: buildConnector.connector = (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (isAllowed(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new ForbiddenAddressError(), null);
      }
    });
  };
  return new Agent({ connect: guarded, ...limits });
};
