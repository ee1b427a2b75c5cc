import { create, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { pageSchema as anyPage, decodeIdCursor, findLimitSchema } from '@florin/data/paging';
import { AuthenticationService } from '@florin/proto/threeds/v1/authentication_service';
import { Decision, ChallengeStatus as WireStatus } from '@florin/proto/threeds/v1/challenge';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { SandboxService } from '@florin/proto/threeds/v1/sandbox_service';
import { type Policy, requestJudge, rulesOf } from '@florin/rpc/contract';
import { CodedError } from '@florin/rpc/errors';
import { merchantText, timeSchema, unlessEmpty, uuidSchema } from '@florin/rpc/fields';
import { amountSchema, minorUnitDigits } from '@florin/rpc/money';
import { type Method, parseRequest } from '@florin/rpc/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isPosition } from '../watching/recent-events.ts';
import { acknowledgeDecision } from './acknowledge-decision.ts';
import { ageChallenges } from './age-challenges.ts';
import { cancelChallenge } from './cancel-challenge.ts';
import { consumeAuthentication } from './consume-authentication.ts';
import { countChallenges } from './count-challenges.ts';
import { createChallenge } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { findChallenges } from './find-challenges.ts';
import { getChallenge } from './get-challenge.ts';
import { getRaisedChallenge } from './get-raised-challenge.ts';
import { getReceipt } from './get-receipt.ts';
import { issueDecisionChallenge } from './issue-decision-challenge.ts';
import { listChallengeChanges } from './list-challenge-changes.ts';
import { listChallenges } from './list-challenges.ts';
import { listRaisedChallenges } from './list-raised-challenges.ts';
import { releaseAuthentication } from './release-authentication.ts';
import { submitDecision } from './submit-decision.ts';

/**
 * The contracts' rules give the verdicts of the schemas and policies that stood in the handlers. This file keeps those as the reference while other
 * services still have theirs.
 */
const RUNS = 800;

const NOW = new Date('2026-11-23T12:00:00Z');

const byChallenge = z.object({ challengeId: uuidSchema });
const referenceSchema = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u);
const requestIdSchema = z.string().regex(/^[\x21-\x7e]{1,100}$/);
const decisionSchema = z.literal([Decision.APPROVE, Decision.DECLINE]);
const statusSchema = z.enum(WireStatus);
const optionalTime = z
  .custom<Timestamp>()
  .optional()
  .transform((time) => time && timestampDate(time))
  .refine((date) => date === undefined || !Number.isNaN(date.getTime()));
const merchantSchema = z.object({
  id: merchantText(35),
  displayName: merchantText(40),
  country: z.string().regex(/^(?:[A-Z]{2})?$/),
  categoryCode: z.string().regex(/^(?:[0-9]{4})?$/),
});

/** A cursor is decoded by its handler, as before. */
const pageSchema = anyPage.superRefine(({ cursor }, context) => {
  try {
    decodeIdCursor(cursor);
  } catch {
    context.addIssue({ code: 'custom', path: ['cursor'], message: 'must be a cursor' });
  }
});

const READ: Policy = { access: 'service', scope: 'threeds.challenges.read' };
const WRITE: Policy = { access: 'service', scope: 'threeds.challenges.write' };
const OWN: Policy = { access: 'userOrService', scope: 'threeds.challenges.read' };
const CONSUME: Policy = { access: 'service', scope: 'threeds.authentications.consume' };
const USER: Policy = { access: 'user' };

