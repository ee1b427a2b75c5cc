import { ExceptionKind, ExceptionStatus, TransferDirection, type WatchException } from '@florin/proto/chain/v1/watch';
import type { Assets } from '@florin/rpc/assets';
import type { z } from 'zod';
import type { chainException } from '../contract/index.ts';
import { tokenAmount } from './money.ts';
import { isoOf, wordOf } from './words.ts';

/** A transfer that needs a person. */
export const toException = (one: WatchException, assets: Assets): z.output<typeof chainException> => ({
  id: one.id,
  kind: wordOf(ExceptionKind, one.kind),
  status: wordOf(ExceptionStatus, one.status),
  code: one.code,
  accountId: one.accountId,
  chainId: one.chainId,
  txHash: one.txHash,
  direction: wordOf(TransferDirection, one.direction),
  counterparty: one.counterparty,
  amount: tokenAmount(assets, one.token, one.amount === '' ? '0' : one.amount),
  createdAt: isoOf(one.createdAt),
  closedBy: one.closedBy,
  note: one.note,
  booked: one.booked,
  returnedBy: one.returnedBy,
});
