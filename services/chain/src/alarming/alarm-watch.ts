import type { Hex } from '@florin/evm/hex';
import type { AccountState, AccountsClient } from '../clients/accounts.ts';
import { changeId, isShownIn } from '../domain/exception.ts';
import { type ControlEvent, DELAY_ENQUEUED, SAFE_EVENTS, type SafeChange, TOKEN_EVENTS } from '../domain/safe-change.ts';
import { createBlockWindow } from '../ports/block-window.ts';
import type { BlockHeader, ChainNode } from '../ports/chain-node.ts';
import { createHeadersDown } from '../ports/headers-down.ts';
import { MAX_DEPTH } from '../resolving/plan-resolution.ts';
import type { AlarmCursorStore } from '../store/alarm-cursors.ts';
import { type SettlingParts, settleAlarms } from './settle-alarms.ts';
import { type IssuersAct, type TokenAlarmParts, TokenAlarms } from './token-alarms.ts';

/** Final blocks that are read together. */
const WINDOW = 64;

/** Hashes of blocks that are remembered: more than a chain has blocks that are not final. */
const MAX_REMEMBERED = 10_000;

export type AlarmWatchParts = Omit<TokenAlarmParts, 'accounts' | 'node'> & {
  /** All nodes of the chain as one (`agree`). */
  node: Pick<ChainNode, 'headNumber' | 'finalizedNumber' | 'blockTime' | 'header' | 'headers' | 'controlEvents' | 'avatars'>;
  cursors: Pick<AlarmCursorStore, 'begin' | 'advance' | 'goBack' | 'see'>;
  exceptions: TokenAlarmParts['exceptions'] & SettlingParts['exceptions'];
  accounts: Pick<AccountsClient, 'findStatesBySafes'> & TokenAlarmParts['accounts'];
  /** Returns true if the set-up of an account's Safe was signed. */
  isKept: (accountId: string) => Promise<boolean>;
  /** Has the history of all Safes read again from a block on: later ones that were final have been replaced. */
  rereadFrom: (chainId: number, block: number) => Promise<void>;
  /** Reports whether the platform sent a transaction itself: it sets up a Safe that its owner has signed for. */
  isOwn: (txHash: Hex) => Promise<boolean>;
  /** Reports whether all that an account's Safe has executed in a block is what was signed for its recovery, whoever has sent it. */
  isOfRecovery: (accountId: string, block: BlockHeader) => Promise<boolean>;
};

export type AlarmWatch = {
  /** Looks at all blocks that have not been looked at yet. Rejects when a node or the ledger fails; the next round goes on. */
  round: (closed: () => boolean) => Promise<void>;
};

type Found = { event: ControlEvent; safe: Hex; change: SafeChange; block: BlockHeader };

/** An act of a token's issuer; `safe` if it is one on a single address. */
type FoundAct = { act: IssuersAct; safe: Hex | undefined };

/**
 * Looks at the events of new blocks, final or not, for changes of who controls a Safe, and stops the spending of its account at once. Money is booked
 * from final blocks only; an alarm that a reorganization takes back is closed once that is final, and one that comes in another block is raised again.
 */