type Former = { policy: Policy; schema?: z.ZodType; handler?: (parts: Dependencies) => unknown };
const { method: challenge } = ChallengeService;
const FORMER: [DescMethod, Former][] = [
  [
    challenge.createChallenge,
    {
      policy: WRITE,
      handler: createChallenge,
      schema: z
        .object({
          reference: referenceSchema,
          cardId: uuidSchema,
          amount: amountSchema,
          currency: z.string().refine((code) => minorUnitDigits(code) !== undefined),
          decimals: z.int(),
          merchant: merchantSchema.optional(),
          expiresInSeconds: z.int().min(0).max(900),
          confirmsLater: z.boolean(),
        })
        .refine(({ currency, decimals }) => minorUnitDigits(currency) === decimals, { path: ['decimals'] }),
    },
  ],
  [challenge.getChallenge, { policy: OWN, schema: byChallenge, handler: getChallenge }],
  [
    challenge.listChallenges,
    { policy: OWN, schema: z.object({ status: statusSchema, page: pageSchema, userId: uuidSchema }), handler: listChallenges },
  ],
  [
    challenge.findChallenges,
    { policy: READ, schema: z.object({ reference: referenceSchema, limit: findLimitSchema }), handler: findChallenges },
  ],
  [
    challenge.countChallenges,
    {
      policy: READ,
      schema: z.object({ since: timeSchema.refine((since) => NOW.getTime() - since.getTime() <= 31 * 86_400_000) }),
      handler: countChallenges,
    },
  ],
  [challenge.watchChallenge, { policy: READ, schema: byChallenge }],
  [
    challenge.listChallengeChanges,
    {
      policy: USER,
      schema: z.object({ lastEventId: z.string(), atLeast: z.string().refine((text) => text === '' || isPosition(text)) }),
      handler: listChallengeChanges,
    },
  ],
  [challenge.watchAllChallenges, { policy: { access: 'service', scope: 'threeds.challenges.watch' } }],
  [
    challenge.getRaisedChallenge,
    {
      policy: WRITE,
      schema: z.object({
        key: z.discriminatedUnion('case', [
          z.object({ case: z.literal('challengeId'), value: uuidSchema }),
          z.object({ case: z.literal('reference'), value: referenceSchema }),
        ]),
      }),
      handler: getRaisedChallenge,
    },
  ],
  [
    challenge.listRaisedChallenges,
    {
      policy: WRITE,
      schema: z
        .object({ status: statusSchema, createdFrom: optionalTime, createdBefore: optionalTime, page: pageSchema })
        .refine(({ createdFrom: from, createdBefore: to }) => from === undefined || to === undefined || from <= to, {
          path: ['createdFrom'],
        }),
      handler: listRaisedChallenges,
    },
  ],
  [challenge.watchRaisedChallenges, { policy: WRITE }],
  [
    challenge.issueDecisionChallenge,
    { policy: USER, schema: z.object({ challengeId: uuidSchema, decision: decisionSchema }), handler: issueDecisionChallenge },
  ],
  [
    challenge.submitDecision,
    {
      policy: USER,
      schema: z.object({ challengeId: uuidSchema, decision: decisionSchema, signature: z.string() }),
      handler: submitDecision,
    },
  ],
  [challenge.acknowledgeDecision, { policy: WRITE, schema: byChallenge, handler: acknowledgeDecision }],
  [challenge.cancelChallenge, { policy: WRITE, schema: byChallenge, handler: cancelChallenge }],
  [challenge.getReceipt, { policy: OWN, schema: byChallenge, handler: getReceipt }],
  [
    AuthenticationService.method.consumeAuthentication,
    {
      policy: CONSUME,
      schema: z.object({
        challengeId: uuidSchema,
        cardId: uuidSchema,
        paymentId: uuidSchema,
        requestId: requestIdSchema,
        amount: amountSchema,
        approvedBefore: unlessEmpty(z.string().refine((text) => text === '0' || amountSchema.safeParse(text).success)),
        decidedRequestIds: z.array(requestIdSchema).max(1000),
        merchantId: merchantText(35),
        currency: z.string().regex(/^[A-Z]{3}$/),
      }),
      handler: consumeAuthentication,
    },
  ],
  [
    AuthenticationService.method.releaseAuthentication,
    {
      policy: CONSUME,
      schema: z.object({ challengeId: uuidSchema, paymentId: uuidSchema, requestId: requestIdSchema }),
      handler: releaseAuthentication,
    },
  ],
  [
    SandboxService.method.ageChallenges,
    {
      policy: USER,
      schema: z.object({
        seconds: z
          .number()
          .int()
          .min(1)
          .max(366 * 86_400),
      }),
      handler: ageChallenges,
    },
  ],
];

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const UUIDS = [UUID, UUID.toUpperCase(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const NO_UUIDS = [
  '01890a5d-ac96-974b-bcce-b302099a8057',
  '01890a5d-ac96-774b-ccce-b302099a8057',
  `{${UUID}}`,
  UUID.replaceAll('-', ''),
  `${UUID} `,
];
const TEXTS = [
  'a',
  'acs-1',
  'x'.repeat(35),
  'x'.repeat(36),
  'x'.repeat(64),
  'x'.repeat(65),
  'é'.repeat(100),
  '💳'.repeat(100),
  'x'.repeat(101),
];
const ODD = [' two  words ', 'Café \u200d', 'a\u0000', 'a\nb', 'a\u202eb', '\u0301x', '\u2028', 'a\u00a0b', ' '];
const NUMBERS = ['0', '1', '12345', '007', '-1', '1.5', '1e3', '9'.repeat(60), '9'.repeat(61), '+1', '١'];
const CODES = ['EUR', 'JPY', 'KWD', 'eur', 'XXX', 'XAU', 'EURO', 'DE', 'de', 'DEU', '5942', '594', '59420'];
const POSITIONS = ['1700000000000-0', '1700000000000', 'x-1'];

/** Texts that fit a field of this name more often than not. */
const FITTING: [RegExp, readonly string[]][] = [
  [/^(?:challenge|card|payment|user)_id$/, UUIDS],
  [/^(?:amount|approved_before)$/, ['1', '4999', '9'.repeat(60)]],
  [/^currency$/, ['EUR', 'JPY', 'KWD']],
  [/^country$/, ['DE', '']],
  [/^category_code$/, ['5942', '']],
  [/^at_least$/, ['', '1700000000000-0']],
  [/^cursor$/, ['', Buffer.from(UUID).toString('base64url')]],
  [/./, ['acs-1', 'a', 'x'.repeat(35)]],
];

const text = (name: string): fc.Arbitrary<string> => {
  const [, fitting] = FITTING.find(([pattern]) => pattern.test(name)) ?? [/./, []];
  const any = fc.oneof(
    fc.constantFrom('', ...UUIDS, ...NO_UUIDS, ...TEXTS, ...ODD, ...NUMBERS, ...CODES, ...POSITIONS),
    fc.string({ unit: 'binary' }),
  );
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: any });
};

