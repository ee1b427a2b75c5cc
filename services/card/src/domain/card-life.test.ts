import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Card, type CardAction, type CardActor, type CardStatus, type ChangeOrigin, STORED_CARD_STATUSES, statusAt } from './card.ts';
import { CARD_LIFE, type CardCommand, planChange, planRenewal } from './card-life.ts';

const NOW = new Date('2026-03-15T12:00:00Z');

const cardIn = (status: CardStatus, frozenBy: readonly CardActor[] = status === 'frozen' ? ['cardholder'] : []): Card => ({
  id: 'card',
  userId: 'user',
  accountId: 'account',
  name: 'Everyday',
  last4: '4242',
  expMonth: 3,
  expYear: 2030,
  network: 'visa',
  status: status === 'expired' ? 'active' : status,
  frozenBy,
  expiresAt: status === 'expired' ? NOW : new Date('2030-04-01T00:00:00Z'),
  createdAt: NOW,
  revision: 0,
  history: [],
});

let requests = 0;
const by = (actor: CardActor, more: Partial<ChangeOrigin> = {}): ChangeOrigin => {
  requests += 1;
  return { requestId: `${requests}`, inputHash: 'hash', actor, actorId: 'someone', ...more };
};

const commandOf = (action: CardAction): CardCommand => {
  if (action === 'rename') return { action, name: 'Other' };
  if (action === 'replace') return { action, replacedBy: 'replacement' };
  if (action === 'renew') return { action, expMonth: 3, expYear: 2034 };
  return { action };
};

const outcomeOf = (card: Card, action: CardAction, actor: CardActor): string => {
  try {
    const planned = planChange(card, commandOf(action), by(actor), NOW);
    return planned === undefined ? 'unchanged' : statusAt(planned.card, NOW);
  } catch (error) {
    return (error as { code: string }).code === 'CARD_STATE_CONFLICT' ? 'conflict' : (error as { code: string }).code;
  }
};

/** Rows: action by the cardholder. Columns: status before it; frozen by the cardholder, by the issuer, by both. */
const TABLE = `
               active     frozen/c   frozen/i          frozen/ci         lost       stolen     cancelled  expired
freeze         frozen     unchanged  frozen            unchanged         conflict   conflict   conflict   conflict
unfreeze       unchanged  active     FROZEN_BY_ISSUER  FROZEN_BY_ISSUER  conflict   conflict   conflict   conflict
report_lost    lost       lost       lost              lost              unchanged  conflict   conflict   conflict
report_stolen  stolen     stolen     stolen            stolen            conflict   unchanged  conflict   conflict
cancel         cancelled  cancelled  cancelled         cancelled         conflict   conflict   unchanged  conflict
replace        conflict   conflict   conflict          conflict          lost       stolen     conflict   conflict
renew          active     frozen     frozen            frozen            conflict   conflict   conflict   conflict
rename         active     frozen     frozen            frozen            conflict   conflict   conflict   conflict
`;

