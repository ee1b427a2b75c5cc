import { setTimeout as pause } from 'node:timers/promises';
import { ChallengeService, type WatchChallengeRequest } from '@florin/proto/threeds/v1/challenge_service';
import { createAuthenticator, createRevokedSessions, createServiceTokenVerifier, createUserTokenVerifier } from '../auth/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { type Listener, type RpcServerOptions, serviceStream, startRpcServer } from '../server/index.ts';
import { createTestAuthority } from './authority.ts';
import { implementPart } from './neighbour.ts';
import { testContract } from './test-contract.ts';

const SCOPE = 'threeds.challenges.read';

export type LogLine = {
  level: string;
  message: string;
  rpc?: string;
  messages?: number;
  aborted?: true;
  error?: string;
  requestId?: string;
};

/** Number of 100 kB messages in the stream `flood`. */
export const FLOOD = 10_000;

const recordingLogger = (lines: LogLine[], bound: object = {}): Logger =>
  ({
    child: (more: object) => recordingLogger(lines, { ...bound, ...more }),
    ...Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [
        level,
        (fields: object, message: string) => lines.push({ ...bound, ...fields, level, message } as LogLine),
      ]),
    ),
  }) as unknown as Logger;

const aborted = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

/** Prepares a server of streams for tests of the server itself. The challenge id of a request selects how its stream behaves. */
export const createStreamWorld = async () => {
  const authority = await createTestAuthority({ office: [SCOPE], other: [] });
  const lines: LogLine[] = [];
  const counts = { opened: 0, released: 0, pulled: 0 };
  // A fixed clock: the news of revocations never becomes stale.
  const revoked = createRevokedSessions({ now: () => 0 });
  revoked.heard();

  const watchChallenge = serviceStream(async function* ({ challengeId }: WatchChallengeRequest, { signal, caller }) {
    counts.opened += 1;
    try {
      for (; challengeId === 'flood' && counts.pulled < FLOOD; counts.pulled += 1) yield { challenge: { id: 'x'.repeat(100_000) } };
      if (challengeId === 'missing') throw new CodedError('CHALLENGE_NOT_FOUND');
      yield { challenge: { id: '1', cardId: caller.name } };
      yield { challenge: { id: '2' } };
      if (challengeId === 'fault') throw new Error('secret internal detail');
      if (challengeId === 'coded') throw new CodedError('RATE_LIMITED', { metadata: { retryAfterSeconds: '7' } });
      if (challengeId === 'waiting') await aborted(signal);
      // A source that ignores the signal.
      if (challengeId === 'deaf') await pause(60_000, undefined, { ref: false });
    } finally {
      counts.released += 1;
    }
  });

  const start = (more: Partial<Pick<RpcServerOptions, 'authenticate' | 'streamLimits' | 'cutAfterMs'>> = {}): Promise<Listener> =>
    startRpcServer({
      host: '127.0.0.1',
      port: 0,
      logger: recordingLogger(lines),
      health: {},
      authenticate: createAuthenticator({
        user: createUserTokenVerifier(authority.userKeys, () => new Date()),
        revoked,
        service: createServiceTokenVerifier('threeds', authority.trust),
      }),
      services: [
        implementPart(testContract(ChallengeService, { watchChallenge: { access: 'service', scope: SCOPE } }), { watchChallenge }),
      ],
      ...more,
    });

  return {
    authority,
    lines,
    counts,
    start,
    /** Headers of a service whose token has the required scope. */
    asOffice: async () => ({ authorization: `Bearer ${await authority.serviceToken('office', 'threeds', [SCOPE])}` }),
    /** Headers of a service whose token claims the scope, which the trust does not grant. */
    asOther: async () => ({ authorization: `Bearer ${await authority.serviceToken('other', 'threeds', [SCOPE])}` }),
  };
};
