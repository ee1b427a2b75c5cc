import type { SearchResult } from '@florin/back-office/contract';

type Match = SearchResult['people'][number]['match'];

/** Where in a person's file is what was found: as the router takes it. */
export const placeOf = (userId: string, { kind, id }: Match) => {
  switch (kind) {
    case 'payment':
      return { to: '/people/$userId/payments/$paymentId', params: { userId, paymentId: id } } as const;
    case 'challenge':
      return { to: '/people/$userId/challenges/$challengeId', params: { userId, challengeId: id } } as const;
    case 'card':
      return { to: '/people/$userId/cards', params: { userId } } as const;
    case 'deposit':
      return { to: '/people/$userId/movements', params: { userId }, search: { deposit: id } } as const;
    case 'withdrawal':
      return { to: '/people/$userId/movements', params: { userId }, search: { withdrawal: id } } as const;
    case 'person':
    case 'account':
    case 'exception':
      return { to: '/people/$userId', params: { userId } } as const;
  }
};
