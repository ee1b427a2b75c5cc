import type { SearchResult, Summary } from '@florin/back-office/contract';

type Kind = SearchResult['people'][number]['match']['kind'] | Summary['timeline'][number]['kind'];

/** The place in a person's file of what was found or has happened, as the router takes it. The id of a dispute is that of its payment. */
export const placeOf = (userId: string, { kind, id }: { kind: Kind; id: string }) => {
  switch (kind) {
    case 'payment':
    case 'dispute':
      return { to: '/people/$userId/payments/$paymentId', params: { userId, paymentId: id } } as const;
    case 'challenge':
      return { to: '/people/$userId/challenges/$challengeId', params: { userId, challengeId: id } } as const;
    case 'card':
      return { to: '/people/$userId/cards', params: { userId } } as const;
    case 'deposit':
      return { to: '/people/$userId/movements', params: { userId }, search: { deposit: id } } as const;
    case 'withdrawal':
      return { to: '/people/$userId/movements', params: { userId }, search: { withdrawal: id } } as const;
    case 'session':
      return { to: '/people/$userId/sessions', params: { userId } } as const;
    case 'person':
    case 'account':
    case 'exception':
      return { to: '/people/$userId', params: { userId } } as const;
  }
};
