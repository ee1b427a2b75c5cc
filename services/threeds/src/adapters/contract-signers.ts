import { CodedError } from '@florin/kit/errors';
import type { Address, Hex } from 'viem';
import { acceptedByContract, CALL_GAS, contractSignatureCall } from '../domain/contract-signature-call.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';

export type ContractQuestion = { chainId: number; contract: Address; signature: Hex };

/** Asks contracts whether they accept a signature (EIP-1271). */
export type ContractSigners = {
  /** Whether there is a node of this chain to ask. */
  serves: (chainId: number) => boolean;
  /**
   * Which of some digests the contract accepts the signature for, all asked at one block: the newest when the check began.
   * @returns undefined when it accepts none, whatever it does instead, or has no code
   * @throws CodedError SERVICE_UNAVAILABLE when the node is away, slow, wrong, behind or of another chain: never a yes, never a no
   */
  findAccepted: (question: ContractQuestion, digests: readonly Hex[]) => Promise<{ digest: Hex; blockNumber: number } | undefined>;
  /**
   * The same for one digest at a block of the past; the node must still have its state.
   * @throws CodedError SERVICE_UNAVAILABLE
   */
  acceptedAt: (question: ContractQuestion, digest: Hex, blockNumber: number) => Promise<boolean>;
};

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,12})$/;

const quantity = (answer: unknown): number => {
  if (typeof answer !== 'string' || !QUANTITY.test(answer)) throw new Error('the node answered no quantity');
  return Number(answer);
};

type Block = { number: number; at: number };

/** The newest block that a node has. @throws Error when it is older than `oldest`: whoever was an owner then may be none any more */
const newestBlock = async (node: JsonRpc, signal: AbortSignal, oldest: number): Promise<Block> => {
  const block = (await node('eth_getBlockByNumber', ['latest', false], signal)) as { number?: unknown; timestamp?: unknown } | null;
  const found = { number: quantity(block?.number), at: quantity(block?.timestamp) * 1000 };
  if (found.at < oldest) throw new Error(`the node's newest block is of ${new Date(found.at).toISOString()}`);
  return found;
};

export type ContractSignersOptions = {
  /** Nodes by EIP-155 chain id. */
  urls: Readonly<Record<string, string>>;
  /** Bounds a whole check, however many questions it takes. */
  timeoutMs: number;
  /** A node whose newest block is older does not know the chain as it is. */
  maxAgeMs: number;
  now: () => Date;
};

export const createContractSigners = ({ urls, timeoutMs, maxAgeMs, now }: ContractSignersOptions): ContractSigners => {
  const nodes = new Map(Object.entries(urls).map(([chainId, url]) => [Number(chainId), createJsonRpc(url)]));
  const proven = new Set<number>();

  /** A node of another chain knows other contracts at the same addresses: what it says means nothing here. */
  const requireChain = async (node: JsonRpc, chainId: number, signal: AbortSignal): Promise<void> => {
    if (proven.has(chainId)) return;
    const actual = quantity(await node('eth_chainId', [], signal));
    if (actual !== chainId) throw new Error(`the node configured for chain ${chainId} is of chain ${actual}`);
    proven.add(chainId);
  };

  const check = async <T>(chainId: number, work: (node: JsonRpc, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const node = nodes.get(chainId);
      if (node === undefined) throw new Error(`no node of chain ${chainId} is configured`);
      await requireChain(node, chainId, signal);
      return await work(node, signal);
    } catch (cause) {
      throw new CodedError('SERVICE_UNAVAILABLE', { cause });
    }
  };

  const ask = async (node: JsonRpc, signal: AbortSignal, { contract, signature }: ContractQuestion, digest: Hex, blockNumber: number) => {
    const call = { data: contractSignatureCall(contract, digest, signature), gas: `0x${CALL_GAS.toString(16)}` };
    return acceptedByContract(await node('eth_call', [call, `0x${blockNumber.toString(16)}`], signal));
  };

  return {
    serves: (chainId) => nodes.has(chainId),

    findAccepted: (question, digests) =>
      check(question.chainId, async (node, signal) => {
        const { number: blockNumber } = await newestBlock(node, signal, now().getTime() - maxAgeMs);
        // All or nothing: of a node that fails on one of them nothing is believed.
        const accepted = await Promise.all(digests.map((digest) => ask(node, signal, question, digest, blockNumber)));
        const digest = digests[accepted.indexOf(true)];
        return digest === undefined ? undefined : { digest, blockNumber };
      }),

    acceptedAt: (question, digest, blockNumber) =>
      check(question.chainId, (node, signal) => ask(node, signal, question, digest, blockNumber)),
  };
};
