import type { IssueCardNumberRequest } from '@florin/proto/vault/v1/card_number_service';
import { VAULT_SCOPES } from '@florin/proto/vault/v1/scopes';
import { uuidSchema } from '@florin/rpc/fields';
import { parseRequest, serviceMethod } from '@florin/rpc/server';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { expiryFields } from './fields.ts';
import { toFace } from './to-face.ts';

const requestSchema = z.object({ cardId: uuidSchema, userId: uuidSchema, ...expiryFields });

/**
 * Creates the number of a card.
 * @throws CodedError IDEMPOTENCY_KEY_REUSED, CARD_NUMBERS_EXHAUSTED, VALIDATION_FAILED
 */
export const issueCardNumber = ({ numbers }: Dependencies) =>
  serviceMethod(VAULT_SCOPES.writeCardNumbers, async (request: IssueCardNumberRequest) => ({
    face: toFace(await numbers.issue(parseRequest(requestSchema, request))),
  }));
