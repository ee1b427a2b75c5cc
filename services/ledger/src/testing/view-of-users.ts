import { toJson } from '@bufbuild/protobuf';
import { GetBalancesResponseSchema } from '@florin/proto/ledger/v1/balance_service';
import { ListStatementResponseSchema } from '@florin/proto/ledger/v1/statement_service';
import type { TestLedger } from './world.ts';

/** The users' view of their money, byte for byte. */
export const viewOf = async (ledger: TestLedger, accounts: readonly { userId: string }[]): Promise<string> => {
  const views = [];
  for (const account of accounts) {
    const user = await ledger.user(account.userId);
    views.push(toJson(GetBalancesResponseSchema, await ledger.balances.getBalances({}, user)));
    views.push(toJson(ListStatementResponseSchema, await ledger.statements.listStatement({}, user)));
  }
  return JSON.stringify(views);
};
