import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealer } from './crypto.ts';

describe('createSealer', () => {
  const sealer = createSealer(randomBytes(32));

  it('opens what it sealed, in the same context only', async () => {
    const sealed = await sealer.seal('text \u{1f512}', 'here');
    expect(await sealer.open(sealed, 'here')).toBe('text \u{1f512}');
    await expect(sealer.open(sealed, 'there')).rejects.toThrow();
  });

  it('seals the same text differently each time', async () => {
    expect(await sealer.seal('text', 'here')).not.toBe(await sealer.seal('text', 'here'));
  });

  it('rejects another key', async () => {
    const sealed = await sealer.seal('text', 'here');
    await expect(createSealer(randomBytes(32)).open(sealed, 'here')).rejects.toThrow();
  });

  it('rejects a change of any byte', async () => {
    const sealed = await sealer.seal('text', 'here');
    const parts = sealed.split('.');
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url');
      for (let at = 0; at < bytes.length; at += 1) {
        const touched = Buffer.from(bytes);
        touched[at] = (touched[at] ?? 0) ^ 1;
        const changed = parts.with(index, touched.toString('base64url')).join('.');
        await expect(sealer.open(changed, 'here')).rejects.toThrow();
      }
    }
  });

  it('rejects a text that is not encrypted directly with AES-256-GCM', async () => {
    const header = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A128CBC-HS256', context: 'here' })).toString('base64url');
    const [, ...rest] = (await sealer.seal('text', 'here')).split('.');
    await expect(sealer.open([header, ...rest].join('.'), 'here')).rejects.toThrow();
  });
});
