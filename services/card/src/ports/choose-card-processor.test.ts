import { ConfigError } from '@florin/rpc/config';
import { describe, expect, it } from 'vitest';
import { chooseCardProcessor } from './choose-card-processor.ts';

const numbers = {} as Parameters<typeof chooseCardProcessor>[1]['numbers'];
const key = new Uint8Array(32);
type Settings = Partial<Parameters<typeof chooseCardProcessor>[0]>;
const BRIDGE: Settings = { PROCESSOR: 'http', PROCESSOR_URL: 'https://bridge.example/florin', PROCESSOR_SECRET: [key] };

const choose = (settings: Settings) =>
  chooseCardProcessor(
    { SANDBOX: true, PROCESSOR: undefined, PROCESSOR_URL: undefined, PROCESSOR_SECRET: undefined, ...settings },
    { numbers, now: () => new Date(), defer: () => undefined },
  );

describe('the choice of the processor', () => {
  it.each<[string, Settings]>([
    ['the sandbox alone', {}],
    ['a bridge in the sandbox', { ...BRIDGE, PROCESSOR_URL: 'http://bridge.internal/' }],
    ['a bridge outside the sandbox', { ...BRIDGE, SANDBOX: false }],
    ['a bridge on the same machine', { ...BRIDGE, SANDBOX: false, PROCESSOR_URL: 'http://127.0.0.1:9000/' }],
    ['the bridge as default outside the sandbox', { ...BRIDGE, SANDBOX: false, PROCESSOR: undefined }],
  ])('accepts %s', (_case, settings) => {
    expect(choose(settings)).toMatchObject({ issueCard: expect.any(Function) });
  });

  it.each<[string, Settings]>([
    ['PROCESSOR', { SANDBOX: false, PROCESSOR: 'sandbox' }],
    ['PROCESSOR_URL', { SANDBOX: false }],
    ['PROCESSOR_URL', { ...BRIDGE, PROCESSOR_URL: undefined }],
    ['PROCESSOR_SECRET', { ...BRIDGE, PROCESSOR_SECRET: undefined }],
    ['PROCESSOR_URL', { ...BRIDGE, SANDBOX: false, PROCESSOR_URL: 'http://bridge.internal/' }],
  ])('names %s in the error', (name, settings) => {
    expect(() => choose(settings)).toThrow(ConfigError);
    expect(() => choose(settings)).toThrow(new RegExp(`^${name}: `));
  });
});
