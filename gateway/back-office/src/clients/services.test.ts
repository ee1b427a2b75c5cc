import { ExceptionService } from '@florin/proto/card/v1/exception_service';
import { serviceMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterEach, expect, it } from 'vitest';
import { createWorld } from '../testing/world.ts';

const releases: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const release of releases.splice(0)) await release();
});

it.each([
  ['does not know its key', { own: false }],
  ['does not give it the scope', { own: true }],
])('tells an operator of a service that %s from roles that do not allow it, and keeps the session', async (_name, { own }) => {
  const authority = await createTestAuthority({ 'back-office': [] });
  const other = await createTestAuthority({ 'back-office': [] });
  const services = [implementPart(ExceptionService, { listExceptions: serviceMethod(() => ({ exceptions: [] })) })];
  const card = await startNeighbour({ authority, name: 'card', services });
  const world = await createWorld({
    CARD_URL: card.url,
    SERVICE_KEY: JSON.stringify((own ? authority : other).serviceKey('back-office')),
  });
  releases.push(world.close, card.close);
  const finance = await (await world.start()).operator('finance');
  expect(await finance.ask('GET /api/card-exceptions')).toMatchObject({ status: 500, body: { error: 'BACK_OFFICE_NOT_ADMITTED' } });
  expect((await finance.ask('GET /api/session')).status).toBe(200);
  const support = await (await world.start()).operator('support');
  expect(await support.ask('GET /api/card-exceptions')).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
});
