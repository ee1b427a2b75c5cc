import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { Agent } from 'undici';

/**
 * The floor: a process that does the least that a signed delivery takes. It posts the body that it is given to a URL, with both signatures, over so many connections for so
 * many seconds, and sends how many were answered.
 */
export type FloorOrder = { url: string; body: string; connections: number; seconds: number };

const { privateKey } = generateKeyPairSync('ed25519');
const secret = randomBytes(32);

const headersOf = (body: string) => {
  const id = randomUUID();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  const v1 = createHmac('sha256', secret).update(content).digest('base64');
  const v1a = sign(null, content, privateKey).toString('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${v1} v1a,${v1a}`,
  };
};

const post = async (agent: Agent, { url, body }: FloorOrder): Promise<void> => {
  const { origin, pathname } = new URL(url);
  const response = await agent.request({ origin, path: pathname, method: 'POST', headers: headersOf(body), body });
  await response.body.dump();
};

process.on('message', async (order: FloorOrder) => {
  const agent = new Agent({ pipelining: 1 });
  const started = performance.now();
  const end = started + order.seconds * 1000;
  let answered = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < end) {
      await post(agent, order);
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: order.connections }, loop));
  const seconds = (performance.now() - started) / 1000;
  await agent.close();
  process.send?.({ perSecond: answered / seconds });
});
process.once('disconnect', () => process.exit(0));
