import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import artifact from '@safe-global/safe-contracts/build/artifacts/contracts/test/ERC20Token.sol/ERC20Token.json' with { type: 'json' };
import { type Address, encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, keccak256, maxUint256, toHex } from 'viem';
import { COLLECTOR, COLLECTOR_ABI } from '../safe/index.ts';
import { loadHardhat } from './hardhat.ts';
import { installCollector } from './install-collector.ts';
import { installModules } from './install-modules.ts';
import { installSafe } from './install-safe.ts';

/** A token of the chain (EIP-20). The faucet has all of it. */
export type KeptToken = { symbol: string; decimals: number; address: Address };

type Call = { from: Address; to: Address; data?: Hex; value?: Hex };

/** A change of the chain: a signed transaction, a call by an account of the node, or an empty block. */
type Change = { raw: Hex } | { call: Call } | { empty: true };

/** A line of the journal: a change, the timestamp of its block, and the block before it. */
type Line = Change & { at: number; parent: Hex };

/** The first line of the journal. Everything else follows from it and from the changes. */
type Head = { format: typeof FORMAT; chainId: number; startedAt: number; tokens: readonly KeptToken[] };

type Newest = { hash: Hex; timestamp: number };

const FORMAT = 'florin-local-chain-1';

/** Whole units that the faucet has of each token. */
const SUPPLY = 10n ** 12n;

const GAS = '0x7a1200';

/** Raised when the journal does not lead to the blocks that it led to before. */
export class ChainJournalError extends Error {
  override readonly name = 'ChainJournalError';
}

const textOf = (text: string): Hex => `0x${toHex(text).slice(2).padEnd(62, '0')}${(text.length * 2).toString(16).padStart(2, '0')}`;
const word = (value: bigint | Address): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

/**
 * A chain that survives its process: Hardhat's, with Safe 1.4.1, the Delay module, the Collector and tokens at their canonical addresses, two accounts of its own (a faucet and a
 * treasury), and a journal of everything that changed it. A change is in the journal before it is made, and a start makes all of them again. The blocks are the same then, hashes included:
 * they follow from the changes and their times. Each transaction is in a block at once, and each block is final.
 */
export class KeptChain {
  readonly faucet: Address;
  readonly treasury: Address;
  readonly tokens: readonly KeptToken[];
  readonly #rpc: <T>(method: string, params?: readonly unknown[]) => Promise<T>;
  readonly #journal: FileHandle;
  #newest: Newest;
  #last: Promise<unknown> = Promise.resolve();
  #failure: ChainJournalError | undefined;

