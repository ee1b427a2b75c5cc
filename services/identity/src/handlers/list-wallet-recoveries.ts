import { cutPage, pageSchema } from '@florin/data/paging';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { type ListWalletRecoveriesRequest, WalletRecoveryStatus } from '@florin/proto/identity/v1/wallet_recovery_service';
import { CodedError } from '@florin/rpc/errors';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { RecoveryPlace } from '../store/wallet-recoveries.ts';
import type { Dependencies } from './dependencies.ts';
import { recoveryStatusFrom, toWireRecovery } from './wallet-recoveries.ts';

const requestSchema = z.object({ page: pageSchema, status: z.enum(WalletRecoveryStatus) });

const encodePlace = ({ createdAt, id }: RecoveryPlace): string => `${createdAt.getTime().toString(36)}.${id}`;

/** @throws CodedError VALIDATION_FAILED unless the text is exactly what `encodePlace` makes */
const decodePlace = (cursor: string): RecoveryPlace | undefined => {
  if (cursor === '') return undefined;
  const [time = '', text = ''] = cursor.split('.');
  const id = uuidSchema.safeParse(text);
  const createdAt = new Date(Number.parseInt(time, 36));
  if (!id.success || Number.isNaN(createdAt.getTime()) || encodePlace({ createdAt, id: id.data }) !== cursor) {
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: must be the cursor of an earlier page' });
  }
  return { createdAt, id: id.data };
};

/** @throws CodedError VALIDATION_FAILED */
export const listWalletRecoveries = ({ walletRecoveries }: Dependencies) =>
  serviceMethod(IDENTITY_SCOPES.readRecoveries, async (request: ListWalletRecoveriesRequest) => {
    const { page, status } = parseRequest(requestSchema, request);
    const query = { limit: page.limit + 1, before: decodePlace(page.cursor), status: recoveryStatusFrom(status) };
    const { rows, nextCursor } = cutPage(await walletRecoveries.page(query), page.limit, encodePlace);
    return { recoveries: rows.map(toWireRecovery), page: { nextCursor } };
  });