export const createAlarmWatch = (parts: AlarmWatchParts): AlarmWatch => {
  const { chainId, node, cursors, accounts, isKept, suspect, exceptions, rereadFrom, isOwn, isOfRecovery, now, logger } = parts;
  const looked = new Set<Hex>();
  /** Blocks that are not final and wait to be looked at: a round that fails leaves them to the next one. */
  const waiting = new Map<Hex, BlockHeader>();
  const window = createBlockWindow(WINDOW);
  const tokens = new TokenAlarms(parts);

  /** The act of the issuer of a watched token that an event is. */
  const toAct = ({ topic, subject, ...event }: ControlEvent, block: BlockHeader): FoundAct[] => {
    const kind = TOKEN_EVENTS.get(topic);
    if (kind === undefined || tokens.symbolOf(event.contract) === undefined) return [];
    const isOfOne = kind === 'frozen' || kind === 'freed';
    if (isOfOne && subject === undefined) return [];
    return [{ act: { ...event, event: kind, block }, safe: isOfOne ? subject : undefined }];
  };

  /** The events of blocks, each with the Safe that it claims to be of. Enqueues are of a module: it must be enabled in the Safe that it names. */
  const findChanges = async (blocks: readonly BlockHeader[]): Promise<(Found | FoundAct)[]> => {
    if (blocks.length === 0) return [];
    const eventsOfEach = await node.controlEvents(blocks.map(({ hash }) => hash));
    const found: (Found | FoundAct)[][] = [];
    for (const [index, block] of blocks.entries()) {
      const events = eventsOfEach[index];
      if (events === undefined) throw new Error(`the node returned no events of block ${block.number}`);
      const modules = [...new Set(events.filter(({ topic }) => topic === DELAY_ENQUEUED).map(({ contract }) => contract))];
      const avatars = modules.length === 0 ? [] : await node.avatars(block.hash, modules);
      const safeOf = new Map(modules.map((module, at) => [module, avatars[at]]));
      found.push(
        events.flatMap((event): (Found | FoundAct)[] => {
          if (TOKEN_EVENTS.has(event.topic)) return toAct(event, block);
          const change = event.topic === DELAY_ENQUEUED ? 'DELAY_ENQUEUED' : SAFE_EVENTS.get(event.topic);
          const safe = event.topic === DELAY_ENQUEUED ? safeOf.get(event.contract) : event.contract;
          return change === undefined || safe === undefined ? [] : [{ event, safe, change, block }];
        }),
      );
    }
    return found.flat();
  };

  const raise = async ({ event, change, block }: Found, accountId: string): Promise<void> => {
    const { txHash, blockLogIndex, contract } = event;
    const id = changeId({ chainId, txHash, accountId, change });
    const known = await exceptions.find(id);
    // A person may have undone the block of the account since. In another block the change is later than the inspection that the former one was waiting for.
    if ((known !== undefined && isShownIn(known, block.hash)) || (await isOwn(txHash))) return;
    // A request to a module is no execution of the Safe: it can be made beside one.
    if (change !== 'DELAY_ENQUEUED' && (await isOfRecovery(accountId, block))) return;
    await suspect(accountId, block.number);
    const place = { chainId, accountId, txHash, logIndex: blockLogIndex, blockNumber: block.number, blockHash: block.hash };
    const transfer = { ...place, direction: 'out', counterparty: contract, token: '', amount: 0n } as const;
    await exceptions.open({ id, kind: 'changed', status: 'open', code: change, transfer, createdAt: now() });
    logger.error({ chainId, accountId, change, txHash }, 'the control of a Safe changed: its account is blocked');
  };

  /**
   * Returns true if an event concerns an account. The set-up of a Safe emits the others, in whoever's transaction it is executed, and an inspection judges it;
   * its Delay module can be used as soon as it is executed, before that inspection and before the account is active.
   */
  const concerns = async ({ id, isProvisioning }: AccountState, { change }: Found): Promise<boolean> =>
    !isProvisioning || (change === 'DELAY_ENQUEUED' && (await isKept(id)));

  const stop = async (change: Found | FoundAct, account: AccountState | undefined): Promise<void> => {
    if (change.safe === undefined) await tokens.ofAll(change.act);
    if (account === undefined) return;
    if ('act' in change) await tokens.ofAccount(change.act, account.id);
    else if (await concerns(account, change)) await raise(change, account.id);
  };

  /** Looks at all changes of blocks, also after one that fails. @param failures those of this round: what comes after the first one is looked at again */
  const look = async (blocks: readonly BlockHeader[], failures: unknown[]): Promise<void> => {
    const changes = await findChanges(blocks);
    const safes = new Set(changes.flatMap(({ safe }) => (safe === undefined ? [] : [safe])));
    const found = await accounts.findStatesBySafes(chainId, [...safes]);
    for (const change of changes) await stop(change, change.safe && found.get(change.safe)).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) return;
    for (const { hash } of blocks) looked.add(hash);
    for (const hash of looked) {
      if (looked.size <= MAX_REMEMBERED) break;
      looked.delete(hash);
    }
  };

  /** Blocks after the final ones that have not been looked at, from the newest one down its branch. */
  const newBlocks = async (head: number, finalized: number): Promise<BlockHeader[]> => {
    const found: BlockHeader[] = [];
    const headerAt = createHeadersDown(node, { lowest: finalized + 1, known: waiting });
    for (let number = head; number > finalized; number -= 1) {
      const header = await headerAt(number, found.at(-1));
      if (looked.has(header.hash)) break;
      found.push(header);
      waiting.set(header.hash, header);
    }
    return found.reverse();
  };

  /** The first final block that is to be looked at. */
  const beginAt = async (finalized: number): Promise<number> => {
    const { number, hash } = await cursors.begin(chainId, finalized);
    if (hash === undefined || number >= finalized || (await node.header(number)).hash === hash) return number + 1;
    const last = await node.header(Math.max(0, number - MAX_DEPTH));
    logger.error({ chainId, blockNumber: number }, 'a final block was replaced: those before it are looked at again');
    await rereadFrom(chainId, last.number);
    await cursors.goBack(chainId, { number, hash }, last);
    return last.number + 1;
  };

  const lookAtAll = async (closed: () => boolean): Promise<void> => {
    const [head, finalized] = [await node.headNumber(), await node.finalizedNumber()];
    // Blocks that are not final first: they are the newest.
    const blocks = await newBlocks(head, finalized);
    const failures: unknown[] = [];
    while (blocks.length > 0) await look(blocks.splice(0, window.size()), failures);
    if (failures.length > 0) throw failures[0];
    waiting.clear();
    let from = await beginAt(finalized);
    while (from <= finalized && !closed()) {
      const to = Math.min(from + window.size() - 1, finalized);
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const headers = await node.headers(numbers);
      await look(
        headers.filter(({ hash }) => !looked.has(hash)),
        failures,
      );
      if (failures.length > 0) throw failures[0];
      await tokens.settle(to);
      await cursors.advance(chainId, from, { number: to, hash: headers.at(-1)?.hash ?? '0x' });
      from = to + 1;
      window.grow();
    }
    if (from <= finalized) return;
    await settleAlarms(parts, finalized);
    await cursors.see(chainId, await node.blockTime(finalized));
  };

  return {
    round: async (closed) => {
      try {
        await lookAtAll(closed);
      } catch (error) {
        window.shrink();
        throw error;
      }
    },
  };
};
