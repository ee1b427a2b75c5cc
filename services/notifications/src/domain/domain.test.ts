import { EVENT_TYPES, isEventType } from '@florin/proto/events/v1/event-types';
import { describe, expect, it } from 'vitest';
import { isAllowedEndpoint } from './endpoint-rules.ts';
import { KIND_OF, KINDS } from './kinds.ts';
import { firstLoudTime, LANGUAGES, withDefaults } from './preferences.ts';
import { nextAttempt, retryAfterMs } from './schedule.ts';
import { declineGroup, type Facts, mailOf, textOf } from './texts.ts';

describe('kinds', () => {
  it('are all of some type of the catalogue', () => {
    for (const type of Object.keys(KIND_OF)) expect(isEventType(type), type).toBe(true);
    expect(new Set(Object.values(KIND_OF))).toEqual(new Set(KINDS));
    for (const type of Object.keys(KIND_OF)) expect(EVENT_TYPES[type as keyof typeof EVENT_TYPES]).not.toHaveProperty('internal');
  });
});

describe('preferences', () => {
  it('have defaults for kinds that nobody has chosen', () => {
    expect(withDefaults()).toMatchObject({ language: 'en', kinds: { challenge: { push: true, email: false } } });
    const { kinds } = withDefaults({ kinds: { card: { push: false, email: true } } });
    expect([kinds.card, kinds.refund]).toEqual([
      { push: false, email: true },
      { push: true, email: false },
    ]);
  });

  const night = { fromMinute: 22 * 60, toMinute: 7 * 60, timeZone: 'Europe/Berlin' };
  it.each([
    ['2026-01-10T20:59:30.000Z', '2026-01-10T20:59:30.000Z'],
    ['2026-01-10T21:00:00.000Z', '2026-01-11T06:00:00.000Z'],
    ['2026-01-10T23:30:12.345Z', '2026-01-11T06:00:00.000Z'],
    ['2026-01-11T05:59:59.999Z', '2026-01-11T06:00:00.000Z'],
    ['2026-01-11T06:00:00.000Z', '2026-01-11T06:00:00.000Z'],
    ['2026-07-10T20:00:00.000Z', '2026-07-11T05:00:00.000Z'],
  ])('at %s let a device be disturbed at %s', (now, then) => {
    expect(firstLoudTime(night, new Date(now)).toISOString()).toBe(then);
  });

  it('are never quiet without quiet hours', () => {
    const now = new Date('2026-01-10T23:30:12.345Z');
    expect(firstLoudTime(undefined, now)).toEqual(now);
  });
});

describe('endpoints', () => {
  const rules = { hosts: ['fcm.googleapis.com', '*.push.apple.com'], allowsLoopback: false };
  it.each([
    ['https://fcm.googleapis.com/fcm/send/x', true],
    ['https://web.push.apple.com/x', true],
    ['https://push.apple.com/x', false],
    ['https://push.apple.com.example.org/x', false],
    ['https://evilpush.apple.com/x', false],
    ['http://fcm.googleapis.com/x', false],
    ['https://fcm.googleapis.com:8443/x', false],
    ['https://user@fcm.googleapis.com/x', false],
    ['https://127.0.0.1/x', false],
    ['https://169.254.169.254/x', false],
    ['file:///etc/passwd', false],
    ['x', false],
  ])('%s: %s', (endpoint, allowed) => {
    expect(isAllowedEndpoint(endpoint, rules)).toBe(allowed);
  });

  it('may be on the loopback interface where that is allowed', () => {
    const loopback = { ...rules, allowsLoopback: true };
    expect(isAllowedEndpoint('http://127.0.0.1:8123/x', loopback)).toBe(true);
    expect(isAllowedEndpoint('http://10.0.0.1/x', loopback)).toBe(false);
  });
});