  private constructor(rpc: KeptChain['read'], journal: FileHandle, head: Head, accounts: readonly Address[], newest: Newest) {
    const [faucet, treasury] = accounts;
    if (faucet === undefined || treasury === undefined) throw new Error('the node has no accounts');
    [this.faucet, this.treasury, this.tokens] = [faucet, treasury, head.tokens];
    [this.#rpc, this.#journal, this.#newest] = [rpc, journal, newest];
  }

  /**
   * Opens the chain of a journal, or begins one.
   * @param tokens those of a chain that begins; a journal keeps its own
   * @throws ChainJournalError when the journal is that of another chain, or leads to other blocks than before: another release of Hardhat may make them differently
   */
  static async open(file: string, { chainId, tokens }: Pick<Head, 'chainId' | 'tokens'>): Promise<KeptChain> {
    const { head: found, lines, length } = parse(await readOrNothing(file));
    // A line that a kill has cut was not carried out.
    if (found !== undefined) await truncate(file, length);
    const head = found ?? { format: FORMAT, chainId, startedAt: Math.floor(Date.now() / 1000) - 3600, tokens };
    if (head.format !== FORMAT || head.chainId !== chainId) throw new ChainJournalError(`${file} is the journal of another chain`);
    const journal = await open(file, found === undefined ? 'w' : 'a', 0o600);
    if (found === undefined) await append(journal, head);
    const rpc = await startNode(head);
    const accounts = await rpc<Address[]>('eth_accounts');
    await makeGenesis(rpc, head, accounts);
    const chain = new KeptChain(rpc, journal, head, accounts, await newestOf(rpc));
    for (const [index, line] of lines.entries()) {
      if (line.parent !== chain.#newest.hash)
        throw new ChainJournalError(
          `${file}, line ${index + 2}: the chain cannot be made again from its journal; remove the data directory to begin another one`,
        );
      await chain.#apply(line).catch(() => undefined);
    }
    return chain;
  }

  /** Asks the node what changes nothing. */
  read<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    return this.#rpc<T>(method, params);
  }

  /** Takes a signed transaction. @returns its hash @throws Error when the node rejects it, or it was reverted */
  async broadcast(raw: Hex): Promise<Hex> {
    if ((await this.#rpc('eth_getTransactionByHash', [keccak256(raw)])) !== null) throw new Error('already known');
    return this.#change({ raw });
  }

  /** Sends a transaction of the faucet or the treasury. @returns its hash */
  send(call: Call): Promise<Hex> {
    return this.#change({ call });
  }

  /** Makes a block without transactions. */
  async mine(): Promise<void> {
    await this.#change({ empty: true });
  }

  /** Ends the change that is being made. */
  async close(): Promise<void> {
    await this.#last;
    await this.#journal.close();
  }

  #change(change: Change): Promise<Hex> {
    const made = this.#last.then(async () => {
      const at = Math.max(Math.floor(Date.now() / 1000), this.#newest.timestamp + 1);
      const line: Line = { at, parent: this.#newest.hash, ...change };
      if (this.#failure !== undefined) throw this.#failure;
      await append(this.#journal, line).catch((error: unknown) => {
        // Half a line may be there: nothing may follow it.
        this.#failure = new ChainJournalError(`the journal cannot be written: ${String(error)}`);
        throw this.#failure;
      });
      return this.#apply(line);
    });
    this.#last = made.catch(() => undefined);
    return made;
  }

  async #apply(line: Line): Promise<Hex> {
    try {
      return await applyAt(this.#rpc, line.at, line);
    } finally {
      this.#newest = await newestOf(this.#rpc);
    }
  }
}

type Rpc = KeptChain['read'];

const applyAt = async (rpc: Rpc, at: number, change: Change): Promise<Hex> => {
  await rpc('evm_setNextBlockTimestamp', [at]);
  if ('raw' in change) return rpc<Hex>('eth_sendRawTransaction', [change.raw]);
  if ('call' in change) return rpc<Hex>('eth_sendTransaction', [{ gas: GAS, ...change.call }]);
  return rpc<Hex>('evm_mine');
};

const newestOf = async (rpc: Rpc): Promise<Newest> => {
  const { hash, timestamp } = await rpc<{ hash: Hex; timestamp: Hex }>('eth_getBlockByNumber', ['latest', false]);
  return { hash, timestamp: Number(timestamp) };
};

const readOrNothing = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
};

const append = async (journal: FileHandle, line: Head | Line): Promise<void> => {
  await journal.write(`${JSON.stringify(line)}\n`);
  await journal.datasync();
};

/** @returns also the length of the lines that are whole, in bytes */
const parse = (text: string): { head: Head | undefined; lines: readonly Line[]; length: number } => {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [head, ...lines] = whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Head | Line]));
  return { head: head as Head | undefined, lines: lines as Line[], length: Buffer.byteLength(whole) };
};

const startNode = async ({ chainId, startedAt }: Head): Promise<Rpc> => {
  const { createHardhatRuntimeEnvironment } = await loadHardhat();
  const initialDate = new Date(startedAt * 1000).toISOString();
  const node = { type: 'edr-simulated', chainType: 'l1', chainId, initialDate } as const;
  const { network } = await createHardhatRuntimeEnvironment({ networks: { node } });
  const { provider } = await network.connect('node');
  return <T>(method: string, params: readonly unknown[] = []) => provider.request({ method, params }) as Promise<T>;
};

/** Makes the contracts, and the treasury's approvals for what is returned. The same calls make the same blocks. */
const makeGenesis = async (rpc: Rpc, { startedAt, tokens }: Head, [faucet, treasury]: readonly Address[]): Promise<void> => {
  if (faucet === undefined || treasury === undefined) throw new Error('the node has no accounts');
  let at = startedAt;
  const timed = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    at += 1;
    if (method === 'eth_sendTransaction') await rpc('evm_setNextBlockTimestamp', [at]);
    return rpc<T>(method, params);
  };
  const setCode = (address: Address, code: string) => rpc('hardhat_setCode', [address, code]);
  const sendAs = (from: Address) => (to: Address, data: Hex) => timed<Hex>('eth_sendTransaction', [{ from, to, data, gas: GAS }]);
  await installSafe({ setCode });
  await installModules({ rpc: timed, setCode });
  await installCollector({ setCode, send: sendAs(faucet) });
  for (const { address, symbol, decimals } of tokens) {
    const supply = SUPPLY * 10n ** BigInt(decimals);
    const slots = new Map<Hex, Hex>([
      [keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [faucet, 0n])), word(supply)],
      [word(2n), word(supply)],
      [word(3n), textOf(symbol)],
      [word(4n), textOf(symbol)],
      [word(5n), word(BigInt(decimals))],
    ]);
    await setCode(address, artifact.deployedBytecode);
    for (const [slot, value] of slots) await rpc('hardhat_setStorageAt', [address, toHex(BigInt(slot)), value]);
    const approval = { abi: erc20Abi, functionName: 'approve', args: [COLLECTOR.address, maxUint256] } as const;
    await sendAs(treasury)(address, encodeFunctionData(approval));
  }
};

/** The call by which the treasury allows an operator to collect. */
export const encodeOperator = (operator: Address): Hex =>
  encodeFunctionData({ abi: COLLECTOR_ABI, functionName: 'setOperator', args: [operator, true] });
