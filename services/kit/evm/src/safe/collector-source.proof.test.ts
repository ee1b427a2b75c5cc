import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'vitest';
import collector from '../../contracts/collector.json' with { type: 'json' };
import { itOnEvm } from '../local-chain/index.ts';

itOnEvm('the Collector is compiled from the source beside it', { timeout: 180_000 }, () => {
  const { resolve } = createRequire(new URL('../../hardhat/package.json', import.meta.url));
  const solc = createRequire(import.meta.url)(resolve('solc')) as { compile: (input: string) => string; version: () => string };
  const content = readFileSync(new URL('../../contracts/Collector.sol', import.meta.url), 'utf8');
  const settings = { ...collector.settings, outputSelection: { '*': { '*': ['evm.bytecode.object'] } } };
  const compiled = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources: { 'Collector.sol': { content } }, settings })));
  expect(solc.version()).toBe(collector.compiler);
  expect(`0x${compiled.contracts['Collector.sol'].Collector.evm.bytecode.object}`).toBe(collector.initCode);
});
