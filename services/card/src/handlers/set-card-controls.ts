import type { SetCardControlsRequest } from '@florin/proto/card/v1/payment_service';
import { merchantText, uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import { isCategoryCode } from '../domain/card-merchant.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireControls } from './to-wire-spending.ts';

/** Values of one list. */
const MAX_VALUES = 200;

const values = <S extends z.ZodType<string>>(value: S) =>
  z
    .array(value)
    .max(MAX_VALUES)
    .transform((list) => [...new Set(list)].sort());

const listOf = <S extends z.ZodType<string>>(value: S) =>
  z
    .object({ allow: values(value), deny: values(value) })
    .optional()
    .transform((list) => list ?? { allow: [], deny: [] });

const requestSchema = z.object({
  cardId: uuidSchema,
  controls: z.object(
    {
      categories: listOf(z.string().refine(isCategoryCode, 'must be a merchant category code of ISO 18245')),
      countries: listOf(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')),
      merchants: listOf(merchantText(35).refine((id) => id !== '', 'must not be empty')),
      onlineOff: z.boolean(),
      contactlessOff: z.boolean(),
      atmOff: z.boolean(),
    },
    'is required',
  ),
});

/** Replaces the controls of a card. */
export const setCardControls = ({ cards, book }: Dependencies) =>
  userMethod(async (request: SetCardControlsRequest, { caller }) => {
    const { cardId, controls } = parseRequest(requestSchema, request);
    const card = await findOwnCard(cards, cardId, caller);
    await book.change(seriesOf(card), (spending) => ({ spending: { ...spending, controls }, result: undefined }));
    return { controls: toWireControls(controls) };
  });
