import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { createRpcChannel } from '@florin/rpc/client';
import { waitFor } from '@florin/rpc/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProcessor, createWorld, PHONE, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('exports cards to a user who has just signed in only, and tells the processor of those of an erased user, without the names', async () => {
  const { processor, told } = createTestProcessor();
  const app = await world.start({ processor });
  const channel = createRpcChannel({ baseUrl: app.app.url });
  try {
    const user = await app.as();
    const cards = [await user.create({ phone: PHONE, cardName: 'Groceries' }), await user.create({ cardName: 'Travel' })];
    const client = channel.client(PersonalDataService);
    const options = await world.serviceOptions('identity', [PRIVACY_SCOPES.eraseData]);
    const stale = await app.as(user.userId, new Date(world.clock.now().getTime() - 301_000));
    await expect(client.exportPersonalData({}, stale.options)).rejects.toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    const erase = () => client.erasePersonalData({ userId: user.userId }, options);
    await erase();
    const latestOf = (cardId: string) => told.findLast((state) => state.cardId === cardId);
    await waitFor('the processor to know', async () => (cards.every(({ id }) => latestOf(id)?.name === '') ? true : undefined));
    expect(cards.map(({ id }) => latestOf(id)?.status)).toEqual(['cancelled', 'cancelled']);
    // A repeat changes nothing: the processor is told of no further revision.
    const revisions = cards.map(({ id }) => latestOf(id)?.revision);
    await erase();
    const { records } = await client.exportPersonalData(
      { userId: user.userId },
      await world.serviceOptions('identity', [PRIVACY_SCOPES.exportData]),
    );
    expect(records.map(({ kind, data }) => [kind, data?.['name'], data?.['statusReason']])).toEqual([
      ['card', '', undefined],
      ['card', '', undefined],
    ]);
    expect(cards.map(({ id }) => latestOf(id)?.revision)).toEqual(revisions);
  } finally {
    await channel.close();
    await app.close();
  }
});
