import { describe, expect, it } from 'vitest';
import { createSlots, type Slot, type Slots } from './slots.ts';

const newSlots = (all: number, perPartner = all): Slots =>
  createSlots({ trusted: { all, perPartner }, doubtful: { all: 1, perPartner: 1 } });

/** Takes a slot that has to be free. */
const takeFree = (slots: Slots, partner: string, isDoubtful = false): Slot => {
  const slot = slots.take({ partner, isDoubtful }, () => expect.fail('the slot was not waited for'));
  if (slot === undefined) return expect.fail('no slot is free');
  return slot;
};

/** Waits for a slot. @returns those that were granted so far */
const waitFor = (slots: Slots, partner: string): Slot[] => {
  const granted: Slot[] = [];
  expect(slots.take({ partner, isDoubtful: false }, (slot) => granted.push(slot))).toBeUndefined();
  return granted;
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a slot', () => {
  it('goes to the one that waits, and not to the one that returns it and asks again at once', async () => {
    const slots = newSlots(1);
    const first = takeFree(slots, 'hog');
    const victim = waitFor(slots, 'victim');
    first.release();
    const again = waitFor(slots, 'hog');
    await nextTurn();
    expect(victim).toHaveLength(1);
    expect(again).toEqual([]);
    victim[0]?.release();
    await nextTurn();
    expect(again).toHaveLength(1);
  });

  it('goes to partners in turn, however many endpoints of one wait', async () => {
    const slots = newSlots(1, 2);
    let current = takeFree(slots, 'hog');
    const order: string[] = [];
    for (const partner of ['hog', 'hog', 'hog', 'victim', 'other']) {
      const granted = (slot: Slot) => {
        order.push(partner);
        current = slot;
      };
      expect(slots.take({ partner, isDoubtful: false }, granted)).toBeUndefined();
    }
    for (let turn = 0; turn < 5; turn += 1) {
      current.release();
      await nextTurn();
    }
    expect(order).toEqual(['hog', 'victim', 'other', 'hog', 'hog']);
  });

  it('is not for a partner that has its share, while others find one free', async () => {
    const slots = newSlots(4, 2);
    const own = takeFree(slots, 'hog');
    takeFree(slots, 'hog');
    const more = waitFor(slots, 'hog');
    takeFree(slots, 'victim').release();
    await nextTurn();
    expect(more).toEqual([]);
    own.release();
    await nextTurn();
    expect(more).toHaveLength(1);
  });

  it('is free again for anyone when nobody waits, and is returned once', () => {
    const slots = newSlots(1);
    const slot = takeFree(slots, 'acme');
    slot.release();
    slot.release();
    takeFree(slots, 'other');
    waitFor(slots, 'acme');
  });

  it('of the pool for endpoints that fail takes nothing from the others', () => {
    const slots = newSlots(1);
    expect(takeFree(slots, 'acme', true).isDoubtful).toBe(true);
    expect(takeFree(slots, 'acme').isDoubtful).toBe(false);
  });
});
