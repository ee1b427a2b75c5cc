/** The actions of the network, and of the cardholder, on a payment. */
export const ACTIONS = [
  ...(['authorize', 'withdraw', 'increment', 'clear', 'clearPart', 'reverse', 'reversePart', 'expire', 'refund', 'advise'] as const),
  ...(['correctDebit', 'correctCredit', 'announce', 'reverseAnnounced', 'forcePost', 'credit', 'reverseRefund'] as const),
  ...(['fuel', 'askCredit', 'standIn', 'undo', 'undoIncrease'] as const),
  // Under a transaction id of increases.
  ...(['incrementAside', 'adviseAside', 'reverseAside', 'reversePartAside'] as const),
  // These change nothing of a payment.
  ...(['verify', 'inquire', 'declineElsewhere', 'acknowledge', 'presentAgain', 'reverseAgain'] as const),
  ...(['clearUnknown', 'refundUnknown'] as const),
  ...(['refundElsewhere', 'reverseElsewhere', 'dispute', 'disputePart', 'chargeBack', 'present', 'arbitrate'] as const),
  ...(['win', 'winPart', 'lose', 'giveUp'] as const),
] as const;
export type Action = (typeof ACTIONS)[number];

/** The program's hold for fuel, and the unit that the pump asks with. */
export const FUEL_HOLD = 9000;
export const FUEL_UNIT = 100;

/** Share of a disputed amount that is credited while it is undecided. */
export const PROVISIONAL_PERCENT = 40;

/** The state of one payment, computed from the events alone: a second, smaller reading of the rules. */
export type Model = {
  open: boolean;
  /** Ended by the processor itself: the next approval begins anew. */
  undone: boolean;
  /** The network knows of an approval. */
  known: boolean;
  ended: false | 'reversed' | 'expired' | 'cleared';
  held: number;
  cleared: number;
  refunded: number;
  /** Refunded under transaction ids of their own. */
  elsewhere: number;
  early: number;
  /** Force posts and corrections. */
  beside: number;
  /** Booked at once, and not cleared, before the latest attempt. */
  former: number;
  /** The latest increase, as long as it can be undone. */
  raised: number;
  /** The latest increase is under a transaction id of increases. */
  isAside: boolean;
  /** The amounts that stand of that transaction now, and stood at the latest clearing. */
  aside: number;
  asideBefore: number;
  /** In suspense: reports for a card that nobody knows, below zero where they charge. */
  suspended: number;
  /** Cleared beyond what was held, while the hold is open, and what increases have covered of it since the latest clearing. */
  over: number;
  covered: number;
  announced: number;
  /** Booked with its authorization, and not reversed yet. */
  atOnce: boolean;
  /** Of what was booked at once: what was asked back, and what was given back beside the refunds. */
  asked: number;
  given: number;
  /** Oldest first. */
  disputes: readonly Dispute[];
  /** Fuel whose amount nobody knows: what was approved, as the pump and as the program counts it, and what reversals and clearings have asked for. */
  pumped?: { approved: number; billing: number };
  reversals: number;
  clearings: number;
};

/** `stage` counts from 0; `won`: what its latest outcome has credited, also while that is contested. */
type Dispute = { amount: number; stage: number; outcome?: 'won' | 'lost' | 'givenUp'; won?: number };

export const newModel = (): Model => ({
  ...{ open: false, undone: false, known: false, ended: false, held: 0, cleared: 0, refunded: 0, elsewhere: 0, early: 0, beside: 0 },
  ...{ former: 0, raised: 0, isAside: false, aside: 0, asideBefore: 0 },
  ...{ suspended: 0, over: 0, covered: 0, announced: 0, atOnce: false, asked: 0, given: 0, disputes: [], reversals: 0, clearings: 0 },
});

const refundsOf = ({ refunded, elsewhere }: Model): number => Math.max(0, refunded + elsewhere);
const disputable = (model: Model): number => Math.max(0, model.cleared - refundsOf(model));

