import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { openTestBed, testEnvironment } from '@florin/data/testing';
import { CardService } from '@florin/proto/card/v1/card_service';
import { PaymentService } from '@florin/proto/card/v1/payment_service';
import { CARD_SCOPES } from '@florin/proto/card/v1/scopes';
import { FeedService } from '@florin/proto/events/v1/feed_service';
import { EVENTS_SCOPES } from '@florin/proto/events/v1/scopes';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { NoticeKind, UserService } from '@florin/proto/identity/v1/user_service';
import { Language, NotificationService } from '@florin/proto/notifications/v1/notification_service';
import { PersonalDataService } from '@florin/proto/privacy/v1/personal_data_service';
import { PRIVACY_SCOPES } from '@florin/proto/privacy/v1/scopes';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { CodedError } from '@florin/rpc/errors';
import type { Mail } from '@florin/rpc/mail';
import { serviceMethod, serviceStream, userMethod, userOrServiceMethod } from '@florin/rpc/server';
import { createTestAuthority, fakeClock, implementPart, quietLogger, startNeighbour, waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { createApp } from '../app.ts';
import { configShape } from '../config.ts';
import { startPushService } from './push-service.ts';

const POLL_MS = 5;

/** 32 bytes that are a private key of P-256. */
const VAPID_KEY = Buffer.alloc(32, 7).toString('base64url');

/** Clocks of tests go ahead of the tokens. */
const FAR_AWAY = '10y';

type FakeEvent = { id: string; type: string; at: Date; subject: string; data: string };

/** The notifications service on real engines, with a push service, and with stand-ins for the services that it asks. */
export const createWorld = async (more: Environment = {}) => {
  const authority = await createTestAuthority({
    notifications: [
      EVENTS_SCOPES.read,
      CARD_SCOPES.readPayments,
      CARD_SCOPES.readCards,
      THREEDS_SCOPES.readChallenges,
      IDENTITY_SCOPES.readUsers,
    ],
    identity: [PRIVACY_SCOPES.eraseData],
  });
  const clock = fakeClock();
  const push = await startPushService();
  const mails: Mail[] = [];
  const state = {
    events: [] as FakeEvent[],
    /** Streams that were opened. */
    streams: 0,
    cardIsAway: false,
    mailIsAway: false,
    identityIsAway: false,
    /** The users who were mailed by identity, and of what. */
    told: [] as [userId: string, kind: string][],
    payments: new Map<string, object>(),
    challenges: new Map<string, object>(),
    cards: new Map<string, object>(),
    addresses: new Map<string, string>(),
  };

  const wireEvent = ({ id, type, at, subject, data }: FakeEvent, index: number) => ({
    ...{ id, type, subject, dataJson: data, timestamp: timestampFromDate(at) },
    sequence: BigInt(index + 1),
  });
  const found = <T>(value: T | undefined, code: 'PAYMENT_NOT_FOUND' | 'CHALLENGE_NOT_FOUND' | 'CARD_NOT_FOUND' | 'USER_NOT_FOUND'): T => {
    if (value === undefined) throw new CodedError(code);
    return value;
  };
  const requireCard = (): void => {
    if (state.cardIsAway) throw new CodedError('SERVICE_UNAVAILABLE');
  };
  const start = (name: string, services: Parameters<typeof startNeighbour>[0]['services']) =>
    startNeighbour({ authority, name, services, now: clock.now });
  const neighbours = await Promise.all([
    start('events', [
      implementPart(FeedService, {
        listEvents: serviceMethod(() => ({ checkpoint: { sequence: BigInt(state.events.length) } })),
        watchEvents: serviceStream(async function* ({ after, types }, { signal }) {
          state.streams += 1;
          let position = Number(after.split(':')[1] ?? 0);
          if (position > state.events.length) throw new CodedError('CURSOR_AHEAD');
          yield { events: [], cursor: `florin:${position}` };
          while (!signal.aborted) {
            const next = state.events.slice(position);
            const events = next.map((event, index) => wireEvent(event, position + index)).filter(({ type }) => types.includes(type));
            position += next.length;
            if (next.length > 0) yield { events, cursor: `florin:${position}` };
            await pause(POLL_MS);
          }
        }),
      }),
    ]),
    start('identity', [
      implementPart(UserService, {
        notifyCurrentUser: userMethod(({ kind }, { caller: { userId } }) => {
          if (state.identityIsAway) throw new CodedError('SERVICE_UNAVAILABLE');
          state.told.push([userId, Object.entries(NoticeKind).find(([, value]) => value === kind)?.[0] ?? '']);
          return {};
        }),
        getUser: serviceMethod(({ userId }) => ({ user: { id: userId, email: found(state.addresses.get(userId), 'USER_NOT_FOUND') } })),
      }),
    ]),
    start('card', [
      implementPart(PaymentService, {
        getPayment: userOrServiceMethod(({ paymentId }) => {
          requireCard();
          return { payment: found(state.payments.get(paymentId), 'PAYMENT_NOT_FOUND') };
        }),
      }),
      implementPart(CardService, {
        getCard: userOrServiceMethod(({ cardId }) => ({ card: found(state.cards.get(cardId), 'CARD_NOT_FOUND') })),
      }),
    ]),
    start('threeds', [
      implementPart(ChallengeService, {
        getChallenge: userOrServiceMethod(({ challengeId }) => ({
          challenge: found(state.challenges.get(challengeId), 'CHALLENGE_NOT_FOUND'),
          serverTime: timestampFromDate(clock.now()),
        })),
      }),
    ]),
  ]);
  const [events, identity, card, threeds] = neighbours;
  const environment = testEnvironment('notifications', authority, {
    EVENTS_URL: events.url,
    IDENTITY_URL: identity.url,
    CARD_URL: card.url,
    THREEDS_URL: threeds.url,
    VAPID_KEY,
    PUSH_ALLOW_LOOPBACK: 'true',
    APP_URL: 'https://florin.example/app',
    ...more,
  });
  const bed = await openTestBed(environment);
  for (const neighbour of neighbours) bed.defer(() => neighbour.close(0));
  bed.defer(push.close);

  return {
    state,
    clock,
    push,
    mails,
    connection: bed.connection,

    /** Adds an event to the feed. */
    tell: (userId: string, type: string, subject: string, data: object = {}): FakeEvent => {
      const event = { id: randomUUID(), type, at: clock.now(), subject, data: JSON.stringify({ userId, ...data }) };
      state.events.push(event);
      return event;
    },

    /** A payment that the card service knows. */
    newPayment: (more: object = {}): string => {
      const id = randomUUID();
      const merchant = { name: 'Bookshop' };
      state.payments.set(id, { id, amount: '4999', currency: 'EUR', decimals: 2, merchant, ...more });
      return id;
    },

    /** Starts the service; any number of them share the world's database. */
    start: async () => {
      const app = await createApp(loadConfig(configShape, environment), {
        runtime: { now: clock.now },
        userKeys: authority.userKeys,
        logger: quietLogger,
        sendMail: async (mail) => {
          if (state.mailIsAway) throw new Error('the mail server is away');
          mails.push(mail);
        },
      });
      const { client, close } = bed.connect(app);
      const notifications = client(NotificationService);
      // A reading that begins is at the end of the feed: what is told before is not read.
      const place = () => bed.connection.collection('cursors').findOne();
      await waitFor('a place in the feed', async () => (await place()) ?? undefined);
      return {
        close,
        notifications,
        personalData: client(PersonalDataService),
        asIdentity: () => authority.asService('identity', 'notifications', [PRIVACY_SCOPES.eraseData]),

        /** A user with a device. */
        newPerson: async (language: Language = Language.EN) => {
          const userId = randomUUID();
          const wallet = '0x52908400098527886E0F7030069857D2E4169EE7';
          const token = await authority.userToken({ wallet, userId }, FAR_AWAY);
          const options = { headers: { authorization: `Bearer ${token}` } };
          const addDevice = async () => {
            const { device, subscription } = push.subscribe();
            const { endpoint, keys } = subscription;
            const put = await notifications.putSubscription({ endpoint, ...keys, language }, options);
            return { device, id: put.device?.id ?? '', subscription };
          };
          return { userId, options, addDevice };
        },
      };
    },

    close: bed.close,
  };
};

export type World = Awaited<ReturnType<typeof createWorld>>;
