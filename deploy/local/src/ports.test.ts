import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessName } from './config.ts';
import { freePort, isListening, isPortFree } from './free-port.ts';
import { choosePorts, PortTakenError, requireFreePorts } from './ports.ts';

const listen = async (): Promise<number> => {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** Opens an outgoing connection and returns the port that it occupies. The operating system has to choose the port. */
const occupy = async (): Promise<{ port: number }> => {
  const connection = connect({ host: '127.0.0.1', port: await listen() });
  onTestFinished(() => void connection.destroy());
  await once(connection, 'connect');
  return { port: connection.localPort ?? 0 };
};

const configOf = (card: number, requestedPorts: ProcessName[] = []) => ({
  ports: {
    gateway: 0,
    identity: 0,
    card,
    ledger: 0,
    threeds: 0,
    vault: 0,
    chain: 0,
    events: 0,
    webhooks: 0,
    settlement: 0,
    notifications: 0,
    'back-office': 0,
  },
  requestedPorts,
  mongodbPort: undefined,
  redisPort: undefined,
});

const quiet = (): void => undefined;

describe('the choice of ports', () => {
  it('keeps a default port that is free and chooses a free one for 0', async () => {
    const port = await freePort();
    const ports = await choosePorts(configOf(port), quiet);
    expect(ports.card).toBe(port);
    expect(new Set(Object.values(ports)).size).toBe(12);
    for (const one of Object.values(ports)) expect(await isPortFree(one)).toBe(true);
  });

  it.each([
    ['card', 'CARD_PORT'],
    ['vault', 'VAULT_PORT'],
    ['chain', 'CHAIN_PORT'],
    ['events', 'EVENTS_PORT'],
    ['webhooks', 'WEBHOOKS_PORT'],
    ['settlement', 'SETTLEMENT_PORT'],
    ['notifications', 'NOTIFICATIONS_PORT'],
    ['back-office', 'BACK_OFFICE_PORT'],
    ['gateway', 'PORT'],
  ] as const)('replaces the default port of %s that an outgoing connection keeps occupied, and reports it', async (name, variable) => {
    const { port } = await occupy();
    expect([await isPortFree(port), await isListening(port)]).toEqual([false, false]);
    const config = configOf(0);
    config.ports[name] = port;
    await requireFreePorts(config);
    const reports: string[] = [];
    const { [name]: chosen } = await choosePorts(config, (line) => reports.push(line), { waitMs: 50 });
    expect(chosen).not.toBe(port);
    expect(await isPortFree(chosen)).toBe(true);
    expect(reports).toEqual([
      `port ${port} (${name}) is in use by an outgoing connection; waiting for it`,
      `port ${port} (${name}) is still in use; using port ${chosen} instead (${variable} sets another one)`,
    ]);
  });

  it('keeps a default port that becomes free while it waits', async () => {
    const { port } = await occupy();
    // The port stays occupied: once it is free, any other process could get it.
    const seen = [false, false, true];
    const { card } = await choosePorts(configOf(port), quiet, { waitMs: 20_000, isFree: async () => seen.shift() ?? expect.fail() });
    expect(card).toBe(port);
    expect(seen).toEqual([]);
  });

  it('never replaces a requested port', async () => {
    const { port } = await occupy();
    const config = configOf(port, ['card']);
    await expect(requireFreePorts(config)).rejects.toThrow(PortTakenError);
    await expect(choosePorts(config, quiet, { waitMs: 50 })).rejects.toThrow(`Port ${port} (card) is already in use.`);
  });

  it('never replaces a default port on which another program listens', async () => {
    const port = await listen();
    await expect(choosePorts(configOf(port), quiet, { waitMs: 50 })).rejects.toThrow(PortTakenError);
  });
});
