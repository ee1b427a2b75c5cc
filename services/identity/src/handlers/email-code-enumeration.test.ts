import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { testEngines } from '@florin/data/testing';
import { bind } from '@florin/rpc/process';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, type Clients, createWorld, newEmail, newUser, newWallet, signIn, type World } from '../testing/world.ts';

/** Proxy between identity and its database that notes what identity asks. */
const startCable = async (mongodbUri: string) => {
  const target = new URL(mongodbUri);
  const sockets = new Set<Socket>();
  const asked: Buffer[] = [];
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (bytes: Buffer) => void asked.push(bytes));
    near.pipe(far).pipe(near);
  });
  const { port } = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    uri: mongodbUri.replace(target.host, `127.0.0.1:${port}`),
    /** Returns the queries since the last call. Names and values are text in the protocol of MongoDB. */
    takeAsked: () => Buffer.concat(asked.splice(0)).toString('latin1'),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
};

let world: World;
let cable: Awaited<ReturnType<typeof startCable>>;
let clients: Clients;

beforeAll(async () => {
  cable = await startCable(testEngines().mongodbUri);
  world = await createWorld();
  clients = world.clientsOf((await world.start({}, { MONGODB_URI: cable.uri })).url);
});
afterAll(async () => {
  await world?.close();
  await cable?.close();
});

it('mails a code without asking the database whether the address is registered', async () => {
  const known = await newUser(clients);
  const strangers = await Promise.all([1, 2].map(async () => (await signIn(clients, newWallet())).accessToken));
  const [first = '', second = ''] = strangers;
  const unknown = newEmail();
  const claims = [known.email, unknown].map((email) => world.emailClaimId(email));
  world.clock.advanceSeconds(60);
  // The registration's notice is mailed, and noted as mailed, in the background.
  const quiet = async () => {
    cable.takeAsked();
    await setTimeout(1000);
    return cable.takeAsked().includes(known.userId) ? undefined : true;
  };
  await waitFor('the mail about the registration', quiet);
  const send = (token: string, email: string) => clients.codes.sendEmailCode({ email }, as(token));
  expect(await send(first, known.email)).toEqual(await send(second, unknown));
  const asked = cable.takeAsked();
  expect(asked).toContain('limit_windows');
  for (const text of [...claims, known.email, unknown, known.userId]) expect(asked).not.toContain(text);
  const codes: string[] = [];
  for (const to of [known.email, unknown]) {
    const [mail] = (await clients.sandbox.listOutboxMessages({ to })).messages;
    expect(mail?.code).toMatch(/^\d{6}$/);
    codes.push(mail?.code ?? '');
  }
  // Only who has proven the address has it looked up.
  const register = clients.users.registerUser({ email: known.email, otp: codes[0] ?? '' }, as(first));
  await expect(register).rejects.toMatchObject({ code: 'USER_ALREADY_EXISTS' });
  expect(cable.takeAsked()).toContain(claims[0]);
});