const number = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 1, 2, 2, 3) },
  { weight: 2, arbitrary: fc.constantFrom(-1, 4, 5, 7, 8, 100, 101, 300, 900, 901, 31_622_400, 31_622_401, 2 ** 31 - 1, -(2 ** 31)) },
);

const time = fc.oneof(
  fc.integer({ min: -40, max: 5 }).map((days) => timestampFromDate(new Date(NOW.getTime() + days * 86_400_000))),
  fc
    .constantFrom(8_640_000_000_000n, 8_640_000_000_001n, -8_640_000_000_001n)
    .map((seconds) => ({ ...timestampFromDate(NOW), seconds, nanos: 0 })),
);

const arbitraryOf = (field: DescField): fc.Arbitrary<unknown> => {
  if (field.message?.typeName === 'google.protobuf.Timestamp') return fc.option(time, { nil: undefined, freq: 5 });
  if (field.message !== undefined) return fc.option(message(field.message), { nil: undefined });
  if (field.fieldKind === 'enum') return number;
  if (field.fieldKind === 'list')
    return fc.oneof({ weight: 9, arbitrary: fc.array(text(field.name), { maxLength: 3 }) }, fc.constant(Array(1001).fill('r')));
  const { scalar } = field;
  return scalar === 9 ? text(field.name) : scalar === 8 ? fc.boolean() : number;
};

