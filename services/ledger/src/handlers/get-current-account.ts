import type { GetCurrentAccountRequest } from '@florin/proto/ledger/v1/account_service';
import { userMethod } from '@florin/rpc/server';
import { type Dependencies, requireAccount } from './dependencies.ts';
import { toWireAccount } from './to-wire.ts';

/** The caller's account. */
export const getCurrentAccount = ({ accounts }: Dependencies) =>
  userMethod(async (_request: GetCurrentAccountRequest, { caller }) => ({
    account: toWireAccount(requireAccount(await accounts.findByUser(caller.userId))),
  }));
