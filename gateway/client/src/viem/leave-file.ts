import type { Client } from '../create-client.ts';
import type { SafePlan } from './safe-calls.ts';
import { type ExpectedSetUp, planOf } from './set-up.ts';

/** The file that a person keeps, as JSON, to leave without the platform. It is no secret: it moves nothing without the wallet. */
export type LeaveFile = { plan: SafePlan; tokens: { token: string; contract: string }[] };

/**
 * Makes the file with which the owner of an account can leave without the platform, for `offline/leave.html` or `nextLeaveStep`. Keep it before money is sent to the account.
 * @param owner address of the user's wallet
 * @throws UnexpectedTextError, FlorinError
 */
export const leaveFileOf = async (client: Client, owner: string, expected: ExpectedSetUp = {}): Promise<LeaveFile> => {
  const [account, { data }] = await Promise.all([client.userAccount.getAccount(), client.userAccount.getBalances()]);
  const tokens = data.flatMap((currency) => currency.tokens);
  return {
    plan: await planOf(account, owner, expected),
    tokens: tokens.flatMap(({ token, contract }) => (contract === undefined ? [] : [{ token, contract }])),
  };
};
