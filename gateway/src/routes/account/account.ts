import type { CallOptions } from '@connectrpc/connect';
import type { Safe } from '@florin/proto/chain/v1/safe';
import { undefinedOn } from '@florin/rpc/client';
import { CodedError, type ErrorCode } from '@florin/rpc/errors';
import { z } from 'zod';
import { requireChain } from '../../clients/chain.ts';
import type { Upstream } from '../../clients/upstream.ts';
import { defineRoute } from '../../http/define-route.ts';
import { account, toAccount } from '../../schemas/account.ts';
import { balances, toBalances } from '../../schemas/balances.ts';
import { amount, dateTime, decimals, present, signature, toIso, token } from '../../schemas/fields.ts';
import { deployment, safeTypedData, toDeployment, toSafeTypedData } from '../../schemas/safe.ts';
import { typedDataQuery } from '../../schemas/typed-message.ts';

const WITHOUT_SAFE: readonly ErrorCode[] = ['SAFES_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** The Safe on chain: an account is readable without it. */
const safeOf = async ({ safes }: Upstream, asCaller: CallOptions): Promise<Safe | undefined> => {
  try {
    return (await safes?.getCurrentSafe({}, asCaller))?.safe;
  } catch (error) {
    if (error instanceof CodedError && WITHOUT_SAFE.includes(error.code)) return undefined;
    throw error;
  }
};

export const getAccount = defineRoute({
  operationId: 'getAccount',
  method: 'get',
  path: '/user/account',
  tag: 'User Account',
  summary: 'Get the account',
  description:
    "Returns the caller's account. `deployment` shows the Safe on its chain; it is absent where the platform deploys no Safes, and while the chain service cannot be reached.",
  policy: 'user',
  answers: { 200: account },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const response = await upstream.accounts.getCurrentAccount({}, asCaller);
    return toAccount(present(response.account, 'account'), await safeOf(upstream, asCaller));
  },
});

const WITHOUT_CHAIN: readonly ErrorCode[] = ['ACCOUNT_NOT_FOUND', 'SAFES_NOT_AVAILABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT'];

/** The chain service's part: balances are readable without it. */
const orNone = async <T>(call: Promise<readonly T[]> | undefined): Promise<readonly T[]> => {
  try {
    return (await call) ?? [];
  } catch (error) {
    if (error instanceof CodedError && WITHOUT_CHAIN.includes(error.code)) return [];
    throw error;
  }
};

export const getBalances = defineRoute({
  operationId: 'getBalances',
  method: 'get',
  path: '/user/balances/v2',
  tag: 'User Account',
  summary: 'Get balances',
  description:
    "Returns one row per currency of the caller's account, including zero balances, each with its tokens. `processingDeposits` is what is being screened, and what is in blocks that are not final yet: a reorganization of the chain may take the latter away. `maxInstantWithdraw` is within what may be withdrawn in 24 hours.",
  policy: 'user',
  answers: { 200: balances },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const [{ currencies }, arriving, allowances] = await Promise.all([
      upstream.balances.getBalances({}, asCaller),
      orNone(upstream.arriving?.listArriving({}, asCaller).then(({ transfers }) => transfers)),
      orNone(upstream.safeWithdrawals?.listWithdrawalAllowances({}, asCaller).then((found) => found.allowances)),
    ]);
    return toBalances(currencies, { arriving, allowances });
  },
});

const allowance = z
  .object({
    token,
    decimals,
    perDay: amount.meta({ description: 'Most that is collected in a day (UTC), as the Safe allows it' }),
    left: amount.meta({ description: 'Rest of it for today' }),
    resetsAt: dateTime.meta({ description: 'When all of it may be collected again' }),
    uncollected: amount.meta({ description: 'Amount that cards have spent and that is still in the Safe' }),
    held: amount.meta({ description: 'Amount set aside for card payments that are not cleared' }),
    spendable: amount.meta({ description: 'Most that cards may spend before something is collected, whatever the balance' }),
  })
  .meta({ id: 'CollectionAllowance' });

const allowances = z.object({ data: z.array(allowance) }).meta({ id: 'CollectionAllowances' });

export const listCollectionAllowances = defineRoute({
  operationId: 'listCollectionAllowances',
  method: 'get',
  path: '/user/account/allowance',
  tag: 'User Account',
  summary: 'List what may be collected',
  description:
    "Returns what the platform may still collect from the caller's Safe of what cards have spent, by token, and until when. Empty where nothing is collected. What is held and uncollected together stays within `perDay`: a payment beyond it is declined.",
  policy: 'user',
  answers: { 200: allowances },
  errors: ['ACCOUNT_NOT_FOUND'],
  handler: async (_input, { upstream, asCaller }) => {
    const found = upstream.safes && (await undefinedOn('SAFES_NOT_AVAILABLE', upstream.safes.listCollectionAllowances({}, asCaller)));
    if (found === undefined || found.allowances.length === 0) return { data: [] };
    const { currencies } = await upstream.balances.getBalances({}, asCaller);
    const tokens = currencies.flatMap((row) => row.tokens);
    return {
      data: found.allowances.flatMap(({ token: symbol, perDay, left, resetsAt, uncollected, held, spendable }) => {
        const known = tokens.find((one) => one.token === symbol);
        if (known === undefined || resetsAt === undefined) return [];
        return [{ token: symbol, decimals: known.decimals, perDay, left, resetsAt: toIso(resetsAt), uncollected, held, spendable }];
      }),
    };
  },
});

export const createSetUpChallenge = defineRoute({
  operationId: 'createSetUpChallenge',
  method: 'post',
  path: '/user/account/set-up/challenge',
  tag: 'User Account',
  summary: 'Create the set-up of the Safe to sign',
  description:
    "Returns EIP-712 typed data of the transaction by which the Safe becomes the account's: a key of the platform becomes the second owner, so that both must sign withdrawals, and a Delay module lets the owner alone move the money without the platform, after a cooldown. The owner's wallet signs it. It stays valid until the Safe has executed another transaction.",
  policy: 'user',
  rateLimit: 'auth',
  query: typedDataQuery,
  answers: { 200: safeTypedData },
  errors: ['ACCOUNT_NOT_FOUND', 'SAFES_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE'],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { transaction } = await requireChain(upstream.safes).createSetUpChallenge({}, asCaller);
    return toSafeTypedData(present(transaction, 'transaction'), query.domainType === 'true');
  },
});

export const submitSetUp = defineRoute({
  operationId: 'submitSetUp',
  method: 'post',
  path: '/user/account/set-up',
  tag: 'User Account',
  summary: 'Set the Safe up',
  description:
    'Takes the signature over the typed data of `POST /user/account/set-up/challenge`, deploys the Safe and sets it up, in one transaction that the platform pays for. `deployment.status` of the account becomes `verified` once that is final. A repeat changes nothing.',
  policy: 'user',
  rateLimit: 'auth',
  body: z.object({ signature }),
  answers: { 200: deployment },
  errors: ['ACCOUNT_NOT_FOUND', 'INVALID_SIGNATURE', 'SAFES_NOT_AVAILABLE', 'SET_UP_NOT_AVAILABLE'],
  handler: async ({ body }, { upstream, asCaller }) => {
    const { safe } = await requireChain(upstream.safes).submitSetUp(body, asCaller);
    return toDeployment(present(safe, 'Safe'));
  },
});
