import { connect, createServer, type Server, type Socket } from 'node:net';
import { testEngines } from '@florin/data/testing';
import { bind } from '@florin/rpc/process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { as, type Clients, createWorld, newEmail, newUser, newWallet, signIn, type World } from '../testing/world.ts';

/** Proxy between identity and its database, until it is cut. */
const startCable = async (mongodbUri: string) => {
  const target = new URL(mongodbUri);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server: Server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const { port } = await bind(server, { host: '127.0.0.1', port: 0 });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: mongodbUri.replace(target.host, `127.0.0.1:${port}`),
    cut,
    close: () => {
      cut();
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

it('mails a code while the database, which knows the registered addresses, is unavailable', async () => {
  const known = await newUser(clients);
  const strangers = await Promise.all([1, 2].map(async () => (await signIn(clients, newWallet())).accessToken));
  const [first = '', second = ''] = strangers;
  const unknown = newEmail();
  world.clock.advanceSeconds(60);
  cable.cut();
  const send = (token: string, email: string) => clients.codes.sendEmailCode({ email }, as(token));
  expect(await send(first, known.email)).toEqual(await send(second, unknown));
  for (const to of [known.email, unknown]) {
    expect((await clients.sandbox.listOutboxMessages({ to })).messages[0]?.code).toMatch(/^\d{6}$/);
  }
  // The database is unavailable to everything else.
  await expect(clients.users.getCurrentUser({}, as(known.userToken))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
