import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CardNumberFaceSchema } from '@florin/proto/vault/v1/card_number_service';
import type { CardFace } from '../domain/card.ts';

export const toFace = ({ last4, expMonth, expYear, network }: CardFace): MessageInitShape<typeof CardNumberFaceSchema> => ({
  last4,
  expMonth,
  expYear,
  network,
});
