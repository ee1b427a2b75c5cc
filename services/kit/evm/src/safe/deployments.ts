import type { Address, Hex } from 'viem';

/** A contract that is used as it is deployed: at this address, with this code. */
export type PinnedContract = {
  /** EIP-55. */
  address: Address;
  /** Keccak-256 of the deployed code. */
  codeHash: Hex;
};

/** Canonical deployments of Safe 1.4.1, at the same addresses on every chain (github.com/safe-global/safe-deployments). */
export const SAFE_CONTRACTS = {
  proxyFactory: {
    address: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
    codeHash: '0x50c3cdc4074750a7a974204a716c999edd37482f907608d960b2b025ee0b3317',
  },
  /** The variant that emits events, for chains that are not traced. */
  l2Singleton: {
    address: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
    codeHash: '0xb1f926978a0f44a2c0ec8fe822418ae969bd8c3f18d61e5103100339894f81ff',
  },
  fallbackHandler: {
    address: '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
    codeHash: '0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9',
  },
  /** Calls several contracts in turn, all or nothing. Called directly, it is the caller; called by delegation, the Safe is. */
  multiSend: {
    address: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
    codeHash: '0xecd5bd14a08c5d2122379900b2f272bdf107a7e92423c10dd5fe3254386c9939',
  },
} as const satisfies Record<string, PinnedContract>;

/** Keccak-256 of the deployed code of every proxy that the factory of Safe 1.4.1 makes. */
export const SAFE_PROXY_CODE_HASH: Hex = '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c';

/** Makes the proxies of modules (Zodiac), at the same address on every chain. */
export const MODULE_PROXY_FACTORY: PinnedContract = {
  address: '0x000000000000aDdB49795b0f9bA5BC298cDda236',
  codeHash: '0x01623cbcf010a1c326230f1b2d5f48a66b440232ee49096102bc84967dc5f21e',
};

/** The Delay module 1.0.1 (Zodiac): it checks no signatures, so a flaw in checking them cannot concern it. */
export const DELAY_1_0_1: PinnedContract = {
  address: '0xd54895B1121A2eE3f37b502F507631FA1331BED6',
  codeHash: '0xc3bdb559318386f67ed2b090e13ff65e04e1b0fa967baa21bdb5f17222681bce',
};

/**
 * Modules that take forged signatures: they ignore whether the call that checks a contract's signature succeeded, so a contract that reverts with
 * the right bytes has signed.
 */
const FAULTY_MODULES: readonly { name: string; address: Address }[] = [
  { name: 'Delay 1.1.0', address: '0x01F8cabB808D7dE0dF4202D4B60C8310d2f1339b' },
  { name: 'Delay of Gnosis Pay before July 2026', address: '0x4A97E65188A950Dd4b0f21F9b5434dAeE0BBF9f5' },
  { name: 'Roles 2.1.0', address: '0x9646fDAD06d3e24444381f44362a3B0eB343D337' },
];

/** Name of a faulty module at an address; undefined when none is known there. */
export const faultyModuleAt = (address: string): string | undefined =>
  FAULTY_MODULES.find((module) => module.address.toLowerCase() === address.toLowerCase())?.name;

/** Head of the linked lists in which a Safe keeps its owners and modules, which is none of them. */
export const SENTINEL: Address = '0x0000000000000000000000000000000000000001';
