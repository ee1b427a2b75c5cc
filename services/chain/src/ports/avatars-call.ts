import { concatHex, type Hex, hexOf } from '@florin/evm/hex';

/** Modules of one call: 150 bytes of code each, of which a node runs at most 49,152 (EIP-3860). */
export const MAX_MODULES = 100;

/** Gas limit of each call to a contract, which anybody may have deployed. */
const CONTRACT_GAS = 60_000;

/** Gas limit of the whole call. */
export const AVATARS_GAS = 16_000_000;

/** Offset of the first result: four words per module. */
const RESULTS = 0x40;

const WORD_BYTES = 32;
const WORDS = 4;

/** `mstore(0, selector)`, left-aligned. */
const prepare = (selector: Hex): Hex[] => ['0x63', selector, '0x60e01b600052'];

const place = (value: number): Hex => hexOf(value, 3);

/** Asks a module for its avatar, and the avatar whether it has enabled the module; stores for both whether it returned a word, and the word. */
const codeOf = (module: Hex, index: number): Hex[] => {
  const at = RESULTS + WORDS * WORD_BYTES * index;
  const [avatarOk, avatar, enabledOk, enabled] = [at, at + 32, at + 64, at + 96].map(place) as [Hex, Hex, Hex, Hex];
  const gas: Hex[] = ['0x62', hexOf(CONTRACT_GAS, 3), '0xfa'];
  // mstore(at, success & (31 < returndatasize()))
  const isWord = (to: Hex): Hex[] => ['0x3d601f101662', to, '0x52'];
  return [
    // staticcall(gas, module, 0, 4, avatar, 32) with avatar()
    ...prepare('0x5aef7de6'),
    '0x602062',
    avatar,
    '0x6004600073',
    module,
    ...gas,
    ...isWord(avatarOk),
    // staticcall(gas, mload(avatar), 0, 36, enabled, 32) with isModuleEnabled(module)
    ...prepare('0x2d9ad53d'),
    '0x73',
    module,
    '0x600452',
    '0x602062',
    enabled,
    '0x6024600062',
    avatar,
    '0x51',
    ...gas,
    ...isWord(enabledOk),
  ];
};

/**
 * Builds code for an `eth_call` without a recipient that finds out whose modules some contracts are. Every behaviour of these contracts is a result, and
 * every error is the node's.
 * @param modules at most MAX_MODULES
 */
export const avatarsCall = (modules: readonly Hex[]): Hex => {
  const end: Hex[] = ['0x62', place(WORDS * WORD_BYTES * modules.length), '0x60', hexOf(RESULTS, 1), '0xf3'];
  return concatHex([...modules.flatMap(codeOf), ...end]);
};

/**
 * Reads the result of `avatarsCall`: for each contract the address that it is an enabled module of, undefined when it is none.
 * @throws Error when the result has another form
 */
export const readAvatars = (modules: readonly Hex[], result: Hex): (Hex | undefined)[] => {
  const words = result.slice(2).match(/.{64}/g) ?? [];
  if (result.length !== 2 + 2 * WORDS * WORD_BYTES * modules.length) throw new Error('eth_call returned a result of another length');
  return modules.map((_module, index): Hex | undefined => {
    const [avatarOk, avatar = '', enabledOk, enabled] = words.slice(WORDS * index, WORDS * (index + 1));
    const isTrue = (word: string | undefined): boolean => BigInt(`0x${word}`) === 1n;
    if (!isTrue(avatarOk) || !isTrue(enabledOk) || !isTrue(enabled)) return undefined;
    return /^0{24}/.test(avatar) ? `0x${avatar.slice(24)}` : undefined;
  });
};
