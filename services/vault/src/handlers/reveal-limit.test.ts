import { CardDataAction } from '@florin/proto/vault/v1/card_data_service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../testing/world.ts';

const REVEALS_PER_DAY = 4;

let world: World;

beforeAll(async () => {
  world = await createWorld({ REVEALS_PER_DAY: String(REVEALS_PER_DAY) });
});
afterAll(() => world.close());

it('counts on when the clocks of two vaults stand on either side of midnight', async () => {
  const vault = await world.start();
  const untilMidnight = 86_400_000 - (world.clock.now().getTime() % 86_400_000);
  const slow = await world.start({ runtime: { now: () => new Date(world.clock.now().getTime() - 1000) } });
  const person = await vault.newPerson();
  world.clock.advanceSeconds(untilMidnight / 1000);
  const view = async (index: number): Promise<'shown' | string> => {
    const { signature } = await person.challenge(CardDataAction.VIEW_DETAILS);
    const request = { cardId: person.cardId, action: CardDataAction.VIEW_DETAILS, signature, keyJson: person.appKey.keyJson };
    return (index % 2 === 0 ? vault : slow).data.revealCardData(request, person.options).then(
      () => 'shown',
      (error: { code: string }) => error.code,
    );
  };
  const results: string[] = [];
  for (let index = 0; index < REVEALS_PER_DAY + 2; index += 1) results.push(await view(index));
  const over = ['CARD_DATA_LIMIT_REACHED', 'CARD_DATA_LIMIT_REACHED'];
  expect(results).toEqual([...Array.from({ length: REVEALS_PER_DAY }, () => 'shown'), ...over]);
});

it('says how long it is until midnight UTC', async () => {
  const vault = await world.start();
  const person = await vault.newPerson();
  const view = async () => {
    const { signature } = await person.challenge(CardDataAction.VIEW_DETAILS);
    return vault.data.revealCardData(
      { cardId: person.cardId, action: CardDataAction.VIEW_DETAILS, signature, keyJson: person.appKey.keyJson },
      person.options,
    );
  };
  for (let index = 0; index < REVEALS_PER_DAY; index += 1) await view();
  const retryAfterSeconds = String(86_400 - (Math.floor(world.clock.now().getTime() / 1000) % 86_400));
  await expect(view()).rejects.toMatchObject({ code: 'CARD_DATA_LIMIT_REACHED', metadata: { retryAfterSeconds } });
});
