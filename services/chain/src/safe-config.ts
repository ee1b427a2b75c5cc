import { type CollectionTerms, type DelaySettings, faultyModuleAt } from '@florin/evm/safe';
import { minorUnitOf } from '@florin/rpc/assets';
import { ConfigError } from '@florin/rpc/config';
import { type Address, getAddress, maxUint96, parseGwei } from 'viem';
import type { ChainConfig } from './config.ts';
import type { WithdrawalRules } from './domain/withdrawal.ts';
import type { KeySigner } from './ports/key-signer.ts';
import { createLocalKeySigner } from './ports/local-key-signer.ts';
import type { FeeLimit } from './relaying/fee-quote.ts';

/** The settings of Safes. */
export type SafeSettings = {
  /** They pay for transactions. The first one is the operator of the treasury. */
  relayers: readonly [KeySigner, ...KeySigner[]];
  /** Relayers whose keys are lost (EIP-55). */
  lostRelayers: readonly Address[];
  /** The platform's keys, that of new Safes first. */
  cosigners: readonly [KeySigner, ...KeySigner[]];
  /** Safes of the platform that these keys sign for (EIP-55). */
  platformSafes: readonly Address[];
  delay: DelaySettings;
  /** How long the exchange of a lost owner waits, and can be executed then. */
  recovery: Pick<DelaySettings, 'cooldownSeconds' | 'expirationSeconds'>;
  /** Returns the terms for collecting from new Safes on a chain; undefined: nothing is collected. */
  termsOn: (chainId: number) => CollectionTerms | undefined;
  /** Undefined: nothing is collected. */
  collection: { treasury: Address; above: ReadonlyMap<string, bigint> } | undefined;
  /** How long after a Safe was looked at for what can be netted and collected it is looked at again. */
  collectEveryMs: number;
  /** One minor unit of a token's currency in the token's smallest unit. */
  minorUnitOf: (symbol: string) => bigint;
  rules: WithdrawalRules;
  /** How long after an inspection a verified Safe is inspected again. */
  inspectEveryMs: number;
  /** Most that may pass between two inspections: a request to leave must be found long before it is executed. */
  inspectWithinMs: number;
  replaceAfterMs: number;
  feeLimit: FeeLimit;
};

/** A day, and an hour in which to collect. */
const LEAST_COOLDOWN_SECONDS = 90_000;

/** An owner who still has the key notices the request within this time: 48 hours. */
const LEAST_RECOVERY_SECONDS = 172_800;

const DEFAULT_LIMIT_UNITS = 10_000n;

/** The rules of withdrawals: without defaults in the sandbox. */
const withdrawalRules = (config: ChainConfig): WithdrawalRules => {
  const { SANDBOX, ASSETS } = config;
  const unitsOf = (units: bigint): (readonly [string, bigint])[] =>
    SANDBOX ? [] : ASSETS.tokens.map(({ symbol, decimals }) => [symbol, units * 10n ** BigInt(decimals)]);
  return {
    limits: new Map([...unitsOf(DEFAULT_LIMIT_UNITS), ...Object.entries(config.WITHDRAWAL_LIMITS)]),
    minimums: new Map([...unitsOf(1n), ...Object.entries(config.WITHDRAWAL_MINIMUMS)]),
    freezeFrom: new Map([...unitsOf(1n), ...Object.entries(config.WITHDRAWALS_FREEZE_FROM)]),
    perDay: config.WITHDRAWALS_PER_DAY ?? (SANDBOX ? 1000 : 10),
    coolingMs: (config.WITHDRAWAL_RECIPIENT_COOLING_SECONDS ?? (SANDBOX ? 0 : 86_400)) * 1000,
  };
};

/** @throws ConfigError when a limit is that of no token that can be watched, or more than the contract can count */
const collectionTerms = ({ CHAIN_COLLECTION: collection, ASSETS }: ChainConfig): SafeSettings['termsOn'] => {
  if (collection === undefined) return () => undefined;
  const { treasury } = collection;
  const limits = Object.entries(collection.limits).map(([symbol, perDay]) => {
    const token = ASSETS.tokens.find((one) => one.symbol === symbol);
    if (token?.address === undefined || perDay > maxUint96)
      throw new ConfigError(`CHAIN_COLLECTION: ${symbol} must be a token with an address, and its limit at most ${maxUint96}`);
    return { chainId: token.chainId, token: getAddress(token.address), perDay: perDay.toString() };
  });
  return (chainId) => {
    const here = limits.filter((one) => one.chainId === chainId).map(({ token, perDay }) => ({ token, perDay }));
    return here.length === 0 ? undefined : { treasury, limits: here };
  };
};

/**
 * Reads the configuration of Safes.
 * @returns undefined without keys
 * @throws ConfigError when a key is missing or is used twice, the module is known to be faulty, inspections are too rare, or an owner leaves before the next day's limit
 */
