import type { Hex } from '@florin/evm/hex';
import type { Amount } from '@florin/rpc/money';
import type { AccountsClient } from '../clients/accounts.ts';
import { isIdle, type SafeTransfer } from '../domain/transfer.ts';
import type { BlockHeader, ChainNode } from '../ports/chain-node.ts';
import { createHeadersDown } from '../ports/headers-down.ts';
import { readBlockTransfers } from '../ports/read-block-transfers.ts';
import type { CursorStore } from '../store/cursors.ts';

/** Newest blocks that are looked at: more than a chain has blocks that are not final. While the watching is far behind, older ones are left out. */
const MAX_BLOCKS = 256;

/** Transfers of an account that are kept: anyone can send many small ones. */
const MAX_TRANSFERS = 100;

/** A transfer to a Safe in a block that is not booked yet. The balance does not change: a reorganization may take it away. */
export type ArrivingTransfer = { chainId: number; accountId: string; token: string; amount: Amount; txHash: Hex; blockNumber: number };

type SeenBlock = { header: BlockHeader; transfers: ArrivingTransfer[] };

export type ArrivingParts = {
  chainId: number;
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'headNumber' | 'finalizedNumber' | 'headers' | 'transfers' | 'receiptEvents'>;
  /** Symbols of the watched tokens by contract. */
  symbols: ReadonlyMap<Hex, string>;
  accounts: Pick<AccountsClient, 'findBySafes'>;
  cursors: Pick<CursorStore, 'find'>;
  /** Returns true if the other side of a transfer is the treasury: a refund that is returned is in the balance already. */
  isTreasurys: (transfer: Pick<SafeTransfer, 'accountId' | 'counterparty'>) => Promise<boolean>;
  /** Hears of each transfer out of a Safe before its block is final, at least once. */
  onLeaving: (transfer: SafeTransfer) => Promise<void>;
};

export type ArrivingWatch = {
  chainId: number;
  /** Looks at the blocks that are new. Rejects when a node or the ledger fails; the next round goes on. */
  round: () => Promise<void>;
  /** Transfers that arrive at an account, newest first, as of the last round. */
  of: (accountId: string) => readonly ArrivingTransfer[];
};

/** Keeps in memory what the blocks after the cursor, final or not, move to Safes, and tells what they move out of them. Nothing is stored: after a start one round shows everything again. */
export const createArrivingWatch = ({
  chainId,
  node,
  symbols,
  accounts,
  cursors,
  isTreasurys,
  onLeaving,
}: ArrivingParts): ArrivingWatch => {
  const contracts = [...symbols.keys()];
  /** Blocks of the branch that the last round has found, by hash. */
  let branch = new Map<Hex, SeenBlock>();
  let arriving: ReadonlyMap<string, readonly ArrivingTransfer[]> = new Map();

  /** The blocks from the newest one down to the first that is booked, newest first. Blocks that are known are not asked for. */
  const findBranch = async (head: number, floor: number): Promise<BlockHeader[]> => {
    const found: BlockHeader[] = [];
    const lowest = Math.max(floor, head - MAX_BLOCKS) + 1;
    const headerAt = createHeadersDown(node, { lowest, known: { get: (hash) => branch.get(hash)?.header } });
    for (let number = head; number >= lowest; number -= 1) found.push(await headerAt(number, found.at(-1)));
    return found;
  };

  const read = async (headers: readonly BlockHeader[]): Promise<SeenBlock[]> => {
    const blocks = (await readBlockTransfers(node, headers, contracts)).map(({ header, transfers }) => ({
      header,
      transfers: transfers.filter((transfer) => !isIdle(transfer)),
    }));
    const addresses = [...new Set(blocks.flatMap(({ transfers }) => transfers.flatMap(({ from, to }) => [from, to])))];
    const owners = addresses.length === 0 ? new Map<Hex, string>() : await accounts.findBySafes(chainId, addresses);
    for (const { header, transfers } of blocks) {
      for (const { contract, from, to, amount, txHash, blockLogIndex } of transfers) {
        const [accountId, token] = [owners.get(from), symbols.get(contract)];
        if (accountId === undefined || token === undefined) continue;
        const logIndex = (await node.receiptEvents({ txHash, blockHash: header.hash })).indexOf(blockLogIndex);
        if (logIndex === -1) throw new Error(`the receipt of ${txHash} does not contain its event`);
        const place = { chainId, txHash, logIndex, blockNumber: header.number, blockHash: header.hash };
        await onLeaving({ ...place, direction: 'out', accountId, counterparty: to, token, amount });
      }
    }
    const seen: SeenBlock[] = [];
    for (const { header, transfers } of blocks) {
      const arrived: ArrivingTransfer[] = [];
      for (const { contract, from, to, amount, txHash } of transfers) {
        const [accountId, token] = [owners.get(to), symbols.get(contract)];
        if (accountId === undefined || token === undefined || (await isTreasurys({ accountId, counterparty: from }))) continue;
        arrived.push({ chainId, accountId, token, amount, txHash, blockNumber: header.number });
      }
      seen.push({ header, transfers: arrived });
    }
    return seen;
  };

  return {
    chainId,
    round: async () => {
      const cursor = await cursors.find(chainId);
      // Nobody can tell what is still there.
      if (cursor?.haltedAt !== undefined) {
        [branch, arriving] = [new Map(), new Map()];
        return;
      }
      const floor = cursor?.number ?? (await node.finalizedNumber());
      const headers = await findBranch(await node.headNumber(), floor);
      const fresh = new Map((await read(headers.filter(({ hash }) => !branch.has(hash)))).map((block) => [block.header.hash, block]));
      const blocks = headers.flatMap(({ hash }) => fresh.get(hash) ?? branch.get(hash) ?? []);
      branch = new Map(blocks.map((block) => [block.header.hash, block]));
      arriving = Map.groupBy(
        blocks.flatMap(({ transfers }) => transfers.toReversed()),
        ({ accountId }) => accountId,
      );
    },
    of: (accountId) => (arriving.get(accountId) ?? []).slice(0, MAX_TRANSFERS),
  };
};