describe('the schedule', () => {
  const now = new Date('2026-01-10T12:00:00Z');
  const later = (ms: number) => new Date(now.getTime() + ms);

  it('pauses longer and longer, and gives up', () => {
    const day = later(86_400_000);
    expect([1, 2, 3, 4, 5, 6, 7].map((attempts) => nextAttempt(now, attempts, day)?.getTime())).toEqual([
      ...[1000, 5000, 30_000, 120_000, 600_000, 3_600_000].map((ms) => later(ms).getTime()),
      undefined,
    ]);
  });

  it('waits as long as it is asked to, up to an hour, and never beyond the end', () => {
    const day = later(86_400_000);
    expect(nextAttempt(now, 1, day, retryAfterMs('60', now))).toEqual(later(60_000));
    expect(nextAttempt(now, 1, day, retryAfterMs('Sat, 10 Jan 2026 12:02:00 GMT', now))).toEqual(later(120_000));
    expect(nextAttempt(now, 1, day, retryAfterMs('99999', now))).toEqual(later(3_600_000));
    expect(nextAttempt(now, 1, day, retryAfterMs('soon', now))).toEqual(later(1000));
    expect(nextAttempt(now, 3, later(20_000))).toBeUndefined();
  });
});

describe('texts', () => {
  const money = { decimal: '1234.50', currency: 'EUR' };
  const merchant = 'Bookshop <b>';
  const all: readonly Facts[] = [
    { about: 'payment_approved', merchant, money },
    { about: 'payment_declined', merchant, money, reason: 'limit' },
    { about: 'challenge', merchant, money },
    { about: 'challenge', merchant, money: undefined },
    { about: 'refund', merchant, money },
    { about: 'dispute_won', merchant, money },
    { about: 'dispute_lost', merchant, money },
    { about: 'deposit_approved', money },
    { about: 'deposit_rejected', money },
    { about: 'withdrawal_completed', money },
    { about: 'withdrawal_failed', money },
    { about: 'recipient_requested' },
    { about: 'return_requested' },
    { about: 'card', event: 'frozen', last4: '4242' },
    { about: 'wallet_added' },
    { about: 'wallet_removed' },
    { about: 'primary_wallet_changed' },
    { about: 'signed_in_elsewhere' },
    { about: 'phone_changed' },
    { about: 'limits_raising' },
    { about: 'controls_opening' },
    { about: 'backup_key_named' },
    { about: 'recovery_requested' },
    { about: 'recovery_completed' },
    { about: 'recovery_cancelled' },
    { about: 'safe_changed' },
    { about: 'token_frozen' },
  ];

  it('differ by language, and are complete', () => {
    for (const facts of all) {
      const texts = LANGUAGES.map((language) => textOf(facts, language));
      expect(new Set(texts.map(({ title, body }) => `${title}/${body}`)).size, facts.about).toBe(LANGUAGES.length);
      for (const { title, body } of texts) {
        expect(title).not.toBe('');
        expect(body).not.toMatch(/undefined|NaN|\{|^$/);
      }
    }
  });

  it('have amounts as each language writes them, with every digit', () => {
    expect(textOf({ about: 'payment_approved', merchant, money }, 'en').title).toBe('Paid: €1,234.50');
    expect(textOf({ about: 'payment_approved', merchant, money }, 'de').title).toMatch(/^Bezahlt: 1\.234,50\s€$/);
    expect(textOf({ about: 'payment_approved', merchant, money }, 'fr').title).toMatch(/^Payé: 1\s234,50\s€$/);
    const large = { decimal: '9007199254740993.01', currency: 'EUR' };
    expect(textOf({ about: 'deposit_approved', money: large }, 'en').body).toBe('€9,007,199,254,740,993.01');
  });

  it('are escaped in mails', () => {
    const mail = mailOf(textOf({ about: 'payment_approved', merchant, money }, 'en'), 'en', 'https://florin.example/app/payments/1');
    expect(mail.html).toContain('Bookshop &lt;b&gt;');
    expect(mail.html).toContain('<a href="https://florin.example/app/payments/1">');
    expect(mail.text).toContain('Bookshop <b>');
  });

  it.each([
    ['daily_limit_exceeded', 'limit'],
    ['insufficient_funds', 'funds'],
    ['authentication_required', 'approval'],
    ['pin_blocked', 'pin'],
    ['expiry_incorrect', 'data'],
    ['security_code_blocked', 'data'],
    ['category_blocked', 'controls'],
    ['account_blocked', 'account'],
    ['card_frozen', 'card'],
    ['card_used', 'card'],
    ['suspected_fraud', 'fraud'],
    ['timed_out', 'other'],
  ])('say of %s: %s', (code, group) => {
    expect(declineGroup(code)).toBe(group);
  });
});
