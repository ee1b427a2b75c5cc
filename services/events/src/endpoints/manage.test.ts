import { systemRuntime } from '@florin/rpc/runtime';
import { describe, expect, it } from 'vitest';
import { NO_ENDPOINTS } from '../domain/webhooks/endpoint.ts';
import type { ChangeEndpoints } from './change.ts';
import { createManageEndpoints } from './manage.ts';

/** The endpoints of one partner, with a store that can lose the answer to a write which it has applied. */
const newScene = () => {
  const texts = new Map<string, string>();
  let stored = NO_ENDPOINTS('acme');
  let losesAnswer = false;
  const change: ChangeEndpoints = async (_feed, make) => {
    const before = stored;
    const after = make(before);
    stored = after;
    if (losesAnswer) {
      losesAnswer = false;
      throw new Error('the answer was lost');
    }
    return { before, after };
  };
  const secrets = {
    insert: async (id: string, _endpointId: string, text: string) => void texts.set(id, text),
    ids: async () => [...texts.keys()],
    find: async (ids: readonly string[]) => new Map(ids.flatMap((id) => (texts.has(id) ? [[id, texts.get(id) ?? '']] : []))),
    remove: async (ids: readonly string[]) => {
      for (const id of ids) texts.delete(id);
    },
    removeOf: async () => undefined,
  };
  const cipher = { hash: (_domain: string, text: string) => text };
  return {
    texts,
    endpoints: createManageEndpoints({ change, secrets, cipher, runtime: systemRuntime }),
    loseAnswer: () => {
      losesAnswer = true;
    },
  };
};

const SETTINGS = { url: 'https://hooks.acme.com/', types: [], description: '', contactEmail: 'ops@acme.com' };

describe('the secret of an endpoint', () => {
  it('is kept when the answer to the write that refers to it is lost, and a repeat returns it', async () => {
    const { endpoints, loseAnswer } = newScene();
    const input = { ...SETTINGS, requestId: 'first', secret: '', after: '', startAfter: 0 };
    loseAnswer();
    await expect(endpoints.create('acme', input)).rejects.toThrow('the answer was lost');
    const { endpoint, secret } = await endpoints.create('acme', input);
    expect(secret).toMatch(/^whsec_/);
    expect([...(await endpoints.contactsOf([endpoint])).values()]).toEqual(['ops@acme.com']);
    const rotation = { requestId: 'second', secret: '' };
    loseAnswer();
    await expect(endpoints.rotate('acme', endpoint.id, rotation)).rejects.toThrow('the answer was lost');
    const rotated = await endpoints.rotate('acme', endpoint.id, rotation);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
  });

  it('is deleted when the call is rejected', async () => {
    const { endpoints, texts } = newScene();
    const input = { ...SETTINGS, requestId: 'first', secret: '', after: '', startAfter: 0 };
    await endpoints.create('acme', input);
    const kept = [...texts.keys()];
    await expect(endpoints.create('acme', { ...input, url: 'https://other.acme.com/' })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect([...texts.keys()]).toEqual(kept);
  });
});
