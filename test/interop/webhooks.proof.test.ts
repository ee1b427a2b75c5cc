import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleScript } from '@florin/image';
import { runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { createWebhookVerifier } from '@florin/webhooks';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, servePage } from '../support/browser.ts';
import { pythonTools } from '../support/python.ts';
import { findRuntimes, RUNTIME_NAMES, type Runtime } from '../support/runtimes.ts';

const INSTALL_MS = 600_000;
const RUN_MS = 120_000;

const report = (line: string) => void process.stdout.write(`${line}\n`);
const env = processEnvironment();

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const BODIES = ['{"type":"payment.cleared","data":{"status":"settled"}}', '{"type":"note","text":"Zürich, 5 €","endpointId":"we_1"}'];

let folder: string;
let python: string | undefined;
let runtimes: ReadonlyMap<string, Runtime>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'florin-webhooks-'));
  [python, runtimes] = await Promise.all([pythonTools(['standardwebhooks==1.1.0'], report), findRuntimes(report)]);
}, INSTALL_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const seconds = (): number => Math.floor(Date.now() / 1000);

const headersOf = (signature: string, at: number) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
});

describe('the verifier of @florin/webhooks', () => {
  it('accepts what npm’s standardwebhooks signs', async () => {
    const verify = createWebhookVerifier({ secrets: [SECRET] });
    for (const body of BODIES) {
      const at = seconds();
      const signature = new Webhook(SECRET).sign('msg_1', new Date(at * 1000), body);
      expect((await verify(body, headersOf(signature, at))).message).toEqual(JSON.parse(body));
    }
  });

  it('accepts what Python’s standardwebhooks signs', { timeout: RUN_MS }, async ({ skip }) => {
    if (python === undefined) return skip('Python’s standardwebhooks is not available');
    const script = `
import json, sys
from datetime import datetime, timezone
from standardwebhooks.webhooks import Webhook
given = json.load(sys.stdin)
at = datetime.fromtimestamp(given["at"], tz=timezone.utc)
print(json.dumps([Webhook(given["secret"]).sign("msg_1", at, body) for body in given["bodies"]]))`;
    const at = seconds();
    const input = JSON.stringify({ secret: SECRET, at, bodies: BODIES });
    const output = await runStep({ command: join(python, 'python'), args: ['-c', script], env, input, timeoutMs: RUN_MS });
    const signatures = JSON.parse(output) as string[];
    const verify = createWebhookVerifier({ secrets: [SECRET], toleranceSeconds: 3600 });
    for (const [index, body] of BODIES.entries()) {
      expect((await verify(body, headersOf(signatures[index] ?? '', at))).message).toEqual(JSON.parse(body));
    }
  });
});

/** Uses the package in any runtime: each entry is the outcome of one delivery, or of the checker. */
const CHECK = `async ({ createFeedChecker, createWebhookVerifier }, { secret, jwk, endpointId, body, at, v1, v1a }) => {
  const now = () => at * 1000;
  const outcome = (verify, signature, text = body) =>
    verify(text, new Headers({ 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signature })).then(
      ({ message }) => message.type, ({ code }) => code);
  const byBoth = createWebhookVerifier({ secrets: [secret], keys: [jwk], endpointId, now });
  const byKey = createWebhookVerifier({ keys: [jwk], endpointId, now });
  const byOther = createWebhookVerifier({ keys: [jwk], endpointId: 'other', now });
  const checker = createFeedChecker();
  const event = (sequence) => ({ id: String(sequence), subject: 'card/1', subjectSequence: sequence, sequence, previousSequence: sequence - 1 });
  return [
    await outcome(byBoth, v1), await outcome(byBoth, v1a), await outcome(byKey, v1a),
    await outcome(byKey, v1), await outcome(byOther, v1a), await outcome(byBoth, v1 + ' ' + v1a, body + ' '),
    checker.take(event(2)), checker.take(event(1)), checker.completeTo(),
  ];
}`;
const EXPECTED = ['note', 'note', 'note', 'SIGNATURE_INVALID', 'ENDPOINT_MISMATCH', 'SIGNATURE_INVALID', 'new', 'late', 2];

/** A delivery that is signed in both ways, as JSON. */
const given = (): string => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const [at, body] = [seconds(), BODIES[1] ?? ''];
  const v1 = new Webhook(SECRET).sign('msg_1', new Date(at * 1000), body);
  const v1a = `v1a,${sign(null, Buffer.from(`msg_1.${at}.${body}`), privateKey).toString('base64')}`;
  return JSON.stringify({ secret: SECRET, jwk: publicKey.export({ format: 'jwk' }), endpointId: 'we_1', body, at, v1, v1a });
};

const bundle = () => bundleScript(createRequire(import.meta.url).resolve('@florin/webhooks'));

describe('@florin/webhooks', { timeout: RUN_MS }, () => {
  it.for(RUNTIME_NAMES)('runs in %s', async (name, { skip }) => {
    const runtime = runtimes.get(name);
    if (runtime === undefined) return skip(`${name} is not available`);
    const { command, args } = runtime;
    await writeFile(join(folder, 'webhooks.mjs'), await bundle());
    const script = join(folder, `check-${name}.mjs`);
    await writeFile(
      script,
      `import * as webhooks from './webhooks.mjs';\nconsole.log(JSON.stringify(await (${CHECK})(webhooks, ${given()})));\n`,
    );
    const output = await runStep({ command, args: [...args, script], env, cwd: folder, timeoutMs: RUN_MS });
    expect(JSON.parse(output)).toEqual(EXPECTED);
  });

  it('runs in Chromium', async ({ skip }) => {
    const browser = await openBrowser(report);
    if (browser === undefined) return skip('Chromium is not available');
    const pages = await servePage();
    try {
      const page = await browser.newPage();
      await page.goto(`http://localhost:${pages.port}/`);
      const source = `data:text/javascript;base64,${Buffer.from(await bundle()).toString('base64')}`;
      const seen = await page.evaluate(`import(${JSON.stringify(source)}).then((webhooks) => (${CHECK})(webhooks, ${given()}))`);
      expect(seen).toEqual(EXPECTED);
    } finally {
      pages.close();
      await browser.close();
    }
  });
});
