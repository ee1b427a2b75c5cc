import { accountActivated, accountBlocked, accountClosed, accountOpened, accountUnblocked } from '../domain/account-change.ts';
import { depositIdOf, depositResolved, depositReversed, depositSeen } from '../domain/deposit.ts';
import type { Intent } from '../domain/draft-block.ts';
import type { Entry } from '../domain/entry.ts';
import { holdDecreased, holdExpired, holdExtended, holdIncreased, holdOrdered, holdVoided, postingEntryId } from '../domain/hold.ts';
import { holdPosted } from '../domain/hold-posting.ts';
import { userAccount } from '../domain/ledger-account.ts';
import { NO_METADATA } from '../domain/metadata.ts';
import type { Movement } from '../domain/movement.ts';
import { planReversal, reversalEntryId } from '../domain/reversal.ts';
import { transferOrdered } from '../domain/transfer-order.ts';
import { withdrawalCreated, withdrawalReported } from '../domain/withdrawal.ts';
import { ACCOUNTS, type Command, timeAt, tokenAt, userOf } from './commands.ts';
import { MINOR_UNIT } from './model-purses.ts';

const event = (number: number) => ({ chainId: 100, txHash: `0x${number.toString(16).padStart(64, '0')}`, logIndex: 0 });
const isUser = (name: string): boolean => (ACCOUNTS as readonly string[]).includes(name);
const sideName = (name: string): string => (isUser(name) ? userAccount(name, 'available') : name);

/** Ids of postings are unique among all holds. */
const postingOf = (id: number, posting: number): string => `p${id}.${posting}`;

type Named = { account: string; parts: readonly { credit: string; amount: number }[] };
const partsOf = ({ account, parts }: Named) =>
  parts.map(({ credit, amount }) => ({
    credit: credit === 'settling' ? userAccount(account, 'settling') : credit,
    amount: BigInt(amount),
  }));
const keyOf = ({ account, id }: { account: string; id: number }) => ({ accountId: account, holdId: `e${id}` });
const shareOf = (c: Named & { token: number }) => ({ token: tokenAt(c.token).symbol, parts: partsOf(c) });

/** The caller's knowledge from earlier answers. */
export type Known = { movement: (id: string) => Movement | undefined; entry: (id: string) => Entry | undefined };

const reversal = (c: Extract<Command, { do: 'reverse' }>, { entry }: Known): Intent | string | undefined => {
  const original = entry(c.posting === undefined ? `e${c.id}` : postingEntryId(postingOf(c.id, c.posting)));
  if (original === undefined) return undefined;
  const reversals: Entry[] = [];
  for (let next = entry(reversalEntryId(original.id, 1)); next !== undefined; ) {
    reversals.push(next);
    next = entry(reversalEntryId(original.id, reversals.length + 1));
  }
  const parts = c.part === undefined ? [] : [{ transfer: c.part.transfer, amount: BigInt(c.part.amount) }];
  const plan = planReversal(original, reversals, { reversalId: `r${c.reversal}`, parts, forced: c.forced });
  if (plan.kind === 'known') return plan.same ? 'same' : 'other';
  return plan.kind === 'fault' ? plan.code : plan.intent;
};

const about = (c: Command, { movement }: Known): Intent | string | undefined => {
  switch (c.do) {
    case 'resolve': {
      const deposit = movement(depositIdOf(event(c.id)));
      return deposit && depositResolved(deposit, c.approve ? 'approved' : 'rejected', undefined);
    }
    case 'unsee': {
      const deposit = movement(depositIdOf(event(c.id)));
      return deposit && (depositReversed(deposit, NO_METADATA) ?? 'same');
    }
    case 'report': {
      const withdrawal = movement(`w${c.id}`);
      return withdrawal && withdrawalReported(withdrawal, c.target);
    }
    default:
      return undefined;
  }
};

const holdIntent = (c: Command): Intent | undefined => {
  switch (c.do) {
    case 'hold': {
      const order = { id: `e${c.id}`, accountId: c.account, ...shareOf(c), expiresAt: timeAt(c.until), forced: c.forced };
      return holdOrdered(order);
    }
    case 'increase': {
      const expiresAt = c.until === undefined ? undefined : timeAt(c.until);
      return holdIncreased(keyOf(c), `c${c.change}`, { share: shareOf(c), expiresAt, forced: c.forced });
    }
    case 'decrease':
      return holdDecreased(keyOf(c), `c${c.change}`, { share: { amount: BigInt(c.amount) } });
    case 'extend':
      return holdExtended(keyOf(c), `c${c.change}`, { expiresAt: timeAt(c.until) });
    case 'post': {
      const { posting, parts, forced } = c;
      const share = parts === undefined ? undefined : shareOf({ ...c, parts });
      const postingId = posting === undefined ? undefined : postingOf(c.id, posting);
      return holdPosted(keyOf(c), { postingId, share, keepOpen: c.keepOpen && posting !== undefined, forced });
    }
    case 'void':
      return holdVoided(keyOf(c));
    case 'expire':
      return holdExpired(keyOf(c));
    default:
      return undefined;
  }
};

/** The question that a command asks the journal; its answer when that is known without asking; undefined when there is nothing to ask about. */
export const intentOfCommand = (c: Command, known: Known): Intent | string | undefined => {
  switch (c.do) {
    case 'open':
      return accountOpened(c.account);
    case 'activate':
      return accountActivated(c.account);
    case 'close':
      return accountClosed(c.account, () => MINOR_UNIT);
    case 'block':
      return accountBlocked(c.account, String(c.change));
    case 'unblock':
      return accountUnblocked(c.account, String(c.change));
    case 'transfer': {
      const [first = ''] = c.legs.flatMap(({ debit, credit }) => [debit, credit]).flatMap((name) => userOf(name) ?? []);
      const transfers = c.legs.map(({ debit, credit, token, amount }) => ({
        debit: sideName(debit),
        credit: sideName(credit),
        token: tokenAt(token).symbol,
        amount: BigInt(amount),
      }));
      return transferOrdered({ id: `e${c.id}`, accountId: first, transfers, forced: c.forced });
    }
    case 'reverse':
      return reversal(c, known);
    case 'see':
      return depositSeen(event(c.id), c.account, tokenAt(c.token), BigInt(c.amount));
    case 'withdraw': {
      const { account, forced } = c;
      const amount = BigInt(c.amount);
      return withdrawalCreated({ id: `w${c.id}`, accountId: account, token: tokenAt(c.token), amount, txHash: '0x', forced });
    }
    default:
      return about(c, known) ?? holdIntent(c);
  }
};
