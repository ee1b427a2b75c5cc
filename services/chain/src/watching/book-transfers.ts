import type { Hex } from '@florin/evm/hex';
import type { AccountsClient } from '../clients/accounts.ts';
import type { MovementsClient } from '../clients/movements.ts';
import { isShownIn } from '../domain/exception.ts';
import { isIdle, type SafeTransfer, type ScannedBlock, type TokenTransfer, transferId } from '../domain/transfer.ts';
import type { ChainNode } from '../ports/chain-node.ts';
import { mapBounded } from '../ports/map-bounded.ts';
import type { ExceptionStore } from '../store/exceptions.ts';
import type { TransferStore } from '../store/transfers.ts';

/** Accounts whose transfers are booked at the same time. */
const CONCURRENCY = 32;

/** Receipts that are read at the same time. */
const READS = 8;

export type Booking = {
  accounts: Pick<AccountsClient, 'findBySafes' | 'block'>;
  movements: Pick<MovementsClient, 'book'>;
  transfers: Pick<TransferStore, 'save'>;
  exceptions: Pick<ExceptionStore, 'find' | 'open'>;
  /** Completes the platform's own withdrawal that a transfer carries out, or books one from or to the treasury. @returns false when it is neither */
  settle: (transfer: SafeTransfer) => Promise<boolean>;
  now: () => Date;
};

type WatchedChain = {
  chainId: number;
  node: Pick<ChainNode, 'receiptEvents'>;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
};

const sidesOf = ({ from, to }: TokenTransfer) =>
  [
    { safe: from, direction: 'out', counterparty: to },
    { safe: to, direction: 'in', counterparty: from },
  ] as const;

type FoundEvent = { block: ScannedBlock; transfer: TokenTransfer };

/** Positions in their receipts of the events of some transactions, by transaction and position in the block. Each receipt is read once. */
const readPositions = async (
  node: Pick<ChainNode, 'receiptEvents'>,
  events: readonly FoundEvent[],
): Promise<ReadonlyMap<Hex, ReadonlyMap<number, number>>> => {
  const blockHashes = new Map(events.map(({ block, transfer }) => [transfer.txHash, block.hash]));
  const positions = await mapBounded([...blockHashes], READS, async ([txHash, blockHash]) => {
    const blockLogIndexes = await node.receiptEvents({ txHash, blockHash });
    return [txHash, new Map(blockLogIndexes.map((blockLogIndex, position) => [blockLogIndex, position]))] as const;
  });
  return new Map(positions);
};

/** The transfers to and from Safes in some blocks, in order. A transfer between two Safes is one of each. */
export const findSafeTransfers = async (
  { chainId, node, symbols }: WatchedChain,
  blocks: readonly ScannedBlock[],
  findBySafes: AccountsClient['findBySafes'],
): Promise<SafeTransfer[]> => {
  const events = blocks.flatMap((block) =>
    block.transfers.filter((transfer) => !isIdle(transfer)).map((transfer) => ({ block, transfer })),
  );
  const addresses = [...new Set(events.flatMap(({ transfer: { from, to } }) => [from, to]))];
  const accounts = await findBySafes(chainId, addresses);
  const ours = events.filter(({ transfer: { from, to } }) => accounts.has(from) || accounts.has(to));
  const positions = await readPositions(node, ours);
  return ours.flatMap(({ block, transfer }) => {
    const { txHash, blockLogIndex, contract, amount } = transfer;
    const token = symbols.get(contract);
    if (token === undefined) throw new Error(`a transfer of ${contract} was not asked for`);
    const logIndex = positions.get(txHash)?.get(blockLogIndex);
    if (logIndex === undefined) throw new Error(`the receipt of ${txHash} does not contain its event`);
    const place = { chainId, txHash, logIndex, blockNumber: block.number, blockHash: block.hash };
    return sidesOf(transfer).flatMap(({ safe, ...side }) => {
      const accountId = accounts.get(safe);
      return accountId === undefined ? [] : [{ ...place, ...side, accountId, token, amount }];
    });
  });
};

/**
 * Books transfers of finalized blocks in the ledger, then records them. Transfers that the ledger rejects, or that left without the platform, become
 * exceptions. Every step can be repeated: interrupted anywhere, the same transfers are booked again, and nothing is booked twice.
 * @param found all transfers to and from Safes in some blocks, in order (`findSafeTransfers`)
 * @throws CodedError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export const bookTransfers = async (found: readonly SafeTransfer[], parts: Booking): Promise<void> => {
  const { accounts, movements, transfers, exceptions, settle, now } = parts;

  const bookOne = async (transfer: SafeTransfer): Promise<void> => {
    if (await settle(transfer)) return;
    const code = await movements.book(transfer);
    if (code === undefined && transfer.direction === 'in') return;
    const id = transferId(transfer);
    const known = await exceptions.find(id);
    // A person may have undone the block of the account since. The same blocks are booked again as long as one of their transfers cannot be.
    if (known !== undefined && (known.kind !== 'left' || (code === undefined && isShownIn(known, transfer.blockHash)))) return;
    // Money that is gone from the Safe must not be spent, whether the ledger could book it or not.
    if (transfer.direction === 'out') await accounts.block(transfer.accountId);
    const exception = { id, status: 'open', transfer, createdAt: now() } as const;
    await exceptions.open(code === undefined ? { ...exception, kind: 'left' } : { ...exception, kind: 'refused', code });
  };

  // In the order of the chain for each account, so that its statement shows what happened.
  const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
  await mapBounded([...byAccount.values()], CONCURRENCY, async (own) => {
    for (const transfer of own) await bookOne(transfer);
  });
  await transfers.save(found);
};
