import type { CreateCardChangeChallengeRequest } from '@florin/proto/card/v1/payment_service';
import { stated } from '@florin/rpc/contract';
import { userMethod } from '@florin/rpc/server';
import { type ApprovedChange, controlsChange, limitsChange, UNFREEZING } from '../domain/change-facts.ts';
import type { Program } from '../domain/program.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { readNewControls } from './set-card-controls.ts';
import { readNewLimits } from './set-card-limits.ts';

/** The card that a request is about, and the change as the call that makes it will state it. */
const readChange = ({ change }: CreateCardChangeChallengeRequest, program: Program): { cardId: string; change: ApprovedChange } => {
  switch (change.case) {
    case 'limits': {
      const { named, wanted } = readNewLimits(change.value, program);
      return { cardId: change.value.cardId, change: limitsChange(named, wanted, program) };
    }
    case 'controls':
      return { cardId: change.value.cardId, change: controlsChange(change.value.changed, readNewControls(change.value)) };
    default:
      return { cardId: stated(change.value), change: UNFREEZING };
  }
};

/** Creates the typed data that a wallet signs to approve a change of a card. */
export const createCardChangeChallenge = ({ approvals, cards, program }: Dependencies) =>
  userMethod(async (request: CreateCardChangeChallengeRequest, call) => {
    const { cardId, change } = readChange(request, program);
    const card = await findOwnCard(cards, cardId, call.caller);
    const { typedData, expiresAt } = await approvals.issue(card, change, call);
    return { typedData, expiresAt };
  });
