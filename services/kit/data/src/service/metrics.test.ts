import { createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node';
import { CardService } from '@florin/proto/card/v1/card_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { loadConfig, serviceShape } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import type { App } from '@florin/rpc/process';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, testContract, waitFor } from '@florin/rpc/testing';
import { type mongo, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditShape } from '../audit/index.ts';
import { FIRST_SCHEMA } from '../migrations/index.ts';
import type { OutboxEvent } from '../outbox/index.ts';
import { type Store, storeShape } from '../store/index.ts';
import { testEnvironment } from '../testing/index.ts';
import { startService } from './index.ts';

const SCOPES = [CARD_SCOPES.readCards];
const authority = await createTestAuthority({ card: [], threeds: SCOPES });

let app: App;
let store: Store;
type Note = { _id: string; outbox: OutboxEvent[] };
let notes: mongo.Collection;
beforeAll(async () => {
  const env = testEnvironment('card', authority, { METRICS_PORT: '0' });
  const config = loadConfig({ ...serviceShape, ...storeShape, ...auditShape }, env);
  app = await startService({ name: 'card', schema: FIRST_SCHEMA }, config, { userKeys: authority.userKeys }, async (core) => {
    ({ store } = core);
    const model = core.store.connection.model<Note>('Note', new Schema<Note>({ _id: String, outbox: [] }, { collection: 'notes' }));
    notes = model.collection as unknown as typeof notes;
    core.relayEvents(model);
    return {
      implementations: [
        implementPart(
          testContract(CardService, {
            getCard: { access: 'service', scope: CARD_SCOPES.readCards, errors: ['CARD_NOT_FOUND'], subjects: ['card_id'] },
          }),
          {
            getCard: serviceMethod(({ cardId }) => {
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

const read = async (): Promise<string> => (await fetch(`${app.internalUrl}/metrics`)).text();
const sampleOf = (text: string, sample: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.split(' ')
      .at(-1),
  );
const connectionsInUse = async (): Promise<number> => sampleOf(await read(), 'florin_mongodb_connections_in_use');

describe('the metrics of a service', () => {
  it('count calls over every protocol by RPC and code, with calls that are rejected before the handler', async () => {
    const headers = { authorization: `Bearer ${await authority.serviceToken('threeds', 'card', SCOPES)}` };
    for (const transport of [
      createGrpcTransport({ baseUrl: app.url }),
      createConnectTransport({ baseUrl: app.url, httpVersion: '1.1', useBinaryFormat: true }),
    ]) {
      const cards = createClient(CardService, transport);
      await cards.getCard({ cardId: 'a' }, { headers });
      await cards.getCard({ cardId: 'missing' }, { headers }).catch(() => undefined);
      await cards.getCard({ cardId: 'a' }).catch(() => undefined);
    }
    const text = await read();
    const countOf = (code: string) =>
      sampleOf(text, `florin_rpc_server_duration_seconds_count{rpc="florin.card.v1.CardService/GetCard",code="${code}"}`);
    expect(['OK', 'CARD_NOT_FOUND', 'UNAUTHORIZED'].map(countOf)).toEqual([2, 2, 2]);
  });

  it('tell how many connections to the engine are in use', async () => {
    let isOver = false;
    const busy = (async () => {
      while (!isOver) await Promise.all(Array.from({ length: 20 }, () => store.ping()));
    })();
    await waitFor('connections in use', async () => ((await connectionsInUse()) > 0 ? true : undefined));
    isOver = true;
    await busy;
    // Background work uses one now and then.
    await waitFor('no connection in use', async () => ((await connectionsInUse()) === 0 ? true : undefined));
    expect(sampleOf(await read(), 'florin_mongodb_check_out_failures_total')).toBe(0);
  });

  it('count published events by type, show the age of the oldest one that waits, and whether the process is ready', async () => {
    const waits = (event: Pick<OutboxEvent, 'id' | 'type' | 'at'> & { payload?: object }) =>
      notes.insertOne({ _id: `note-${event.id}`, outbox: [event] } as never);
    await waits({ id: 'a', type: 'note.written', at: new Date(), payload: {} });
    await waitFor('the event to be counted', async () =>
      sampleOf(await read(), 'florin_events_total{type="note.written"}') === 1 ? true : undefined,
    );
    // Without a payload it cannot be published.
    await waits({ id: 'b', type: 'note.written', at: new Date(Date.now() - 60_000) });
    await waitFor('the age of the event', async () =>
      sampleOf(await read(), 'florin_outbox_age_seconds{collection="notes"}') > 59 ? true : undefined,
    );
    expect(sampleOf(await read(), 'florin_ready')).toBe(1);
  });
});
