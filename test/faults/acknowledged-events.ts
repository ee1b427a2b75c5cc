import type { Event } from '@florin/webhooks';
import type { Life } from './life.ts';

/** The acknowledged actions of a person, as types and subjects of events. Amounts are entries of the journal, counted by account. */
const expectedOf = ({ person, cards, decisions }: Life): string[] => [
  `user.registered user/${person.userId}`,
  ...cards.map((id) => `card.issued card/${id}`),
  ...[...decisions].map(([id, decision]) => `${decision === 'approve' ? 'challenge.approved' : 'challenge.declined'} challenge/${id}`),
];

/** The acknowledged actions of these people that are not there exactly once. */
export const missingOf = (events: readonly Event[], lives: readonly Life[]): string[] => {
  const counts = new Map<string, number>();
  for (const { type, subject } of events) counts.set(`${type} ${subject}`, (counts.get(`${type} ${subject}`) ?? 0) + 1);
  const wrong = lives.flatMap(expectedOf).filter((name) => counts.get(name) !== 1);
  const accounts = new Map(events.flatMap(({ type, data }) => (type === 'account.opened' ? [[data['userId'], data['accountId']]] : [])));
  const moved = (life: Life, type: string): number =>
    events.filter((event) => event.type === type && event.data['accountId'] === accounts.get(life.person.userId)).length;
  for (const life of lives) {
    if (moved(life, 'deposit.approved') !== life.deposits.size) wrong.push(`deposits of ${life.person.userId}`);
    if (moved(life, 'withdrawal.completed') !== life.withdrawals.size) wrong.push(`withdrawals of ${life.person.userId}`);
  }
  return wrong;
};

/** Changes of a subject whose numbers have a gap, or an order other than theirs. */
export const misnumberedOf = (events: readonly Event[]): string[] =>
  [...Map.groupBy(events, ({ subject }) => subject)]
    .filter(([, ofSubject]) => ofSubject.some(({ subjectSequence }, index) => subjectSequence !== index + 1))
    .map(([subject, ofSubject]) => `${subject} has the changes ${ofSubject.map(({ subjectSequence }) => subjectSequence).join(', ')}`);
