import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type GetReservesRequest, ReservesService } from '@florin/proto/chain/v1/reserves_service';
import { CodedError } from '@florin/rpc/errors';
import { publicMethod } from '@florin/rpc/server';
import { createTestAuthority, implementPart, startNeighbour } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';

const CREATED_AT = new Date('2026-11-24T06:00:00Z');
const BLOCK = 41_000_123n;

/** The parts of the file; none: there is no proof. */
let file: string[];
let readings = 0;

const authority = await createTestAuthority({ 'back-office': [] });
const chain = await startNeighbour({
  authority,
  name: 'chain',
  services: [
    implementPart(ReservesService, {
      getReserves: publicMethod(({ blockNumber, part }: GetReservesRequest) => {
        readings += 1;
        const text = blockNumber === 0n || blockNumber === BLOCK ? file[part] : undefined;
        if (text === undefined) throw new CodedError('RESERVES_NOT_FOUND');
        const head = { chainId: 100, blockNumber: BLOCK, blockHash: `0x${'ab'.repeat(32)}`, createdAt: timestampFromDate(CREATED_AT) };
        return { ...head, part, parts: file.length, text };
      }),
    }),
  ],
});

let world: World;
let viewer: Awaited<ReturnType<Awaited<ReturnType<World['start']>>['operator']>>;
beforeAll(async () => {
  world = await createWorld({ CHAIN_URL: chain.url, SERVICE_KEY: JSON.stringify(authority.serviceKey('back-office')) });
  viewer = await (await world.start()).operator('viewer');
});
afterAll(async () => {
  await world.close();
  await chain.close();
});
beforeEach(() => {
  file = ['["florin-reserves-3",100,1,"a line"]\n', '["safe"]\n', '["signature"]\n'];
});

it('reports that there is no proof, in the overview too', async () => {
  file = [];
  expect((await viewer.ask('GET /api/reserves')).body).toEqual({ proofs: [] });
  const { body } = await viewer.ask('GET /api/overview');
  expect([body['reservesAt'], (body['unavailable'] as string[]).includes('reserves')]).toEqual([undefined, false]);
});

it('reports a file that proves nothing, with the reason, and the time of the newest in the overview', async () => {
  const { proofs } = (await viewer.ask('GET /api/reserves')).body as { proofs: Record<string, unknown>[] };
  expect(proofs).toMatchObject([
    {
      chainId: 100,
      block: String(BLOCK),
      createdAt: CREATED_AT.toISOString(),
      verdict: 'invalid',
      problem: expect.stringMatching(/./),
      tokens: [],
    },
  ]);
  expect((await viewer.ask('GET /api/overview')).body).toMatchObject({ reservesAt: CREATED_AT.toISOString() });
});

it('returns the file of a proof byte for byte, and no other', async () => {
  expect((await viewer.ask(`GET /api/reserves/100/${BLOCK}`)).body).toEqual({ text: file.join('') });
  expect(await viewer.ask('GET /api/reserves/100/7')).toMatchObject({ status: 404, body: { error: 'RESERVES_NOT_FOUND' } });
  expect((await viewer.ask('GET /api/reserves/100/x')).status).toBe(422);
});

it('reads no file of more than 8 MiB', async () => {
  file = Array.from({ length: 65 }, () => '["safe"]\n');
  const before = readings;
  expect((await viewer.ask('GET /api/reserves')).body).toMatchObject({ proofs: [{ verdict: 'too-large' }] });
  expect((await viewer.ask(`GET /api/reserves/100/${BLOCK}`)).status).toBe(404);
  expect(readings).toBe(before + 2);
});
