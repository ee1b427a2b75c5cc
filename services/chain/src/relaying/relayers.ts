import { type Address, formatEther, recoverTransactionAddress } from 'viem';
import type { KeySigner } from '../ports/key-signer.ts';
import type { RelayJobStore } from '../store/relay-jobs.ts';
import type { RelayLaneStore } from '../store/relay-lanes.ts';
import { createRelayer, type Relayer, type RelayerParts } from './relayer.ts';
import { workOnEach } from './work-on-each.ts';

export type RelayersParts = Omit<RelayerParts, 'signer' | 'share' | 'jobs' | 'lanes'> & {
  /** The keys. The first one is the operator of the treasury. */
  signers: readonly [KeySigner, ...KeySigner[]];
  /** Relayers whose keys are lost: the first one sends what they have signed again. */
  lost: readonly Address[];
  /** Contracts that only the first one may call. */
  exclusive: readonly Address[];
  jobs: RelayerParts['jobs'] & Pick<RelayJobStore, 'unnamed' | 'claimUnnamed' | 'countLeft'>;
  lanes: RelayerParts['lanes'] & Pick<RelayLaneStore, 'others'>;
};

export type Relayers = Relayer & {
  /** Balance of each at the last round, in whole coins of the chain. */
  balances: () => ReadonlyMap<Address, number>;
  /** Jobs that wait for a transaction that a relayer has signed that is not configured any more, at the last round. */
  left: () => number;
};

/**
 * The relayers of a chain. A job belongs to the relayer that took it. When a key is removed from the configuration, its unsigned jobs move to the first relayer.
 * Its signed transactions are broadcast until they are final, and not signed again unless the key is lost: both would be paid for.
 */
export const createRelayers = (parts: RelayersParts): Relayers => {
  const { signers, lost, exclusive, ...common } = parts;
  const { chainId, node, jobs, lanes, logger } = common;
  const configured = signers.map(({ address }) => address);
  const first = { configured, lost };
  const live = signers.map((signer, index) =>
    createRelayer({ ...common, signer, share: index === 0 ? { first, exclusive } : { exclusive } }),
  );
  let balances: ReadonlyMap<Address, number> = new Map();
  let left = 0;

  let named = false;
  /** Names the relayer of jobs that an earlier release has begun. */
  const nameOld = async (): Promise<void> => {
    if (named) return;
    for (const { id, attempts } of await jobs.unnamed(chainId)) {
      const raw = attempts.at(-1)?.raw as Parameters<typeof recoverTransactionAddress>[0]['serializedTransaction'] | undefined;
      if (raw !== undefined) await jobs.claimUnnamed(id, await recoverTransactionAddress({ serializedTransaction: raw }));
    }
    named = true;
  };

  return {
    balances: () => balances,
    left: () => left,
    round: async (closed) => {
      await nameOld();
      const finalized = await node.finalizedNumber();
      const read = async (address: Address) => [address, Number(formatEther(await node.balance(address, finalized)))] as const;
      balances = new Map(await Promise.all(configured.map(read)));
      const others = await lanes.others(chainId, configured);
      const gone = others.map((address) => createRelayer({ ...common, signer: { address }, share: { first, exclusive } }));
      await workOnEach([...live, ...gone], closed, ({ round }) => round(closed));
      const count = await jobs.countLeft(chainId, configured);
      if (count > left)
        logger.warn({ chainId, others, jobs: count }, 'transactions wait that relayers have signed that are not configured any more');
      left = count;
    },
  };
};
