import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpProxy } from 'node:http';
import { createServer as createHttps, type Server } from 'node:https';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processEnvironment } from '../../services/kit/rpc/src/config/index.ts';
import { createTestCa } from '../../services/kit/rpc/src/testing/certificates.ts';
import { waitFor } from '../../services/kit/rpc/src/testing/wait-for.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = readFileSync(join(ROOT, 'deploy/k8s/components/outside-proxy/egress.conf'), 'utf8');

/** Makes the calls of a process to systems outside with the clients that the processes have: JSON to a provider, JSON-RPC to a node, and a mail. */
const CALLS = `
import { createJsonRpc } from '@florin/evm/chain/json-rpc';
import { createJsonHttp } from '@florin/rpc/json-http';
import { createSmtpMailer } from '@florin/rpc/mail';
const [kind, url] = process.argv.slice(-2);
const call = {
  json: () => createJsonHttp({ url, token: 't' }).post('', {}),
  node: () => createJsonRpc(url)('eth_chainId', [], AbortSignal.timeout(20_000)),
  mail: () => createSmtpMailer({ url, from: 'a@example.com' }).send({ to: 'b@example.com', subject: 's', text: 't', html: 'h' }),
}[kind];
await call().then(() => process.stdout.write('reached'), (error) => process.stdout.write(String(error.cause ?? error)));
process.exit(0);
`;

const portOf = (server: { address: () => AddressInfo | string | null }): number => (server.address() as AddressInfo).port;
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
};

/** A mail server that takes everything, as far as a client needs one. */
const createMailServer = () =>
  createServer((socket) => {
    let isData = false;
    socket.write('220 here\r\n');
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\r\n').filter((one) => one !== '')) {
        if (isData && line !== '.') continue;
        isData = line === 'DATA';
        socket.write(isData ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
    socket.on('error', () => socket.destroy());
  });

let ca: Awaited<ReturnType<typeof createTestCa>>;
let host: Server;
let caFile: string;
const mail = createMailServer();
const heard: string[] = [];
const scratch = mkdtempSync(join(tmpdir(), 'outside-proxy-'));
beforeAll(async () => {
  ca = await createTestCa();
  const { TLS_CERT, TLS_KEY, TLS_CA } = await ca.issue(['node-a.example.com', 'sms.example.com', 'evil.example.com']);
  caFile = TLS_CA;
  host = createHttps({ cert: readFileSync(TLS_CERT), key: readFileSync(TLS_KEY) }, (request, response) => {
    heard.push(request.headers.host?.replace(/:\d+$/, '') ?? '');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }));
  });
  await Promise.all([host, mail].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
});
afterAll(async () => {
  host.close();
  mail.close();
  await ca.close();
  rmSync(scratch, { recursive: true });
});

/** Calls a system outside from a process of its own, which the name servers do not help: its hosts exist in the proxy only. */
const callFrom = async (proxyPort: number | undefined, kind: 'json' | 'node' | 'mail', name: string): Promise<string> => {
  const url = kind === 'mail' ? `smtp://${name}:${portOf(mail)}` : `https://${name}:${portOf(host)}`;
  const proxy = proxyPort === undefined ? {} : { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '.svc' };
  const env = { PATH: processEnvironment()['PATH'], NODE_EXTRA_CA_CERTS: caFile, ...proxy };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', CALLS, '--', kind, url], { cwd: ROOT, env });
  return stdout;
};

describe('a process with HTTPS_PROXY', () => {
  it.each(['json', 'node', 'mail'] as const)('makes its calls (%s) through the proxy, and none without it', async (kind) => {
    const asked: string[] = [];
    const proxy = createHttpProxy().on('connect', ({ url = '' }, socket) => {
      asked.push(url);
      if (url.startsWith('evil.')) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      const onward = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('error', () => socket.destroy());
      return socket.on('error', () => onward.destroy());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const name = kind === 'mail' ? 'smtp.example.com' : 'node-a.example.com';
    expect(await callFrom(portOf(proxy), kind, name)).toBe('reached');
    expect(await callFrom(portOf(proxy), kind, 'evil.example.com')).not.toBe('reached');
    expect(asked.map((one) => one.split(':')[0])).toEqual([name, 'evil.example.com']);
    expect(await callFrom(undefined, kind, name)).not.toBe('reached');
    proxy.close();
  });
});

describe('Squid with the configuration of the component', () => {
  let squid: ChildProcess;
  let isThere = false;
  const ports: Record<string, number> = {};
  beforeAll(async () => {
    isThere = await promisify(execFile)('squid', ['-v']).then(
      () => true,
      () => false,
    );
    if (!isThere) return;
    // The ports of this machine, and names that lead to it: one of them counts as inside.
    const here = ['node-a', 'sms', 'smtp', 'evil'].map((one) => `127.0.0.1 ${one}.example.com\n`);
    writeFileSync(join(scratch, 'hosts'), [...here, '127.1.0.1 kyc.example.com\n'].join(''));
    let text = CONFIG.replace('acl tls port 443', `acl tls port ${portOf(host)}`)
      .replace('acl mail port 465 587', `acl mail port ${portOf(mail)}`)
      .replace('127.0.0.0/8', '127.1.0.0/16')
      .replace('stdio:/dev/stdout', 'none')
      .replace('/dev/stderr', '/dev/null');
    for (const [line, , name = ''] of CONFIG.matchAll(/http_port (\d+) name=(\S+)/g)) {
      ports[name] = await freePort();
      text = text.replace(line, `http_port 127.0.0.1:${ports[name]} name=${name}`);
    }
    text += `hosts_file ${scratch}/hosts\n`;
    // It drops the rights of root, and reads its files after that.
    chmodSync(scratch, 0o755);
    writeFileSync(join(scratch, 'egress.conf'), text);
    squid = spawn('squid', ['-N', '-f', join(scratch, 'egress.conf')], { stdio: 'ignore' });
    await waitFor(
      'Squid',
      () =>
        new Promise<true | undefined>((resolve) => {
          const socket = connect(ports['back-office'] ?? 0, '127.0.0.1', () => resolve(true));
          socket.on('error', () => resolve(undefined)).on('connect', () => socket.destroy());
        }),
    );
  }, 60_000);
  afterAll(() => {
    squid?.kill('SIGKILL');
  });

  it.for([
    ['chain', 'node', 'node-a.example.com', true],
    ['chain', 'node', 'evil.example.com', false],
    ['identity', 'json', 'sms.example.com', true],
    ['chain', 'json', 'sms.example.com', false],
    ['ledger', 'node', 'node-a.example.com', false],
    ['identity', 'mail', 'smtp.example.com', true],
    ['notifications', 'mail', 'smtp.example.com', true],
    ['card', 'mail', 'smtp.example.com', false],
    // The name is allowed, and leads inside.
    ['identity', 'json', 'kyc.example.com', false],
    // An address has no name.
    ['chain', 'node', '127.0.0.1', false],
  ] as const)('takes %s (%s) to %s: %s', async ([process, kind, name, isReached], { skip }) => {
    skip(!isThere, 'there is no squid on this machine');
    heard.length = 0;
    const outcome = await callFrom(ports[process], kind, name);
    expect(outcome === 'reached', outcome).toBe(isReached);
    if (!isReached) expect(heard).toEqual([]);
  });
});
