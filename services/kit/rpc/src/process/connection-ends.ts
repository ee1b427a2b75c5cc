import type { Socket } from 'node:net';

/** When a server closes connections that still work. */
export type ConnectionLife = {
  /** Age in milliseconds after which a connection is closed, give or take a tenth. Unset: no limit. */
  maxConnectionAgeMs?: number | undefined;
  /** Aborts when the process begins to stop. From then on every connection is closed after its next response. */
  draining?: AbortSignal | undefined;
};

export type ConnectionEnds = {
  /** Registers a connection that was accepted. */
  opened: (socket: Socket) => void;
  /** Lets every connection that is open end with its next response. */
  endOpen: () => void;
  /** Reports whether a connection ends with the response that is being sent. */
  isDue: (socket: Socket) => boolean;
  /** The age at which one connection ends, in milliseconds; undefined without a limit. Varies, so that connections do not end together. */
  ageMs: () => number | undefined;
};

const SPREAD = 0.1;

/**
 * Decides which connections a server ends. A connection of HTTP/1.1 ends with a response that announces it (`Connection: close`), because a
 * client may send a request at the moment at which an idle connection is closed. The limit of age lets long-lived clients find instances
 * that were added after they connected.
 */
export const createConnectionEnds = (
  { maxConnectionAgeMs, draining }: ConnectionLife,
  random: () => number = Math.random,
): ConnectionEnds => {
  let ends = new WeakMap<Socket, number>();
  const ageMs = (): number | undefined =>
    maxConnectionAgeMs === undefined ? undefined : maxConnectionAgeMs * (1 - SPREAD + 2 * SPREAD * random());
  return {
    ageMs,
    opened: (socket) => {
      ends.set(socket, performance.now() + (ageMs() ?? Number.POSITIVE_INFINITY));
    },
    endOpen: () => {
      ends = new WeakMap();
    },
    isDue: (socket) => draining?.aborted === true || performance.now() >= (ends.get(socket) ?? 0),
  };
};
