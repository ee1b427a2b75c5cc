import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';

/** Stand-in for a service, the gateway or the back office: writes its environment to a file beside it and passes the health checks of all. */
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
  const isReady = (name === 'gateway' && request.url === '/health/ready') || (name === 'back-office' && request.url === '/api/sign-in');
  response.writeHead(isHealth || isReady ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: 'SERVING' }));
});
server.listen(Number(env['PORT']), env['HOST']);
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => process.exit(0));
