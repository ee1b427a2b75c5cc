import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DescService } from '@bufbuild/protobuf';
import { WalletRecoveryService } from '@florin/proto/identity/v1/wallet_recovery_service';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../errors/index.ts';
import { keyFieldOf, withKeyField } from './key-field.ts';

const PROTO = join(dirname(fileURLToPath(import.meta.resolve('@florin/proto/common/v1/error-codes'))), '../../..');

/** RPCs whose own documentation names IDEMPOTENCY_KEY_REUSED. */
const documented = ({ file, methods }: DescService) => {
  const text = readFileSync(join(PROTO, `${file.name}.proto`), 'utf8');
  return methods.filter(({ name }) => {
    const [before = ''] = text.split(`  rpc ${name}(`);
    return before.slice(before.lastIndexOf('\n\n')).includes('IDEMPOTENCY_KEY_REUSED');
  });
};

describe('the field of an idempotency key', () => {
  it.each([
    [WalletRecoveryService, ['recovery_id']],
    [AccountService, ['account_id']],
    [AdjustmentService, ['adjustment_id']],
    [EntryService, ['reversal_id']],
    [HoldService, ['change_id', 'posting_id']],
    [MovementService, ['tx_hash', 'withdrawal_id']],
  ] as const)('is known for the RPCs of $typeName that can return IDEMPOTENCY_KEY_REUSED', (service, fields) => {
    const found = documented(service).map(({ input }) => keyFieldOf(input));
    expect([...new Set(found)].sort()).toEqual([...fields]);
  });

  it('is in the metadata of IDEMPOTENCY_KEY_REUSED only', () => {
    expect(withKeyField(new CodedError('IDEMPOTENCY_KEY_REUSED'), 'reference').metadata).toEqual({ field: 'reference' });
    expect(withKeyField(new CodedError('CARD_NOT_FOUND'), 'reference').metadata).toEqual({});
  });
});
