import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';

/** Stand-in for a service or the gateway: writes its environment to a file beside it and passes the health checks of both. */
const directory = dirname(process.argv[1] ?? '.');
const name = basename(dirname(directory));
const { env } = process;

if (env['FAKE_FAILURE'] === name) {
  process.stderr.write(`${name}: VAULT_URL: is required\n`);
  process.exit(78);
}

writeFileSync(join(directory, 'environment.json'), JSON.stringify(env));
const server = createServer((request, response) => {
  const isHealth = request.url === '/grpc.health.v1.Health/Check' && request.method === 'POST';
  const isReady = name === 'gateway' && request.url === '/health/ready';
  response.writeHead(isHealth || isReady ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: 'SERVING' }));
});
server.listen(Number(env['PORT']), env['HOST']);
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => process.exit(0));
