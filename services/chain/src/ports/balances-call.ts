import { concatHex, type Hex, hexOf } from '@florin/evm/hex';

/** A token's balance that is asked for. Addresses are in lower case. */
export type Holding = { contract: Hex; holder: Hex };

/** Holdings of one call: 70 bytes of code each, of which a node runs at most 49,152 (EIP-3860), and up to 40,000 gas behind a proxy. */
export const MAX_HOLDINGS = 200;

/** Gas limit of one `balanceOf`, behind a proxy as well. */
const TOKEN_GAS = 200_000;

/** Gas limit of the whole call: below the limit of a transaction (EIP-7825), which some nodes apply to calls as well. */
export const BALANCES_GAS = 16_000_000;

/** `balanceOf(address)` (EIP-20), at the start of memory; the holder follows it. */
const PREPARE: Hex = '0x6370a0823160e01b600052';

/** Offset of the first result: a word that says whether the token returned a balance, and a word with it. */
const RESULTS = 0x40;

const WORD_BYTES = 32;

/** Asks one token, and stores both words. */
const codeOf = ({ contract, holder }: Holding, index: number): Hex[] => {
  const at = RESULTS + 2 * WORD_BYTES * index;
  return [
    // mstore(4, holder)
    '0x73',
    holder,
    '0x600452',
    // staticcall(TOKEN_GAS, contract, 0, 36, at + 32, 32)
    '0x602062',
    hexOf(at + WORD_BYTES, 3),
    '0x6024600073',
    contract,
    '0x62',
    hexOf(TOKEN_GAS, 3),
    '0xfa',
    // mstore(at, success & (31 < returndatasize()))
    '0x3d601f101662',
    hexOf(at, 3),
    '0x52',
  ];
};

/**
 * Builds code for an `eth_call` without a recipient that reads many balances in one query, so that no contract for it has to be deployed. A token
 * that fails or returns nothing is told apart from a balance of zero.
 * @param holdings at most MAX_HOLDINGS
 */
export const balancesCall = (holdings: readonly Holding[]): Hex => {
  const end: Hex[] = ['0x62', hexOf(2 * WORD_BYTES * holdings.length, 3), '0x60', hexOf(RESULTS, 1), '0xf3'];
  return concatHex([PREPARE, ...holdings.flatMap(codeOf), ...end]);
};

/** Reads the result of `balancesCall`. @throws Error when the result has another form, or a token returned no balance */
export const readBalances = (holdings: readonly Holding[], result: Hex): bigint[] => {
  const words = result.slice(2).match(/.{64}/g) ?? [];
  if (result.length !== 2 + 128 * holdings.length) throw new Error('eth_call returned a result of another length');
  return holdings.map(({ contract }, index) => {
    if (BigInt(`0x${words[2 * index]}`) !== 1n) throw new Error(`the token ${contract} returned no balance`);
    return BigInt(`0x${words[2 * index + 1]}`);
  });
};
