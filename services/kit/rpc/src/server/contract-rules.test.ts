import { Health } from '@florin/proto/health/v1/health';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { afterAll, describe, expect, it } from 'vitest';
import { createRpcChannel } from '../client/index.ts';
import { CodedError } from '../errors/index.ts';
import type { Logger } from '../observe/index.ts';
import { implementPart, quietLogger } from '../testing/index.ts';
import { type AuditTrail, implement, REASON_HEADER, serviceMethod, startRpcServer, userMethod } from './index.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const SCOPE = 'threeds.challenges.write';

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

/** Serves CancelChallenge by a handler; callers are people with its scope. */
const serve = async (
  handler: (challengeId: string) => void,
  { strictErrors, audit, logger = quietLogger }: { strictErrors?: boolean; audit?: AuditTrail; logger?: Logger } = {},
) => {
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    logger,
    health: {},
    authenticate: async () => ({
      kind: 'service',
      name: 'ada',
      scopes: new Set([SCOPE]),
      expiresAt: new Date(Date.now() + 60_000),
      ...(audit === undefined ? {} : { person: true }),
    }),
    services: [
      implementPart(ChallengeService, {
        cancelChallenge: serviceMethod(({ challengeId }) => {
          handler(challengeId);
          return {};
        }),
      }),
    ],
    ...(strictErrors === undefined ? {} : { strictErrors }),
    ...(audit === undefined ? {} : { audit }),
  });
  const channel = createRpcChannel({ baseUrl: server.url, serviceToken: async () => 't' });
  closers.push(channel.close, () => server.close(0));
  return channel.client(ChallengeService);
};

const fail = (): never => {
  throw new CodedError('CARD_NOT_FOUND');
};

describe('a code that the contract of an RPC does not list', () => {
  it('is a fault of the handler in development', async () => {
    const client = await serve(fail, { strictErrors: true });
    await expect(client.cancelChallenge({ challengeId: ID })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('is sent elsewhere, and logged', async () => {
    const errors: object[] = [];
    const logger = { ...quietLogger, info: () => undefined, error: (fields: object) => errors.push(fields) } as unknown as Logger;
    const client = await serve(fail, { logger });
    await expect(client.cancelChallenge({ challengeId: ID })).rejects.toMatchObject({ code: 'CARD_NOT_FOUND' });
    expect(errors).toEqual([
      expect.objectContaining({ rpc: 'florin.threeds.v1.ChallengeService/CancelChallenge', error: 'CARD_NOT_FOUND' }),
    ]);
  });

  it.each(['CHALLENGE_NOT_FOUND', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'] as const)('does not include %s', async (code) => {
    const client = await serve(
      () => {
        throw new CodedError(code);
      },
      { strictErrors: true },
    );
    await expect(client.cancelChallenge({ challengeId: ID })).rejects.toMatchObject({ code });
  });
});

describe('a request that breaks the rules of its contract', () => {
  it('does not reach the handler, and is recorded with its outcome when a person sent it', async () => {
    const seen: string[] = [];
    const outcomes: unknown[] = [];
    const audit: AuditTrail = {
      begin:
        async ({ subjects }) =>
        async (outcome) =>
          void outcomes.push([subjects, outcome]),
      record: async () => undefined,
    };
    const client = await serve((challengeId) => seen.push(challengeId), { audit });
    const options = { headers: { [REASON_HEADER]: 'a%20reason' } };
    await expect(client.cancelChallenge({ challengeId: 'x' }, options)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'challenge_id: must be a UUID',
      metadata: { violations: JSON.stringify([{ field: 'challenge_id', problem: 'must be a UUID' }]) },
    });
    await client.cancelChallenge({ challengeId: ID.toUpperCase() }, options);
    expect(seen).toEqual([ID]);
    expect(outcomes).toEqual([
      [{ challenge_id: 'x' }, 'VALIDATION_FAILED'],
      [{ challenge_id: ID.toUpperCase() }, 'OK'],
    ]);
  });
});

describe('a person who is refused again and again', () => {
  it('does not fill the audit log, nor hide attempts at other RPCs', async () => {
    const recorded: string[][] = [];
    const audit: AuditTrail = {
      begin: () => expect.fail('a refused call was begun'),
      record: async ({ rpc, reason }, outcome) => {
        recorded.push([rpc.replace(/.*\//, ''), outcome, reason]);
      },
    };
    const client = await serve(() => expect.fail('a refused call was made'), { audit });
    for (let count = 0; count < 70; count += 1)
      await expect(client.cancelChallenge({ challengeId: ID })).rejects.toMatchObject({ code: 'REASON_REQUIRED' });
    await expect(client.getChallenge({ challengeId: ID })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(recorded).toEqual([
      ...Array.from({ length: 20 }, () => ['CancelChallenge', 'REASON_REQUIRED', '']),
      ...[32, 64].map((count) => ['CancelChallenge', 'REASON_REQUIRED', `refusal ${count} of this hour; not all are recorded`]),
      ['GetChallenge', 'FORBIDDEN', ''],
    ]);
  });
});

describe('implement', () => {
  it('rejects an RPC without rules', () => {
    const methods = { check: serviceMethod(() => ({})) };
    expect(() => implement(Health, methods as never)).toThrow('grpc.health.v1.Health/Check has no rules in its contract');
  });

  it('rejects a method that is written for other callers than those of the contract', () => {
    const all = Object.fromEntries(ChallengeService.methods.map(({ localName }) => [localName, userMethod(() => ({}))]));
    expect(() => implement(ChallengeService, all as never)).toThrow(
      'CreateChallenge is for callers of kind service, and its method for user',
    );
  });
});