/** The amounts that the disputes have credited by now: older ones first, together at most what can be disputed. */
const creditsOf = (model: Model): number[] => {
  let left = disputable(model);
  return model.disputes.map(({ amount, outcome, won }) => {
    const share = won ?? Math.floor((amount * PROVISIONAL_PERCENT) / 100);
    const credit = outcome === 'lost' || outcome === 'givenUp' ? 0 : Math.min(share, left);
    left -= credit;
    return credit;
  });
};

/** The amount that the disputes have credited by now; `undecided`: of those alone that may be lost yet. */
export const disputeCredit = (model: Model, undecided = false): number =>
  creditsOf(model).reduce((sum, credit, index) => (undecided && model.disputes[index]?.outcome !== undefined ? sum : sum + credit), 0);

/** The amount that a dispute can be about which is opened now. */
const newlyDisputable = (model: Model): number => {
  const of = (lost: boolean): number =>
    model.disputes.reduce((sum, { amount, outcome }) => (outcome !== 'givenUp' && (outcome === 'lost') === lost ? sum + amount : sum), 0);
  return Math.min(disputable(model), model.cleared - of(true)) - of(false);
};

/** Reports whether a dispute of this amount, or of all that can be disputed, can be opened. */
export const canDispute = (model: Model, amount = 1): boolean => newlyDisputable(model) >= amount;

/** The latest dispute at a later stage. It opens again when it was decided, unless it was given up, or lost before the acquirer's turn. */
const atStage = (dispute: Dispute, stage: number): Dispute => {
  const { outcome, ...rest } = dispute;
  if (stage <= dispute.stage || outcome === 'givenUp' || (outcome === 'lost' && stage === STAGES.present)) return dispute;
  return { ...rest, stage, ...(outcome === 'lost' ? { won: 0 } : {}) };
};

const STAGES = { chargeBack: 1, present: 2, arbitrate: 4 } as const;

const OUTCOMES = { win: 'won', winPart: 'won', lose: 'lost', giveUp: 'givenUp' } as const;

/** Reports whether the latest dispute can end so: it is undecided, or has ended so. */
export const canEnd = ({ disputes }: Model, action: keyof typeof OUTCOMES): boolean => {
  const latest = disputes.at(-1);
  return latest !== undefined && (latest.outcome ?? OUTCOMES[action]) === OUTCOMES[action];
};

const withDispute = (model: Model, index: number, change: (dispute: Dispute) => Dispute): Model => ({
  ...model,
  disputes: model.disputes.map((dispute, place) => (place === index ? change(dispute) : dispute)),
});

const ended = (dispute: Dispute, action: keyof typeof OUTCOMES, amount: number): Dispute => {
  if (dispute.outcome !== undefined) return dispute;
  const { won: _former, ...rest } = dispute;
  if (action === 'lose' || action === 'giveUp') return { ...rest, outcome: OUTCOMES[action] };
  return { ...rest, outcome: 'won', won: action === 'win' ? dispute.amount : Math.min(dispute.amount, amount) };
};

/** The amount asked back of a booking, no part of it beside a refund. */
const givenBack = (model: Model, asked = model.asked): Model => {
  const booked = model.cleared + model.given;
  const given = Math.min(asked, Math.max(0, booked - refundsOf(model)));
  return { ...model, asked, given, cleared: booked - given };
};

/** Booked, and of the latest attempt. */
const bookedBy = ({ cleared, given, former, beside }: Model): number => cleared + given - former - beside;

/** Of what was booked at once: what no clearing has told of. */
const unclearedOf = (model: Model): number => model.cleared + model.given - model.beside - model.clearings;

/** Released before anything was held. */
const earlyOf = ({ open, early }: Model): number => (open ? 0 : early);

const advised = (model: Model, amount: number): Model => {
  const booked = bookedBy(model);
  if (model.atOnce) {
    const raised = { ...model, cleared: model.cleared + Math.max(0, amount - booked) };
    return givenBack(raised, model.former + Math.max(0, booked - amount));
  }
  if (model.ended) return model;
  const target = Math.max(0, amount - booked - earlyOf(model));
  return model.open || target > 0 ? { ...model, open: true, held: target, over: 0, covered: 0 } : model;
};

