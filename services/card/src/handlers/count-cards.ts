import type { CountCardsRequest } from '@florin/proto/card/v1/card_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Counts the live cards of all users. */
export const countCards = ({ cards, runtime }: Dependencies) =>
  serviceMethod(async (_request: CountCardsRequest) => {
    const now = runtime.now();
    const [active, frozen] = await Promise.all([cards.count('active', now), cards.count('frozen', now)]);
    return { active: BigInt(active), frozen: BigInt(frozen) };
  });
