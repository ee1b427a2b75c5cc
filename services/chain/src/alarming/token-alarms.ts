import type { Hex } from '@florin/evm/hex';
import type { Logger } from '@florin/rpc/observe';
import type { AccountsClient } from '../clients/accounts.ts';
import { changeId, isShownIn, type ShownIn, type TokenChange, type WatchException } from '../domain/exception.ts';
import type { TokenEvent } from '../domain/safe-change.ts';
import type { BlockHeader, ChainNode } from '../ports/chain-node.ts';
import type { ExceptionStore } from '../store/exceptions.ts';

/** Hash of no transaction, of what an inspection has found. */
const NO_TRANSACTION: Hex = `0x${'0'.repeat(64)}`;

/** An act of the issuer of a watched token, in a block that may not be final. */
export type IssuersAct = { event: TokenEvent; contract: Hex; txHash: Hex; blockLogIndex: number; block: BlockHeader };

/** A token that a Safe was found to hold and not to be able to move. */
export type FrozenToken = { chainId: number; accountId: string; contract: Hex; token: string; block: { number: number; hash: Hex } };

/** Opens the exception that tells of a Safe that was found frozen. */
export const frozenException = (
  { chainId, accountId, contract, token, block }: FrozenToken,
  txHash: Hex | undefined,
  at: Date,
): WatchException => {
  const change: TokenChange = 'TOKEN_FROZEN';
  const about = { chainId, accountId, txHash: txHash ?? NO_TRANSACTION, counterparty: contract, token, amount: 0n };
  const place = { logIndex: 0, direction: 'out', blockNumber: block.number, blockHash: block.hash } as const;
  // An inspection has no transaction: what one finds at a block is one exception.
  const id = changeId({ chainId, txHash: txHash ?? block.hash, accountId, change: `${change}/${contract}` });
  return { id, kind: 'changed', status: 'open', code: change, transfer: { ...about, ...place }, createdAt: at };
};

export type Ending = { exceptions: Pick<ExceptionStore, 'openOfTokens'>; accounts: Pick<AccountsClient, 'blockToken' | 'unblockToken'> };

const REASONS = { TOKEN_PAUSED: 'paused', TOKEN_UPGRADED: 'upgraded' } as const;

/**
 * Lets all accounts spend a token again once no exception of its pause or its upgrade is open; otherwise nothing changes. May be repeated: killed before, the
 * token stays blocked until this is called again.
 */
export const endTokenBlock = async ({ exceptions, accounts }: Ending, token: string, change: keyof typeof REASONS): Promise<void> => {
  const isOpen = async (): Promise<boolean> =>
    (await exceptions.openOfTokens()).some(({ code, transfer }) => code === change && transfer.token === token);
  if (await isOpen()) return;
  await accounts.unblockToken({ token, reason: REASONS[change] });
  // Another one may have been opened meanwhile, when the token was blocked already.
  if (await isOpen()) await accounts.blockToken({ token, reason: REASONS[change] });
};

export type TokenAlarmParts = Ending & {
  chainId: number;
  node: Pick<ChainNode, 'header'>;
  /** Symbols of the watched tokens, by contract in lower case. */
  symbols: ReadonlyMap<Hex, string>;
  /**
   * Records that the issuer of a token has frozen an account's Safe, or freed it: the Safe is inspected once the block is final.
   * @returns false where the account's Safe is not inspected
   */
  markFrozen: (accountId: string, contract: Hex, block: number) => Promise<boolean>;
  /** Stops the spending of an account because of something in a block. May be repeated. */
  suspect: (accountId: string, block: number) => Promise<void>;
  exceptions: Pick<ExceptionStore, 'find' | 'open' | 'openOfTokens' | 'close'>;
  now: () => Date;
  logger: Logger;
};

/** Returns true if a pause came before its end. One that came after keeps the token blocked. */
const isBefore = ({ blockNumber, logIndex }: ShownIn, end: IssuersAct): boolean =>
  blockNumber < end.block.number || (blockNumber === end.block.number && logIndex < end.blockLogIndex);