/** Booked by the network in our place: instead of what is held, or after a reversal once more. */
const bookedElsewhere = (model: Model, amount: number): Model => {
  if (model.atOnce) return advised(model, amount);
  if (model.ended === 'cleared') return model;
  const again = model.ended === 'reversed';
  const booked = again ? amount : Math.max(0, amount - bookedBy(model) - earlyOf(model));
  const open = model.open || booked > 0;
  const former = again ? unclearedOf(model) : model.former;
  return givenBack({ ...model, open, former, ended: 'cleared', held: 0, atOnce: true, cleared: model.cleared + booked });
};

/** A clearing of what was booked at once is the record of that: only what goes beyond it is booked as well. */
const clearedBeyond = (model: Model, amount: number): Model => {
  const left = Math.max(0, unclearedOf(model) - model.former + model.early);
  return givenBack({ ...model, cleared: model.cleared + amount - Math.min(amount, left) });
};

/** How well a clearing fits that names a payment: best while that is open, then while a booking awaits it, then after its end. */
const fitOf = (model: Model): number => {
  if (model.open && !model.ended) return 3;
  if (model.atOnce && unclearedOf(model) + model.early > model.former) return 2;
  return model.ended === 'expired' || model.ended === 'reversed' ? 1 : 0;
};

/**
 * Chooses the payment of an event under a transaction id of its own, among those with the name that it gives.
 * @returns undefined if the event begins a payment: none fits, or several fit equally well
 */
export const ownerOf = (named: readonly Model[], action: Action): Model | undefined => {
  const best = Math.max(...named.map(fitOf));
  const fits = (model: Model): boolean => {
    if (action === 'present') return model.disputes.length > 0;
    return (action !== 'clear' && action !== 'clearPart') || (best > 0 && fitOf(model) === best);
  };
  const fitting = named.filter(fits);
  return fitting.length === 1 ? fitting[0] : undefined;
};

/** Reports whether only what is announced can be reversed. */
const onlyAnnounces = ({ announced, open, ended, atOnce }: Model): boolean => announced > 0 && (!open || ended) && !atOnce;

/** A pump reverses parts of what it knows to be approved. */
const unitReversed = (model: Model, { approved, billing }: NonNullable<Model['pumped']>, amount: number): Model => {
  const before = model.reversals;
  const released = Math.floor((billing * (before + amount)) / approved) - Math.floor((billing * before) / approved);
  const all = before + model.clearings + amount >= approved || released >= model.held;
  return all ? { ...model, held: 0, ended: 'reversed' } : { ...model, held: model.held - released };
};

const reversedInPart = (model: Model, amount: number): Model => {
  const booked = model.cleared + model.given - model.beside;
  if (onlyAnnounces(model)) return { ...model, announced: Math.max(0, model.announced - amount) };
  if (model.atOnce) {
    const whole = model.asked + amount >= booked;
    return { ...givenBack(model, Math.min(booked, model.asked + amount)), ...(whole ? { atOnce: false, ended: 'reversed' } : {}) };
  }
  if (model.ended) return model;
  if (!model.open) return { ...model, early: model.early + amount };
  if (model.pumped !== undefined) return unitReversed(model, model.pumped, amount);
  return amount >= model.held ? { ...model, held: 0, ended: 'reversed' } : { ...model, held: model.held - amount };
};

/** The payment as another approval finds it. */
const begunAnew = (model: Model): Model => {
  const { pumped: _former, ...rest } = model;
  return model.undone
    ? { ...rest, undone: false, open: false, ended: false, held: 0, raised: 0, aside: 0, asideBefore: 0, reversals: 0 }
    : model;
};

const undone = (model: Model): Model => {
  if (model.known || !model.open) return model;
  const former = unclearedOf(model);
  if (model.atOnce) return { ...givenBack(model, Math.max(model.asked, former)), former, atOnce: false, ended: 'reversed', undone: true };
  return model.ended ? model : { ...model, held: 0, ended: 'reversed', undone: true };
};

