import { signTypedMessage } from '@florin/evm/testing';
import { ChallengeStatus, Decision } from '@florin/proto/threeds/v1/challenge';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type Instance, type World } from '../testing/world.ts';

const { APPROVE, DECLINE } = Decision;

let world: World;
/** Remembers the challenges that it raised as they were before the other instance changed them. */
let here: Instance;
let there: Instance;

beforeAll(async () => {
  world = await createWorld();
  [here, there] = await Promise.all([world.start(), world.start()]);
});
afterAll(() => world.close());

/** Raises a challenge with typed data for both decisions, all known to `here`. */
const remembered = async () => {
  const { person, id, user } = await world.raise(here);
  const approve = await signTypedMessage(person.wallet, await user.issue(id, APPROVE));
  const decline = await signTypedMessage(person.wallet, await user.issue(id, DECLINE));
  const stranger = privateKeyToAccount(generatePrivateKey());
  const bad = await signTypedMessage(stranger, await user.issue(id, APPROVE));
  return { person, id, user, elsewhere: there.user(person), approve, decline, bad };
};

describe('a challenge that an instance remembers as open', () => {
  it('and that was decided elsewhere is returned as stored', async () => {
    const { id, user, elsewhere, approve, decline, bad } = await remembered();
    const decided = await elsewhere.submit(id, APPROVE, approve);
    for (const signature of [bad, approve]) expect(await user.submit(id, APPROVE, signature)).toEqual(decided);
    await expect(user.submit(id, DECLINE, decline)).rejects.toMatchObject({ code: 'DECISION_ALREADY_MADE' });
    expect(await world.stored(id)).toMatchObject({ decision: 'approve', badSignatures: 0 });
  });

  it.each(['a good', 'a bad'])('and that was cancelled elsewhere rejects a decision with %s signature', async (which) => {
    const { id, user, approve, bad } = await remembered();
    await there.acs.cancel(id);
    await expect(user.submit(id, APPROVE, which === 'a bad' ? bad : approve)).rejects.toMatchObject({ code: 'DECISION_NOT_AVAILABLE' });
    expect(await world.stored(id)).toMatchObject({ status: 'cancelled', badSignatures: 0 });
  });

  it('accepts typed data that was issued elsewhere', async () => {
    const { person, id, user, elsewhere } = await remembered();
    const signature = await signTypedMessage(person.wallet, await elsewhere.issue(id, APPROVE));
    expect((await user.submit(id, APPROVE, signature)).status).toBe(ChallengeStatus.APPROVED);
  });

  it('rejects typed data that was displaced elsewhere', async () => {
    const { id, user, elsewhere, approve } = await remembered();
    for (let count = 0; count < 3; count += 1) await elsewhere.issue(id, APPROVE);
    await expect(user.submit(id, APPROVE, approve)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await user.get(id)).toMatchObject({ status: ChallengeStatus.PENDING });
  });

  it('rejects a wallet that was removed in the meantime', async () => {
    const { person, id, user, approve } = await remembered();
    world.neighbours.users.set(person.userId, { id: person.userId, wallets: [] });
    await expect(user.submit(id, APPROVE, approve)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await world.stored(id)).toMatchObject({ status: 'pending', badSignatures: 1 });
  });

  it('counts a bad signature once and fetches the wallets once', async () => {
    const { id, user, bad } = await remembered();
    const asked = world.neighbours.asked.users;
    await expect(user.submit(id, APPROVE, bad)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(world.neighbours.asked.users).toBe(asked + 1);
    expect(await world.stored(id)).toMatchObject({ badSignatures: 1 });
  });
});
