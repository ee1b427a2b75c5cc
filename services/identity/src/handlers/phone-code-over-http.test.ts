import { createServer } from 'node:http';
import { bind } from '@florin/rpc/process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, type Clients, createWorld, newUser, type World } from '../testing/world.ts';

const PHONE = '+4915112340001';

const sent: { authorization: string | undefined; body: { to: string; text: string } }[] = [];
let status = 202;
const provider = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk) => {
    text += String(chunk);
  });
  request.on('end', () => {
    sent.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
    response.writeHead(status).end();
  });
});

let world: World;
let clients: Clients;

beforeAll(async () => {
  const { url } = await bind(provider, { host: '127.0.0.1', port: 0 });
  world = await createWorld({ SMS_URL: `${url}/messages`, SMS_TOKEN: 'token of the SMS provider' });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(async () => {
  await world?.close();
  provider.closeAllConnections();
  provider.close();
});

it('sends a code through the SMS provider, the code proves the number, and a failed request can be repeated immediately', async () => {
  const { userId, userToken } = await newUser(clients);
  status = 500;
  await expect(clients.codes.sendPhoneCode({ phone: PHONE }, as(userToken))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  status = 202;
  await clients.codes.sendPhoneCode({ phone: PHONE }, as(userToken));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toMatchObject({ authorization: 'Bearer token of the SMS provider', body: { to: PHONE } });
  const code = /^(\d{6}) is your Florin code/.exec(sent[1]?.body.text ?? '')?.[1] ?? '';
  const verificationId = '0190a5d0-0000-7000-8000-000000000001';
  expect(await clients.card.verifyPhoneCode({ userId, code, verificationId })).toMatchObject({ phone: PHONE });
  const other = await newUser(clients);
  await clients.codes.sendPhoneCode({ phone: '+4915112340002', language: 'fr' }, as(other.userToken));
  expect(sent[2]?.body.text).toMatch(/^\d{6} est votre code Florin/);
  expect((await clients.sandbox.listOutboxMessages({ to: PHONE })).messages).toEqual([]);
});