/** Cleared beyond what is held by now. */
const overOf = ({ over, covered, aside, asideBefore }: Model): number => Math.max(0, over - covered - Math.max(0, aside - asideBefore));

/** The authorization counts as a pump knows it, with another amount of its increases. */
const pumpedWith = ({ pumped }: Model, change: number): Pick<Model, 'pumped'> =>
  pumped === undefined ? {} : { pumped: { approved: pumped.approved + change, billing: pumped.billing + change } };

const increased = (model: Model, amount: number, isAside: boolean): Model => ({
  ...model,
  ...pumpedWith(model, amount),
  held: model.held + Math.max(0, amount - overOf(model)),
  covered: model.covered + (isAside ? 0 : amount),
  raised: amount,
  isAside,
  aside: model.aside + (isAside ? amount : 0),
});

/** An increase that was undone has held nothing, and has covered nothing of a clearing. A part that was reversed before is not undone once more. */
const undoneIncrease = (model: Model): Model => {
  const { raised, isAside, aside } = model;
  if (raised === 0 || !model.open || model.ended) return model;
  const stands = isAside ? Math.min(raised, aside) : raised;
  const next = { ...model, held: Math.max(0, model.held - stands), covered: model.covered - (isAside ? 0 : raised), raised: 0 };
  return { ...next, ...pumpedWith(model, -stands), aside: aside - (isAside ? stands : 0) };
};

const increasesAdvised = (model: Model, amount: number): Model => {
  if (!model.open || model.ended) return model;
  const change = amount - model.aside;
  const held = Math.max(0, model.held - overOf(model) + change);
  return { ...model, ...pumpedWith(model, change), held, over: 0, covered: 0, aside: amount, asideBefore: amount };
};

const increasesReversed = (model: Model, amount: number): Model => {
  if (!model.open || model.ended) return model;
  const reversed = Math.min(model.aside, amount);
  return { ...model, ...pumpedWith(model, -reversed), held: Math.max(0, model.held - reversed), aside: model.aside - reversed };
};

const clearedInPart = (model: Model, amount: number): Model => ({
  ...model,
  cleared: model.cleared + amount,
  held: Math.max(0, model.held - amount),
  over: overOf(model) + Math.max(0, amount - model.held),
  covered: 0,
  asideBefore: model.aside,
});

