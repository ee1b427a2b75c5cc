import { concatHex, type Hex, hexOf, hexSize } from '@florin/evm/hex';

/** A call of a contract's view. */
export type ViewCall = { to: Hex; data: Hex };

/** Calls in one query: up to 220 bytes of code each, of which a node runs at most 49,152 (EIP-3860), and 160 of results, of which it returns 24,576 (EIP-170). */
export const MAX_VIEWS = 150;

/** Gas limit of the whole query: below the limit of a transaction (EIP-7825), which some nodes apply to calls as well. */
export const VIEWS_GAS = 16_000_000;

const WORD_BYTES = 32;

/** The longest input: a selector and four words. */
const MAX_INPUT_BYTES = 4 + 4 * WORD_BYTES;

/** Place of the first result in memory, after the input. */
const RESULTS = 5 * WORD_BYTES;

/** The longest result. */
const MAX_RESULT_BYTES = 4 * WORD_BYTES;

const PLACE_BYTES = WORD_BYTES + MAX_RESULT_BYTES;

export const fitsView = ({ data }: ViewCall): boolean => hexSize(data) <= MAX_INPUT_BYTES;

/** Stores the input word by word. */
const inputOf = (data: Hex): Hex[] =>
  (data.slice(2).match(/.{1,64}/g) ?? []).flatMap((word, index): Hex[] => [
    '0x7f',
    `0x${word.padEnd(2 * WORD_BYTES, '0')}`,
    '0x60',
    hexOf(WORD_BYTES * index, 1),
    '0x52',
  ]);

/** Calls one contract, and stores the length of the result, plus one, and the result. */
const codeOf = ({ to, data }: ViewCall, index: number, gas: number): Hex[] => {
  const at = RESULTS + PLACE_BYTES * index;
  return [
    ...inputOf(data),
    // staticcall(gas, to, 0, size of the input, at + 32, MAX_RESULT_BYTES)
    '0x60',
    hexOf(MAX_RESULT_BYTES, 1),
    '0x62',
    hexOf(at + WORD_BYTES, 3),
    '0x60',
    hexOf(hexSize(data), 1),
    '0x600073',
    to,
    '0x62',
    hexOf(gas, 3),
    '0xfa',
    // mstore(at, success * (returndatasize() + 1))
    '0x3d6001010262',
    hexOf(at, 3),
    '0x52',
  ];
};

/**
 * Builds code for an `eth_call` without a recipient that calls many views in one query, so that no contract for it has to be deployed.
 * @param views at most MAX_VIEWS, each of which fits (`fitsView`)
 * @param gas limit of each call: a contract that anybody may have deployed must not use up that of the others
 */
export const viewsCall = (views: readonly ViewCall[], gas: number): Hex => {
  const end: Hex[] = ['0x62', hexOf(PLACE_BYTES * views.length, 3), '0x60', hexOf(RESULTS, 1), '0xf3'];
  return concatHex([...views.flatMap((view, index) => codeOf(view, index, gas)), ...end]);
};

/**
 * Reads the result of `viewsCall`: what each view returned, undefined when it failed or returned more than four words.
 * @returns undefined when the result has another form: the node does not run code without a recipient
 */
export const readViews = (views: readonly ViewCall[], result: Hex): (Hex | undefined)[] | undefined => {
  if (hexSize(result) !== PLACE_BYTES * views.length) return undefined;
  return views.map((_view, index): Hex | undefined => {
    const start = 2 + 2 * PLACE_BYTES * index;
    const from = start + 2 * WORD_BYTES;
    const bytes = BigInt(`0x${result.slice(start, from)}`) - 1n;
    return bytes < 0n || bytes > MAX_RESULT_BYTES ? undefined : `0x${result.slice(from, from + 2 * Number(bytes))}`;
  });
};