const [columns = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const cells = rows.flatMap(([action, ...outcomes]) =>
  outcomes.map((outcome, index) => ({ action: action as CardAction, before: columns[index] ?? '', outcome })),
);

const parseColumn = (column: string): Card => {
  const [status = '', parties] = column.split('/');
  const frozenBy = [...(parties ?? '')].map((letter): CardActor => (letter === 'c' ? 'cardholder' : 'issuer'));
  return cardIn(status as CardStatus, frozenBy);
};

describe('life of a card', () => {
  it.each(cells)('$action by the cardholder of a card that is $before: $outcome', ({ action, before, outcome }) => {
    expect(outcomeOf(parseColumn(before), action, 'cardholder')).toBe(outcome);
  });

  it.each([
    ['active', 'freeze', 'frozen'],
    ['frozen/c', 'freeze', 'frozen'],
    ['frozen/i', 'freeze', 'unchanged'],
    ['frozen/c', 'unfreeze', 'conflict'],
    ['frozen/i', 'unfreeze', 'active'],
    ['frozen/ci', 'unfreeze', 'frozen'],
  ] as const)('of a card that is %s: %s by the issuer: %s', (before, action, outcome) => {
    expect(outcomeOf(parseColumn(before), action, 'issuer')).toBe(outcome);
  });

  it('is the table of the README', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const lines = readme.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const header = lines.find(([, first, second]) => first === 'action' && second === 'active')?.slice(2, -1) ?? [];
    const documented = Object.keys(CARD_LIFE).map((action) => {
      const row = lines.find(([, first]) => first === action)?.slice(2, -1) ?? [];
      return [action, Object.fromEntries(header.flatMap((status, index) => (row[index] === '–' ? [] : [[status, row[index]]])))];
    });
    expect(Object.fromEntries(documented)).toEqual(CARD_LIFE);
  });

  it('records each change with its reason, and an event', () => {
    const origin = by('issuer', { actorId: 'office:ann', reason: 'suspected fraud' });
    const planned = planChange(cardIn('active'), { action: 'freeze' }, origin, NOW);
    expect(planned?.card).toMatchObject({ status: 'frozen', frozenBy: ['issuer'], statusReason: 'suspected fraud', revision: 1 });
    expect(planned?.card.history).toEqual([{ ...origin, at: NOW, action: 'freeze', from: 'active', to: 'frozen' }]);
    expect(planned?.event).toEqual({
      type: 'card.frozen',
      payload: { cardId: 'card', accountId: 'account', userId: 'user', last4: '4242', status: 'frozen', actor: 'issuer' },
    });
    const lifted = planChange(planned?.card ?? cardIn('lost'), { action: 'unfreeze' }, by('issuer', { reason: 'cleared' }), NOW);
    expect(lifted?.card).not.toHaveProperty('statusReason');
    expect(lifted?.card.history).toHaveLength(2);
  });

  it('shows the reason of the freeze that the cardholder cannot lift', () => {
    const apply = (card: Card, action: 'freeze' | 'unfreeze', actor: CardActor, reason?: string): Card =>
      planChange(card, { action }, by(actor, reason === undefined ? {} : { reason }), NOW)?.card ?? cardIn('lost');
    const byIssuer = apply(cardIn('active'), 'freeze', 'issuer', 'suspected fraud');
    const byBoth = apply(byIssuer, 'freeze', 'cardholder', 'misplaced');
    expect(byBoth).toMatchObject({ frozenBy: ['issuer', 'cardholder'], statusReason: 'suspected fraud' });
    const byCardholder = apply(byBoth, 'unfreeze', 'issuer', 'cleared');
    expect(byCardholder).toMatchObject({ status: 'frozen', frozenBy: ['cardholder'] });
    expect(byCardholder).not.toHaveProperty('statusReason');
    const renamed = planChange(byBoth, { action: 'rename', name: 'Other' }, by('cardholder'), NOW)?.card;
    expect(renamed?.statusReason).toBe('suspected fraud');
  });

  it('ignores a repeat of a request and rejects its key for another change', () => {
    const origin = by('cardholder');
    const frozen = planChange(cardIn('active'), { action: 'freeze' }, origin, NOW)?.card ?? cardIn('lost');
    const active = planChange(frozen, { action: 'unfreeze' }, by('cardholder'), NOW)?.card ?? cardIn('lost');
    expect(planChange(active, { action: 'freeze' }, origin, NOW)).toBeUndefined();
    expect(() => planChange(active, { action: 'cancel' }, { ...origin, inputHash: 'other' }, NOW)).toThrow(
      expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }),
    );
  });

  it('keeps every invariant over any sequence of changes', () => {
    const step = fc.record({
      action: fc.constantFrom<CardAction>('freeze', 'unfreeze', 'report_lost', 'report_stolen', 'cancel', 'replace', 'renew', 'rename'),
      actor: fc.constantFrom<CardActor>('cardholder', 'issuer'),
    });
    fc.assert(
      fc.property(fc.constantFrom(...STORED_CARD_STATUSES), fc.array(step, { maxLength: 150 }), (status, steps) => {
        let card = cardIn(status);
        for (const { action, actor } of steps) {
          const before = card;
          try {
            card = planChange(card, commandOf(action), by(actor), NOW)?.card ?? card;
          } catch (error) {
            expect(['CARD_STATE_CONFLICT', 'FROZEN_BY_ISSUER']).toContain((error as { code: string }).code);
          }
          expect(card.frozenBy.length > 0).toBe(card.status === 'frozen');
          expect(new Set(card.frozenBy).size).toBe(card.frozenBy.length);
          expect(card.history.length).toBeLessThanOrEqual(100);
          expect(card.revision - before.revision).toBe(card === before ? 0 : 1);
          if (before.status !== 'active' && before.status !== 'frozen') expect(card.status).toBe(before.status);
          if (before.frozenBy.includes('issuer') && card.status === 'active') expect(actor).toBe('issuer');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('renewal', () => {
  const expiringAt = (iso: string): Card => ({ ...cardIn('active'), expiresAt: new Date(iso) });

  it.each([
    ['2026-03-15T12:01:00.000Z', true],
    ['2026-03-15T12:00:59.999Z', false],
    ['2026-03-15T12:00:00.000Z', false],
    ['2030-04-15T12:00:00.000Z', true],
    ['2030-04-15T12:00:00.001Z', false],
  ])('of a card that expires at %s is allowed: %s', (iso, allowed) => {
    const plan = () => planRenewal(expiringAt(iso), by('cardholder'), NOW);
    if (allowed) expect(plan()?.renewal?.requestedAt).toEqual(NOW);
    else expect(plan).toThrow(expect.objectContaining({ code: 'CARD_STATE_CONFLICT' }));
  });

  it('is recorded once, completed by the change of the expiry, and dropped when the card ends', () => {
    const origin = by('cardholder');
    const recorded = planRenewal(cardIn('active'), origin, NOW) ?? cardIn('lost');
    expect(planRenewal(recorded, origin, NOW)).toBeUndefined();
    expect(() => planRenewal(recorded, by('cardholder'), NOW)).toThrow(expect.objectContaining({ code: 'CARD_STATE_CONFLICT' }));
    const frozen = planChange(recorded, { action: 'freeze' }, by('cardholder'), NOW)?.card;
    expect(frozen?.renewal?.origin).toEqual(origin);
    const renewed = planChange(recorded, commandOf('renew'), origin, NOW)?.card;
    expect(renewed).toMatchObject({ expMonth: 3, expYear: 2034, expiresAt: new Date('2034-04-01T00:00:00Z') });
    expect(renewed).not.toHaveProperty('renewal');
    const ended = planChange(recorded, { action: 'cancel' }, by('cardholder'), NOW)?.card;
    expect(ended).not.toHaveProperty('renewal');
  });
});