const afterEvent = (model: Model, action: Action, amount: number, approved: boolean): Model => {
  const left = Math.max(0, amount - bookedBy(model) - model.early);
  const pending = model.open && !model.ended;
  switch (action) {
    case 'authorize':
      if (!approved) return model;
      return left === 0 ? { ...model, ended: 'cleared' } : { ...model, open: true, held: left };
    case 'fuel': {
      if (!approved) return model;
      const rest = Math.max(0, FUEL_HOLD - bookedBy(model) - model.early);
      return {
        ...model,
        ...(rest === 0 ? { ended: 'cleared' as const } : { open: true, held: rest }),
        pumped: { approved: FUEL_UNIT, billing: FUEL_HOLD },
      };
    }
    case 'withdraw':
      if (!approved) return model;
      return givenBack({ ...model, open: left > 0, ended: 'cleared', atOnce: true, cleared: model.cleared + left });
    case 'increment':
    case 'incrementAside':
      return approved ? increased(model, amount, action === 'incrementAside') : model;
    case 'adviseAside':
      return increasesAdvised(model, amount);
    case 'reverseAside':
      return increasesReversed(model, model.aside);
    case 'reversePartAside':
      return increasesReversed(model, amount);
    case 'clear':
      if (model.atOnce) return clearedBeyond(model, amount);
      return givenBack({ ...model, cleared: model.cleared + amount, ...(pending ? { held: 0, ended: 'cleared' } : {}) });
    case 'clearPart':
      if (model.atOnce) return clearedBeyond(model, amount);
      return givenBack(pending ? clearedInPart(model, amount) : { ...model, cleared: model.cleared + amount });
    case 'reverse':
      if (onlyAnnounces(model)) return { ...model, announced: 0 };
      if (model.atOnce) return { ...givenBack(model, model.cleared + model.given - model.beside), atOnce: false, ended: 'reversed' };
      return model.ended ? model : { ...model, held: 0, ended: 'reversed' };
    case 'reversePart':
      return reversedInPart(model, amount);
    case 'expire':
      if (onlyAnnounces(model)) return { ...model, announced: 0 };
      return pending ? { ...model, held: 0, ended: 'expired' } : model;
    case 'refund':
    case 'credit':
    case 'correctCredit':
      return givenBack({ ...model, refunded: model.refunded + amount, announced: Math.max(0, model.announced - amount) });
    case 'reverseRefund':
      return givenBack({ ...model, refunded: model.refunded - amount });
    case 'refundElsewhere':
      return givenBack({ ...model, elsewhere: model.elsewhere + amount });
    case 'reverseElsewhere':
      return givenBack({ ...model, elsewhere: model.elsewhere - amount });
    case 'correctDebit':
    case 'forcePost':
      return givenBack({ ...model, cleared: model.cleared + amount, beside: model.beside + amount });
    case 'askCredit':
      return approved ? { ...model, announced: model.announced + amount } : model;
    case 'announce':
      return { ...model, announced: model.announced + amount };
    case 'reverseAnnounced':
      return { ...model, announced: Math.max(0, model.announced - amount) };
    case 'advise':
      return advised(model, amount);
    case 'standIn':
      return bookedElsewhere(model, amount);
    case 'undo':
      return undone(model);
    case 'undoIncrease':
      return undoneIncrease(model);
    case 'clearUnknown':
      return { ...model, suspended: model.suspended - amount };
    case 'refundUnknown':
      return { ...model, suspended: model.suspended + amount };
    case 'verify':
    case 'inquire':
    case 'declineElsewhere':
    case 'acknowledge':
    case 'presentAgain':
    case 'reverseAgain':
      return model;
    case 'dispute':
      return approved ? { ...model, disputes: [...model.disputes, { amount: newlyDisputable(model), stage: 0 }] } : model;
    case 'disputePart':
      return approved ? { ...model, disputes: [...model.disputes, { amount, stage: 0 }] } : model;
    case 'chargeBack':
    case 'arbitrate':
      return withDispute(model, model.disputes.length - 1, (dispute) => atStage(dispute, STAGES[action]));
    case 'present':
      return withDispute(
        model,
        model.disputes.findLastIndex(({ outcome = 'won' }) => outcome === 'won'),
        (dispute) => atStage(dispute, STAGES.present),
      );
    case 'win':
    case 'winPart':
    case 'lose':
    case 'giveUp':
      return withDispute(model, model.disputes.length - 1, (dispute) => ended(dispute, action, amount));
  }
};

/** Approvals, and events by which the network tells of one. */
const BEGINNING: ReadonlySet<Action> = new Set(['authorize', 'withdraw', 'fuel', 'advise', 'standIn']);
const KNOWING: ReadonlySet<Action> = new Set(['advise', 'adviseAside', 'standIn', 'clear', 'clearPart']);

/** The payment after an event; requests that were declined change nothing. */
export const apply = (before: Model, action: Action, amount: number, approved: boolean): Model => {
  const begins = BEGINNING.has(action) && approved;
  const model = begins ? begunAnew(before) : before;
  const after = afterEvent(model, action, amount, approved);
  const { pumped, ...next } = after;
  return {
    ...next,
    ...(pumped === undefined || action === 'advise' || action === 'standIn' ? {} : { pumped }),
    reversals: next.reversals + (action === 'reversePart' ? amount : 0),
    clearings: next.clearings + (action === 'clear' || action === 'clearPart' ? amount : 0),
    known: next.known || KNOWING.has(action),
    raised: KNOWING.has(action) ? 0 : next.raised,
    undone: next.undone && action !== 'reverse' && action !== 'reversePart' && action !== 'reverseAgain',
  };
};
