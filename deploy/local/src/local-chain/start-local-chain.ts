import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Assets, assetsSchema, DEFAULT_ASSETS } from '@florin/rpc/assets';
import type { Address, Hex } from 'viem';
import { ConfigError } from '../config.ts';
import type { DataDir } from '../data-dir.ts';
import { writeOnce } from '../files/atomic-file.ts';
import { freePort, isPortFree } from '../free-port.ts';
import type { Report } from '../report.ts';
import type { Supervisor } from '../supervisor.ts';
import { prepareEvm } from './prepare-evm.ts';
import type { ChainNodeArguments } from './serve.ts';

/** The port on which wallets look for a local chain. */
const DEFAULT_PORT = 8545;

/** The second account of Hardhat's nodes, whose key everyone knows: the operator's treasury of a chain of nobody. */
const TREASURY: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Most that is collected of a token from a Safe in a day, in whole units. */
const MOST_A_DAY = 5000n;

const PROBE_MS = 2_000;
/** A chain with the changes of months is made again. */
const READY_MS = 300_000;

export type LocalChain = {
  /** JSON-RPC. */
  url: string;
  /** The environment with which the services use the chain. Given values win. */
  env: NodeJS.ProcessEnv;
};

type Circumstances = { dataDir: DataDir; supervisor: Supervisor; env: NodeJS.ProcessEnv; port: number | undefined; report: Report };

const assetsOf = (env: NodeJS.ProcessEnv): Assets => {
  const parsed = assetsSchema.safeParse(env['ASSETS'] === undefined || env['ASSETS'] === '' ? DEFAULT_ASSETS : JSON.parse(env['ASSETS']));
  if (!parsed.success) throw new ConfigError(`ASSETS: ${parsed.error.issues[0]?.message ?? 'is not valid'}`);
  return parsed.data;
};

/** Writes a private key (secp256k1) unless the file exists, and returns its address. */
const ensureKey = async (file: string): Promise<Address> => {
  // The first byte keeps the number above zero and below the order of the curve.
  if (!existsSync(file)) writeOnce(file, `0x7f${randomBytes(31).toString('hex')}`);
  const { privateKeyToAddress } = await import('viem/accounts');
  return privateKeyToAddress(readFileSync(file, 'utf8').trim() as Hex);
};

const isReady = async (url: string): Promise<boolean> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const signal = AbortSignal.timeout(PROBE_MS);
  return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })).ok;
};

const choosePort = async (wanted: number | undefined, report: Report): Promise<number> => {
  if (wanted !== undefined && wanted !== 0) return wanted;
  if (wanted === undefined && (await isPortFree(DEFAULT_PORT))) return DEFAULT_PORT;
  const port = await freePort();
  if (wanted === undefined)
    report(`port ${DEFAULT_PORT} (the local chain) is in use; using port ${port} instead (CHAIN_NODE_PORT sets another one)`);
  return port;
};

/**
 * Starts the chain of `CHAIN=local`: an EVM with Safe 1.4.1, the Delay module, the Collector, the tokens of ASSETS and a faucet. Its state is in the data directory.
 * @throws ConfigError when Hardhat cannot be installed, ProcessStartError
 */
export const startLocalChain = async ({ dataDir, supervisor, env, port: wanted, report }: Circumstances): Promise<LocalChain> => {
  if (!(await prepareEvm(env, report)))
    throw new ConfigError('CHAIN=local needs Hardhat, which could not be installed. Unset CHAIN to start without a chain.');
  const assets = assetsOf(env);
  const { chainId } = assets.accounts;
  const tokens = assets.tokens.flatMap(({ symbol, decimals, address, chainId: on }) =>
    address === undefined || on !== chainId ? [] : [{ symbol, decimals, address: address as Address }],
  );
  const [relayerFile, cosignerFile] = ['chain-relayer.key', 'chain-cosigner.key'].map((name) => join(dataDir.keysDir, name)) as [
    string,
    string,
  ];
  const [relayer, platformOwner] = [await ensureKey(relayerFile), await ensureKey(cosignerFile)];
  const directory = dataDir.engine('chain');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const port = await choosePort(wanted, report);
  const url = `http://127.0.0.1:${port}`;
  const given: ChainNodeArguments = { file: join(directory, 'journal.jsonl'), port, chainId, tokens, relayer };
  report('starting the local chain');
  await supervisor.start({
    name: 'chain-node',
    tier: 0,
    command: process.execPath,
    args: [join(import.meta.dirname, 'serve.ts'), JSON.stringify(given)],
    env,
    ipc: true,
    isReady: () => isReady(url),
    readyTimeoutMs: READY_MS,
  });
  const unitsOf = (units: bigint) =>
    Object.fromEntries(tokens.map(({ symbol, decimals }) => [symbol, (units * 10n ** BigInt(decimals)).toString()]));
  const least = Object.fromEntries(tokens.map(({ symbol }) => [symbol, '1']));
  return {
    url,
    env: {
      CHAIN_RPC_URLS: JSON.stringify({ [chainId]: url }),
      CHAIN_RELAYER_KEY_FILE: relayerFile,
      CHAIN_COSIGNER_KEY_FILE: cosignerFile,
      SAFE_PLATFORM_OWNER: platformOwner,
      CHAIN_COLLECTION: JSON.stringify({ treasury: TREASURY, limits: unitsOf(MOST_A_DAY), above: least }),
      CHAIN_COLLECTION_SECONDS: '2',
      CHAIN_POLL_MS: '500',
      ...env,
    },
  };
};
