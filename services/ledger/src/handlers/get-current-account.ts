import { userMethod } from '@florin/kit/rpc';
import type { GetCurrentAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { type Parts, requireAccount } from './parts.ts';
import { accountToWire } from './wire.ts';

export const getCurrentAccount = ({ accounts }: Parts) =>
  userMethod(async (_message: GetCurrentAccountRequest, { caller }) => ({
    account: accountToWire(requireAccount(await accounts.findByUser(caller.userId))),
  }));
