import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { StatementLineKind, type StatementLineSchema } from '@florin/proto/ledger/v1/statement_service';
import { createWords } from '@florin/rpc/contract';
import type { StatementLine } from '../domain/statement.ts';

const KINDS = createWords(StatementLineKind);

export const toWireLine = (line: StatementLine): MessageInitShape<typeof StatementLineSchema> => ({
  id: line.id,
  kind: KINDS.toValue(line.kind),
  reference: line.reference,
  txHash: line.txHash ?? '',
  postingId: line.postingId ?? '',
  token: line.token,
  decimals: line.decimals,
  currency: line.currency,
  amount: line.amount.toString(),
  balanceAfter: line.balanceAfter.toString(),
  debtRepaid: line.debtRepaid.toString(),
  debtIncurred: line.debtIncurred.toString(),
  counterparty: line.counterparty ?? '',
  createdAt: timestampFromDate(line.at),
});
