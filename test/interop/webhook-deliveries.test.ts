import { type Receiver, startReceiver } from '@florin/events/testing/receiver';
import { createWorld, newId, type World } from '@florin/events/testing/world';
import { runStep } from '@florin/local';
import { processEnvironment } from '@florin/rpc/config';
import { waitFor } from '@florin/rpc/testing';
import { createFeedChecker, createWebhookVerifier, isEvent, type PublicJwk } from '@florin/webhooks';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pythonTools } from '../support/python.ts';

const SETUP_MS = 600_000;
const RUN_MS = 120_000;

const env = processEnvironment();

/** A delivery as it came. */
type Request = { text: string; headers: Record<string, string> };
type Endpoint = { id: string; secret: string; requests: readonly Request[] };

const receivers: Receiver[] = [];
let world: World | undefined;
let python: string | undefined;
let a: Endpoint;
let b: Endpoint;
let keys: readonly PublicJwk[];

/** The verifiers of others know no clock but the machine's. */
const overrides = { runtime: { now: () => new Date() } };

/** A partner with an endpoint, to which the events of two cards were delivered. */
const deliverTo = async (at: World, events: Awaited<ReturnType<World['start']>>): Promise<Endpoint> => {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const partnerId = `p-${newId().slice(-12)}`;
  const created = await events.webhooks.createWebhookEndpoint({ requestId: newId(), partnerId, url: receiver.url }, events.backOffice);
  const id = created.endpoint?.id ?? expect.fail('no endpoint');
  const user = at.newUser(partnerId);
  await events.feed.appendEvents({ events: [at.cardEvent(user, newId(), 1), at.cardEvent(user, newId(), 1)] }, events.card);
  // One that came late for a busy machine comes again.
  const byId = () =>
    new Map(receiver.received.map(({ body, text, headers }) => [body.id, { text, headers: headers as Record<string, string> }]));
  await waitFor('the deliveries', async () => (byId().size === 2 ? true : undefined), RUN_MS);
  const requests = [...byId().values()];
  return { id, secret: created.secret, requests };
};

beforeAll(async () => {
  python = await pythonTools(['standardwebhooks==1.1.0'], (line) => void process.stdout.write(`${line}\n`));
  const started = await createWorld({ FOLLOW_JOURNAL: 'false', WEBHOOKS_ALLOW_LOOPBACK: 'true' });
  world = started;
  const events = await started.start(overrides);
  await started.startDeliverer(overrides);
  [a, b] = await Promise.all([deliverTo(started, events), deliverTo(started, events)]);
  ({ keys } = JSON.parse((await events.webhooks.listWebhookKeys({})).jwksJson) as { keys: PublicJwk[] });
}, SETUP_MS);
afterAll(async () => {
  await world?.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

describe('a delivery of the events service', { timeout: RUN_MS }, () => {
  it('passes npm’s standardwebhooks at its endpoint, and at no other', () => {
    for (const { text, headers } of a.requests) {
      expect(new Webhook(a.secret).verify(text, headers)).toEqual(JSON.parse(text));
      expect(() => new Webhook(b.secret).verify(text, headers)).toThrow('No matching signature found');
      expect(() => new Webhook(a.secret).verify(`${text} `, headers)).toThrow('No matching signature found');
    }
  });

  it('passes Python’s standardwebhooks at its endpoint, and at no other', async ({ skip }) => {
    if (python === undefined) return skip('Python’s standardwebhooks is not available');
    const script = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
def passes(secret, request):
    try:
        return Webhook(secret).verify(request["text"], request["headers"]) == json.loads(request["text"])
    except WebhookVerificationError:
        return False
print(json.dumps([[passes(secret, request) for secret in given["secrets"]] for request in given["requests"]]))`;
    const input = JSON.stringify({ secrets: [a.secret, b.secret], requests: a.requests });
    const output = await runStep({ command: `${python}/python`, args: ['-c', script], env, input, timeoutMs: RUN_MS });
    expect(JSON.parse(output)).toEqual(a.requests.map(() => [true, false]));
  });

  it('passes @florin/webhooks by the secret and by the published keys, and proves its place', async () => {
    const { id: endpointId, secret } = a;
    for (const verify of [createWebhookVerifier({ secrets: [secret] }), createWebhookVerifier({ keys, endpointId })]) {
      const messages = await Promise.all(a.requests.map(async ({ text, headers }) => (await verify(text, headers)).message));
      const checker = createFeedChecker();
      for (const event of messages.filter(isEvent)) expect(checker.take(event)).toBe('new');
      expect(checker.completeTo()).toBe(2);
    }
  });

  it('does not pass @florin/webhooks at the endpoint of another partner', async () => {
    const byKey = createWebhookVerifier({ keys, endpointId: b.id });
    const bySecret = createWebhookVerifier({ secrets: [b.secret] });
    for (const { text, headers } of a.requests) {
      await expect(byKey(text, headers)).rejects.toMatchObject({ code: 'ENDPOINT_MISMATCH' });
      await expect(bySecret(text, headers)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
      await expect(byKey(text.replaceAll(a.id, b.id), headers)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    }
    for (const { text, headers } of b.requests) await expect(byKey(text, headers)).resolves.toMatchObject({ id: headers['webhook-id'] });
  });
});
