import type { SetCardControlsRequest } from '@florin/proto/card/v1/payment_service';
import { requireRecentSignIn } from '@florin/rpc/auth';
import { merchantText, uuidSchema } from '@florin/rpc/fields';
import { parseRequest, userMethod } from '@florin/rpc/server';
import { z } from 'zod';
import { seriesOf } from '../domain/card.ts';
import { opens } from '../domain/card-controls.ts';
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

/**
 * Replaces the controls of a card. Permitting what they did not permit requires a recent sign-in and is told to the user.
 * @throws CodedError CARD_NOT_FOUND, REAUTHENTICATION_REQUIRED, VALIDATION_FAILED
 */
export const setCardControls = ({ cards, book, notices, runtime }: Dependencies) =>
  userMethod(async (request: SetCardControlsRequest, call) => {
    const { caller } = call;
    const { cardId, controls } = parseRequest(requestSchema, request);
    const card = await findOwnCard(cards, cardId, caller);
    const set = (mayOpen: boolean): Promise<boolean> =>
      book.change(seriesOf(card), (current) =>
        mayOpen || !opens(current.controls, controls)
          ? { spending: { ...current, controls }, result: true }
          : { spending: current, result: false },
      );
    if (!(await set(false))) {
      requireRecentSignIn(caller, runtime.now());
      await notices.tell({ id: runtime.newId(), kind: 'CONTROLS_OPENING', last4: card.last4 }, call);
      await set(true);
    }
    return { controls: toWireControls(controls) };
  });