const message = (desc: DescMessage): fc.Arbitrary<object> => {
  const alone = desc.fields.filter(({ oneof }) => oneof === undefined).map((field) => [field.localName, arbitraryOf(field)]);
  const oneofs = desc.oneofs.map((oneof) => [
    oneof.localName,
    fc.oneof(
      fc.constant({ case: undefined }),
      ...oneof.fields.map((field) => arbitraryOf(field).map((value) => ({ case: field.localName, value }))),
    ),
  ]);
  const fields: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries([...alone, ...oneofs]);
  return fc.record(fields).map((values) => create(desc, values as never));
};

class Reached extends Error {}

/** Parts of the service that no rejected request reaches. */
const unreachable = new Proxy(
  {},
  {
    get: () => () => {
      throw new Reached();
    },
  },
);
const parts = new Proxy(
  {},
  {
    get: (_target, name) => (name === 'runtime' ? { now: () => NOW, newId: () => UUID, randomBytes: () => Buffer.alloc(32) } : unreachable),
  },
) as Dependencies;
const CALL = { caller: { kind: 'service', name: 'acs', userId: UUID }, logger: unreachable, requestId: 'r', signal: AbortSignal.abort() };

/** The paths of a rejection; none if the request is accepted. */
const rejectedFields = async (judge: () => unknown): Promise<string[]> => {
  try {
    await judge();
    return [];
  } catch (error) {
    if (error instanceof CodedError && error.code === 'VALIDATION_FAILED')
      return error.message.split('; ').map((one) => one.replace(/: .*$/s, ''));
    // A rule of the handler that has a code of its own, or a part of the service.
    if (error instanceof CodedError || error instanceof Reached) return [];
    throw error;
  }
};

const texts = (value: object): [string, unknown][] => Object.entries(value).filter(([, one]) => typeof one === 'string');

describe('the contracts of threeds', () => {
  it('admit the callers that the handlers admitted', () => {
    const all = [ChallengeService, AuthenticationService, SandboxService].flatMap(({ methods }) => methods);
    expect(FORMER.map(([desc]) => desc.name).sort()).toEqual(all.map(({ name }) => name).sort());
    for (const [desc, { policy }] of FORMER) expect([desc.name, rulesOf(desc)?.policy]).toEqual([desc.name, policy]);
  });

  it.each(FORMER.flatMap(([desc, { schema, handler }]) => (schema === undefined ? [] : [[desc.name, desc, schema, handler] as const])))(
    'judge the requests of %s as their schemas did',
    async (_name, desc, schema, handler) => {
      const judge = requestJudge(desc.input);
      const method = handler?.(parts) as Method<object, unknown> | undefined;
      const verdicts = { accepted: 0, rejected: 0 };
      await fc.assert(
        fc.asyncProperty(message(desc.input), async (request) => {
          const before = structuredClone(request);
          let parsed: unknown;
          const former = await rejectedFields(() => {
            parsed = parseRequest(schema, before);
          });
          const present = await rejectedFields(async () => {
            judge(request as never);
            await method?.invoke(request, CALL as never);
          });
          verdicts[former.length === 0 ? 'accepted' : 'rejected'] += 1;
          expect(present.length > 0, JSON.stringify([former, present])).toBe(former.length > 0);
          // A handler's own rules apply to requests that keep their contract's, so they may be missing.
          expect(former).toEqual(expect.arrayContaining(present));
          if (former.length > 0) return;
          const seen = new Map(texts(request));
          for (const [name, value] of texts(parsed as object)) expect([name, seen.get(name)]).toEqual([name, value]);
        }),
        { numRuns: RUNS },
      );
      expect(verdicts.accepted).toBeGreaterThan(RUNS / 50);
      if (desc.name !== 'ListChallengeChanges') expect(verdicts.rejected).toBeGreaterThan(RUNS / 50);
    },
  );
});