export const safeSettings = (config: ChainConfig): SafeSettings | undefined => {
  const mastercopy = config.SAFE_DELAY_MODULE;
  const faulty = faultyModuleAt(mastercopy.address);
  if (faulty !== undefined) throw new ConfigError(`SAFE_DELAY_MODULE: ${faulty} takes forged signatures, and must not be used`);
  const {
    CHAIN_RELAYER_KEY: onlyRelayer,
    CHAIN_RELAYER_KEYS: relayerKeys,
    CHAIN_COSIGNER_KEY: onlyKey,
    CHAIN_COSIGNER_KEYS: keys,
  } = config;
  if (onlyKey !== undefined && keys !== undefined) throw new ConfigError('CHAIN_COSIGNER_KEY, CHAIN_COSIGNER_KEYS: set one of them');
  if (onlyRelayer !== undefined && relayerKeys !== undefined)
    throw new ConfigError('CHAIN_RELAYER_KEY, CHAIN_RELAYER_KEYS: set one of them');
  const [relayerKey, ...moreRelayers] = relayerKeys ?? (onlyRelayer === undefined ? [] : [onlyRelayer]);
  const [first, ...others] = keys ?? (onlyKey === undefined ? [] : [onlyKey]);
  if (relayerKey === undefined && first === undefined) return undefined;
  if (relayerKey === undefined || first === undefined)
    throw new ConfigError('CHAIN_RELAYER_KEY, CHAIN_COSIGNER_KEYS: both must be set, or neither');
  // A Safe takes the sender of a transaction for an owner who has signed it.
  const all = [relayerKey, ...moreRelayers, first, ...others];
  if (new Set(all).size !== all.length) throw new ConfigError('CHAIN_RELAYER_KEYS, CHAIN_COSIGNER_KEYS: must be different keys');
  const inspectWithinMs = (config.SAFE_DELAY_COOLDOWN_SECONDS * 1000) / 2;
  const inspectEveryMs = config.SAFE_INSPECTION_SECONDS * 1000;
  if (inspectEveryMs >= inspectWithinMs)
    throw new ConfigError('SAFE_INSPECTION_SECONDS: must be less than half of SAFE_DELAY_COOLDOWN_SECONDS');
  // Spending on a day whose limit is used up is collected the next day, before its owner has left.
  if (config.CHAIN_COLLECTION !== undefined && !config.SANDBOX && config.SAFE_DELAY_COOLDOWN_SECONDS < LEAST_COOLDOWN_SECONDS)
    throw new ConfigError(`SAFE_DELAY_COOLDOWN_SECONDS: must be at least ${LEAST_COOLDOWN_SECONDS} with CHAIN_COLLECTION`);
  if (!config.SANDBOX && config.SAFE_RECOVERY_COOLDOWN_SECONDS < LEAST_RECOVERY_SECONDS)
    throw new ConfigError(`SAFE_RECOVERY_COOLDOWN_SECONDS: must be at least ${LEAST_RECOVERY_SECONDS}`);
  const relayers = [createLocalKeySigner(relayerKey), ...moreRelayers.map(createLocalKeySigner)] as const;
  if (relayers.some(({ address }) => config.CHAIN_RELAYERS_LOST.includes(address)))
    throw new ConfigError('CHAIN_RELAYERS_LOST: names a relayer whose key is configured');
  return {
    relayers,
    lostRelayers: config.CHAIN_RELAYERS_LOST,
    cosigners: [createLocalKeySigner(first), ...others.map(createLocalKeySigner)],
    platformSafes: config.CHAIN_COSIGNER_SAFES,
    delay: {
      mastercopy,
      cooldownSeconds: config.SAFE_DELAY_COOLDOWN_SECONDS,
      expirationSeconds: config.SAFE_DELAY_EXPIRATION_SECONDS,
    },
    recovery: {
      cooldownSeconds: config.SAFE_RECOVERY_COOLDOWN_SECONDS,
      expirationSeconds: config.SAFE_RECOVERY_EXPIRATION_SECONDS,
    },
    termsOn: collectionTerms(config),
    collection: config.CHAIN_COLLECTION && {
      treasury: config.CHAIN_COLLECTION.treasury,
      above: new Map(Object.entries(config.CHAIN_COLLECTION.above)),
    },
    collectEveryMs: config.CHAIN_COLLECTION_SECONDS * 1000,
    minorUnitOf: (symbol) => minorUnitOf(config.ASSETS, symbol),
    rules: withdrawalRules(config),
    inspectEveryMs,
    inspectWithinMs,
    replaceAfterMs: config.CHAIN_REPLACE_AFTER_SECONDS * 1000,
    feeLimit: { fee: parseGwei(String(config.CHAIN_MAX_FEE_GWEI)), tip: parseGwei(String(config.CHAIN_MAX_TIP_GWEI)) },
  };
};