/**
 * The powers of the issuer of a token: it freezes a Safe, pauses the token, or exchanges its code. None of them changes a balance, so cards would go on spending money
 * that cannot be moved. The token is blocked at once, for the account or for all, until a final block undoes it: for a frozen Safe once a transfer out of it succeeds,
 * for a paused token once the pause ends. New code is trusted only when a person closes the exception.
 */
export class TokenAlarms {
  readonly #parts: TokenAlarmParts;
  /** The ends of pauses in blocks that were not final. */
  #ended: IssuersAct[] = [];

  constructor(parts: TokenAlarmParts) {
    this.#parts = parts;
  }

  /** Symbol of a watched token. */
  symbolOf(contract: Hex): string | undefined {
    return this.#parts.symbols.get(contract);
  }

  /** Looks at an act that concerns the Safe of an account. */
  async ofAccount(act: IssuersAct, accountId: string): Promise<void> {
    const { chainId, exceptions, accounts, markFrozen, suspect, now, logger } = this.#parts;
    const { contract, txHash, block } = act;
    const token = this.symbolOf(contract) ?? contract;
    const exception = frozenException({ chainId, accountId, contract, token, block }, txHash, now());
    const known = act.event === 'frozen' ? await exceptions.find(exception.id) : undefined;
    if (known !== undefined && isShownIn(known, block.hash)) return;
    const isInspected = await markFrozen(accountId, contract, block.number);
    if (act.event !== 'frozen') return;
    await (isInspected ? accounts.blockToken({ token, reason: 'frozen', accountId }) : suspect(accountId, block.number));
    await exceptions.open(exception);
    logger.error({ chainId, accountId, token, txHash }, 'the issuer of a token has frozen a Safe: the account cannot spend the token');
  }

  /** Looks at an act that concerns all that hold a token. */
  async ofAll(act: IssuersAct): Promise<void> {
    const { chainId, exceptions, accounts, now, logger } = this.#parts;
    const { event, contract, txHash, blockLogIndex: logIndex, block } = act;
    const token = this.symbolOf(contract) ?? contract;
    if (event === 'unpaused') {
      this.#ended.push(act);
      return;
    }
    const code = event === 'paused' ? 'TOKEN_PAUSED' : 'TOKEN_UPGRADED';
    const id = changeId({ chainId, txHash, accountId: contract, change: code });
    const place = { chainId, accountId: '', txHash, logIndex, blockNumber: block.number, blockHash: block.hash };
    const transfer = { ...place, direction: 'out', counterparty: contract, token, amount: 0n } as const;
    await exceptions.open({ id, kind: 'changed', status: 'open', code, transfer, createdAt: now() });
    if ((await exceptions.find(id))?.status !== 'open') return;
    await accounts.blockToken({ token, reason: REASONS[code] });
    logger.error({ chainId, token, code, txHash }, 'the issuer of a token has changed it: no account can spend it');
  }

  /** Returns true if a block is part of the final chain. */
  async #isFinal({ blockNumber, blockHash }: ShownIn, finalized: number): Promise<boolean> {
    return blockNumber <= finalized && (await this.#parts.node.header(blockNumber)).hash === blockHash;
  }

  /** Lets paused tokens be spent again whose pause ended in a block up to this final one. Before the cursor passes it: killed, the next process sees it again. */
  async settle(finalized: number): Promise<void> {
    const { node, exceptions } = this.#parts;
    for (const act of this.#ended.filter(({ block }) => block.number <= finalized)) {
      const { contract, block } = act;
      if ((await node.header(block.number)).hash === block.hash) {
        const token = this.symbolOf(contract) ?? contract;
        for (const { id, code, transfer, blocks = [transfer] } of await exceptions.openOfTokens()) {
          if (code !== 'TOKEN_PAUSED' || transfer.token !== token) continue;
          const places = await Promise.all(blocks.map(async (place) => ((await this.#isFinal(place, finalized)) ? [place] : [])));
          if (places.flat().some((place) => isBefore(place, act)))
            await exceptions.close(id, { closedBy: 'chain', note: 'The token is not paused any more.', booked: false });
        }
        await endTokenBlock(this.#parts, token, 'TOKEN_PAUSED');
      }
      this.#ended = this.#ended.filter((one) => one !== act);
    }
  }
}
