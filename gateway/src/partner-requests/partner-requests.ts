import type { Redis } from '@florin/data/redis';
import type { Logger } from '@florin/rpc/observe';
import { z } from 'zod';

/** Requests that are kept per partner, in a sandbox per client, and how long after the last one. */
export const KEPT_REQUESTS = 200;
const KEPT_MS = 24 * 60 * 60 * 1000;

const MAX_MEMBERS = 50;
const MAX_DEPTH = 5;
/** Names of members as interfaces have them. Another one may be a value that is in the wrong place, and is not kept. */
const MEMBER = /^[A-Za-z][A-Za-z_]{0,39}$/;

const recorded = z.object({
  requestId: z.string(),
  /** ISO 8601. */
  at: z.string(),
  method: z.string(),
  /** Template of the path, without ids. */
  path: z.string(),
  /** Client of the partner. */
  clientId: z.string(),
  status: z.int(),
  /** Code of the error, if it is one. */
  error: z.string().optional(),
  durationMs: z.int(),
  /** Names and types of the body's members. */
  members: z.array(z.object({ name: z.string(), type: z.string() })),
});
type PartnerRequest = z.output<typeof recorded>;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * Names and types of a JSON body's members, without their values: `jwk.kty` is in `jwk`, `types[]` an item of `types`. Of an array only the first item is named.
 * Members whose names no interface has are named `?`.
 */
export const membersOf = (body: unknown, prefix = '', depth = 0): PartnerRequest['members'] => {
  if (typeof body !== 'object' || body === null || depth === MAX_DEPTH) return [];
  const entries: [string, unknown][] = Array.isArray(body)
    ? body.slice(0, 1).map((item: unknown) => [`${prefix}[]`, item])
    : Object.entries(body).map(([name, value]) => {
        const known = MEMBER.test(name) ? name : '?';
        return [prefix === '' ? known : `${prefix}.${known}`, value];
      });
  return entries
    .slice(0, MAX_MEMBERS)
    .flatMap(([name, value]) => [{ name, type: typeOf(value) }, ...membersOf(value, name, depth + 1)])
    .slice(0, MAX_MEMBERS);
};

/** The client of a partner that a request came from. */
type Sender = { partnerId: string; name: string };

/** The last requests of each partner's servers, for its developers. */
export type PartnerRequests = {
  /** Keeps a request. Nobody waits for it; while Redis is unavailable it is lost. */
  record: (sender: Sender, request: PartnerRequest) => void;
  /** Newest first. */
  list: (sender: Sender, limit: number) => Promise<PartnerRequest[]>;
};

/**
 * Requests in Redis streams, which all gateways share: one for each partner, in a sandbox one for each client, because one partner is that of everybody who asks
 * there.
 */
export const createPartnerRequests = (
  redis: Pick<Redis, 'xAdd' | 'pExpire' | 'xRevRange'>,
  logger: Logger,
  { sandbox }: { sandbox: boolean },
): PartnerRequests => {
  const streamOf = ({ partnerId, name }: Sender): string => `florin:gateway:requests:${partnerId}${sandbox ? `/${name}` : ''}`;
  const add = async (stream: string, request: PartnerRequest): Promise<void> => {
    try {
      const TRIM = { strategy: 'MAXLEN', strategyModifier: '=', threshold: KEPT_REQUESTS } as const;
      await redis.xAdd(stream, '*', { request: JSON.stringify(request) }, { TRIM });
      await redis.pExpire(stream, KEPT_MS);
    } catch (err) {
      logger.debug({ err }, 'a request of a partner was not kept');
    }
  };
  return {
    record: (sender, request) => void add(streamOf(sender), request),
    list: async (sender, limit) => {
      const entries = await redis.xRevRange(streamOf(sender), '+', '-', { COUNT: limit });
      return (entries ?? []).map(({ message }) => recorded.parse(JSON.parse(String(message['request']))));
    },
  };
};
