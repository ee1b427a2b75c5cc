import { hexOf, word } from './abi.ts';
import { type ChainNode, callView, listAt, wordsOf } from './chain-node.ts';

/** Head of the linked lists in which a Safe keeps its owners and modules, and a module its users. */
export const SENTINEL = '1';

/** Selectors, by the signatures of their functions. */
const GET_OWNERS = '0xa0e67e2b'; // getOwners()
const GET_MODULES = '0xcc2f8452'; // getModulesPaginated(address,uint256), of a Safe and of a module
/** Of the Delay module 1.0.1. */
const TX_NONCE = '0xc66323e5'; // txNonce()
const QUEUE_NONCE = '0xde8dd91d'; // queueNonce()
const TX_CREATED_AT = '0x3aa76906'; // getTxCreatedAt(uint256)

const MAX_MODULES = 50;

export const numberOf = async (node: ChainNode, to: string, data: string): Promise<number> =>
  Number(BigInt(await callView(node, to, data)));

const listOf = async (node: ChainNode, to: string, data: string): Promise<string[]> => listAt(wordsOf(await callView(node, to, data)), 0);

export const ownersOf = (node: ChainNode, safe: string): Promise<string[]> => listOf(node, safe, GET_OWNERS);

/** The modules of a Safe, or the users of a module. */
export const modulesOf = (node: ChainNode, at: string): Promise<string[]> =>
  listOf(node, at, GET_MODULES + word(SENTINEL) + word(hexOf(MAX_MODULES)));

/** The numbers of the next request of a Delay module, and of the one that will be requested next: the same if none waits. */
export const queueOf = async (node: ChainNode, module: string): Promise<{ next: number; end: number }> => ({
  next: await numberOf(node, module, TX_NONCE),
  end: await numberOf(node, module, QUEUE_NONCE),
});

/** When a request came into a Delay module's queue, in seconds since 1970. */
export const requestedAt = (node: ChainNode, module: string, number: number): Promise<number> =>
  numberOf(node, module, TX_CREATED_AT + word(hexOf(number)));

/** Time of the newest block, in seconds since 1970. */
export const newestTime = async (node: ChainNode): Promise<number> => {
  const { timestamp } = (await node.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as { timestamp: string };
  return Number(BigInt(timestamp));
};
