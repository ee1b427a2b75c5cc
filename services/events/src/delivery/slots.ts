/** A place in one of the pools. Returning it hands it to the next one in the queue. */
export type Slot = { isDoubtful: boolean; release: () => void };

/** Takes a slot that was waited for; it has to be released, also when it is not needed any more. */
export type Granted = (slot: Slot) => void;

/** A request for a slot. */
export type Asker = { partner: string; isDoubtful: boolean };

/** Limits deliveries at the same time. Endpoints whose last delivery failed have a pool of their own, so that dead ones take nothing from the others. */
export type Slots = {
  /** @returns undefined while the partner has its share or all are taken; `granted` is then called once, with the slot, in the partner's turn */
  take: (asker: Asker, granted: Granted) => Slot | undefined;
};

/** A pool's limits. */
export type PoolSize = {
  all: number;
  /** Most that one partner has at the same time. */
  perPartner: number;
};

type Partner = { taken: number; waiting: Set<Granted> };

const createPool = ({ all, perPartner }: PoolSize, isDoubtful: boolean) => {
  let free = all;
  const partners = new Map<string, Partner>();
  /** Partners that wait and have less than their share; the next in turn first. While there are any, no slot is free. */
  const line = new Set<string>();

  const queueUp = (name: string, { taken, waiting }: Partner): void => {
    if (waiting.size > 0 && taken < perPartner) line.add(name);
  };

  const slotOf = (name: string, partner: Partner): Slot => {
    partner.taken += 1;
    let isTaken = true;
    return {
      isDoubtful,
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        partner.taken -= 1;
        queueUp(name, partner);
        if (partner.taken === 0 && partner.waiting.size === 0) partners.delete(name);
        handOver();
      },
    };
  };

  /** Gives a slot that was returned to the first in line: nobody else can take it in between. */
  const handOver = (): void => {
    const [name] = line;
    const partner = name === undefined ? undefined : partners.get(name);
    const [granted] = partner?.waiting ?? [];
    if (name === undefined || partner === undefined || granted === undefined) {
      free += 1;
      return;
    }
    line.delete(name);
    partner.waiting.delete(granted);
    const slot = slotOf(name, partner);
    queueUp(name, partner);
    // Not within the caller's turn: a long queue of which nobody needs the slot would make a deep stack.
    queueMicrotask(() => granted(slot));
  };

  return (name: string, granted: Granted): Slot | undefined => {
    const partner = partners.get(name) ?? { taken: 0, waiting: new Set() };
    partners.set(name, partner);
    if (free > 0 && partner.taken < perPartner) {
      free -= 1;
      return slotOf(name, partner);
    }
    partner.waiting.add(granted);
    queueUp(name, partner);
    return undefined;
  };
};

export const createSlots = (sizes: { trusted: PoolSize; doubtful: PoolSize }): Slots => {
  const trusted = createPool(sizes.trusted, false);
  const doubtful = createPool(sizes.doubtful, true);
  return { take: ({ partner, isDoubtful }, granted) => (isDoubtful ? doubtful : trusted)(partner, granted) };
};
