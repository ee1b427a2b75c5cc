import { timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { AuditService } from '@florin/proto/audit/v1/audit_service';
import { AUDIT_SCOPES } from '@florin/proto/audit/v1/scopes';
import { CardService } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { loadConfig, serviceShape } from '@florin/rpc/config';
import { CodedError, fromWire } from '@florin/rpc/errors';
import type { App } from '@florin/rpc/process';
import { REASON_HEADER, serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, quietLogger, testContract } from '@florin/rpc/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIRST_SCHEMA } from '../migrations/index.ts';
import { type Core, startService } from '../service/index.ts';
import { openStore, storeShape } from '../store/index.ts';
import { testEnvironment } from '../testing/index.ts';
import type { AuditRecord } from './audit-record.ts';
import { auditShape, checkHeads, createAuditLog, readAuditHeads } from './index.ts';

const SCOPES = [CARD_SCOPES.readCards, AUDIT_SCOPES.readEvents];
const authority = await createTestAuthority({ card: [], threeds: SCOPES, ada: SCOPES, bob: [AUDIT_SCOPES.readEvents] }, ['ada', 'bob']);

const EARLIER = { actor: 'eve', rpc: 'x.Service/Do', reason: 'a test', requestId: 'r', subjects: {}, request: new Uint8Array() };

let app: App;
let core: Core | undefined;
let executed = 0;
beforeAll(async () => {
  const environment = testEnvironment('card', authority);
  const config = loadConfig({ ...serviceShape, ...storeShape, ...auditShape }, environment);
  // A record of an earlier run, which the process signs when it starts.
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = config;
  const store = await openStore({ uri, database, poolSize: 1, logger: quietLogger });
  await createAuditLog(store.connection, () => new Date(), new Uint8Array(32)).record(EARLIER, 'OK');
  await store.close();
  app = await startService({ name: 'card', schema: FIRST_SCHEMA }, config, { userKeys: authority.userKeys }, async (parts) => {
    core = parts;
    return {
      implementations: [
        implementPart(
          testContract(CardService, {
            getCard: { access: 'service', scope: CARD_SCOPES.readCards, errors: ['CARD_NOT_FOUND'], subjects: ['card_id'] },
          }),
          {
            getCard: serviceMethod(({ cardId }) => {
              executed += 1;
              if (cardId === 'missing') throw new CodedError('CARD_NOT_FOUND');
              return { card: { id: cardId } };
            }),
          },
        ),
      ],
      userTokens: { keys: authority.userKeys, revocations: async () => [] },
    };
  });
});
afterAll(() => app?.close());

const headersOf = async (client: string, reason?: string) => ({
  authorization: `Bearer ${await authority.serviceToken(client, 'card', client === 'bob' ? [AUDIT_SCOPES.readEvents] : SCOPES)}`,
  ...(reason === undefined ? {} : { [REASON_HEADER]: reason }),
});
const getCard = async (client: string, cardId: string, reason?: string): Promise<string> => {
  const cards = createClient(CardService, createGrpcTransport({ baseUrl: app.url }));
  const headers = await headersOf(client, reason);
  return cards.getCard({ cardId }, { headers }).then(
    () => 'OK',
    (error) => fromWire(error).code,
  );
};
const listEvents = async () => {
  const audit = createClient(AuditService, createGrpcTransport({ baseUrl: app.url }));
  return (await audit.listAuditEvents({}, { headers: await headersOf('threeds') })).events.map(({ record }) => record);
};

describe('a service', () => {
  it('does not record the calls of processes', async () => {
    expect(await getCard('threeds', 'c-1')).toBe('OK');
    expect((await listEvents()).map((record) => record.case)).toEqual(['call', 'outcome']);
  });

  it.each([
    ['no reason', undefined, 'REASON_REQUIRED'],
    ['a blank reason', '%20%20', 'REASON_REQUIRED'],
    ['a reason that is too short', 'ab', 'VALIDATION_FAILED'],
    ['a reason that is too long', 'x'.repeat(501), 'VALIDATION_FAILED'],
    ['a reason with a line break', 'two%0Alines', 'VALIDATION_FAILED'],
    ['a reason with invalid encoding', '%zz%', 'VALIDATION_FAILED'],
  ])('does not execute the call of a person with %s, and records that it was refused', async (_what, reason, code) => {
    const before = executed;
    expect(await getCard('ada', 'c-1', reason)).toBe(code);
    expect(executed).toBe(before);
    // Neither the text nor the request: nobody has checked them.
    expect((await listEvents()).slice(-2)).toMatchObject([
      { case: 'call', value: { actor: 'ada', rpc: 'florin.card.v1.CardService/GetCard', reason: '', subjects: {} } },
      { case: 'outcome', value: { code } },
    ]);
  });

  it('records that a person without the scope was refused', async () => {
    const before = executed;
    expect(await getCard('bob', 'c-1', 'a look at the card')).toBe('FORBIDDEN');
    expect(executed).toBe(before);
    expect((await listEvents()).slice(-2)).toMatchObject([
      { case: 'call', value: { actor: 'bob', reason: '' } },
      { case: 'outcome', value: { code: 'FORBIDDEN' } },
    ]);
  });

  it('records the call of a person with its reason and outcome', async () => {
    expect(await getCard('ada', 'c-2', encodeURIComponent('customer’s request'))).toBe('OK');
    expect(await getCard('ada', 'missing', 'a second look')).toBe('CARD_NOT_FOUND');
    expect((await listEvents()).slice(-4)).toMatchObject([
      {
        case: 'call',
        value: { actor: 'ada', rpc: 'florin.card.v1.CardService/GetCard', reason: 'customer’s request', subjects: { card_id: 'c-2' } },
      },
      { case: 'outcome', value: { code: 'OK' } },
      { case: 'call', value: { reason: 'a second look', subjects: { card_id: 'missing' } } },
      { case: 'outcome', value: { code: 'CARD_NOT_FOUND' } },
    ]);
  });

  it.each<[string, object]>([
    ['a sequence beyond the last record', { afterSequence: 10_000n }],
    ['a sequence beyond every number', { afterSequence: 2n ** 60n }],
    ['a negative limit', { limit: -1 }],
    ['a limit that is too large', { limit: 501 }],
    ['an actor that is too long', { actor: 'x'.repeat(201) }],
    ['an RPC without a method', { rpc: 'florin.card.v1.CardService' }],
    ['an identifier without a field', { subjectId: 'c-2' }],
    ['a field without an identifier', { subjectField: 'card_id' }],
    ['a field that is an operator', { subjectId: 'x', subjectField: '$where' }],
    ['a period that ends before it starts', { from: { seconds: 20n }, to: { seconds: 10n } }],
    ['an empty period', { from: { seconds: 20n }, to: { seconds: 20n } }],
    ['a time beyond the calendar', { from: { seconds: 2n ** 60n } }],
  ])('rejects a query with %s', async (_what, query) => {
    const audit = createClient(AuditService, createGrpcTransport({ baseUrl: app.url }));
    const error = await audit.listAuditEvents(query, { headers: await headersOf('threeds') }).catch((thrown) => fromWire(thrown).code);
    expect(error).toBe('VALIDATION_FAILED');
  });

  it('returns the calls about one identifier', async () => {
    const audit = createClient(AuditService, createGrpcTransport({ baseUrl: app.url }));
    const query = { subjectField: 'card_id', subjectId: 'missing', rpc: 'florin.card.v1.CardService/GetCard' };
    const { events } = await audit.listAuditEvents(query, { headers: await headersOf('threeds') });
    expect(events.map(({ record }) => record)).toMatchObject([{ case: 'call', value: { reason: 'a second look' } }]);
  });

  it('tells anybody the last record that it has signed, as the command that compares reads it', async () => {
    const audit = createClient(AuditService, createGrpcTransport({ baseUrl: app.url }));
    await expect.poll(async () => (await audit.getAuditHead({})).head?.sequence).toBe(2n);
    const { head } = await audit.getAuditHead({});
    if (head?.at === undefined) throw new Error('the head has no time');
    const published = { ...head, sequence: Number(head.sequence), at: timestampDate(head.at).toISOString() };
    const record = await core?.store.connection.collection<AuditRecord>('audit_events').findOne({ _id: 2 });
    expect(published).toMatchObject({ service: 'card', hash: `0x${record?.hash}`, at: record?.at.toISOString() });
    const heads = readAuditHeads(JSON.stringify({ heads: [published] }));
    const removed = { removedThrough: 0, retentionDays: 0 };
    const verdict = await checkHeads(heads, [authority.serviceKey('card')], async () => record?.hash, removed);
    expect(verdict).toEqual({ ok: true, text: '1 signed heads agree' });
  });

  it('does not execute a call that cannot be recorded', async () => {
    const before = executed;
    await core?.store.connection.close();
    expect(await getCard('ada', 'c-3', 'while the engine is away')).toBe('SERVICE_UNAVAILABLE');
    expect(executed).toBe(before);
  });
});
