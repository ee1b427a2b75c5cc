import type { Permission } from './roles.ts';

/**
 * The work queues: who may read one, assign its items and take notes, and its service level, the hours after which an open item is overdue. A dispute whose next step the network
 * expects by a deadline is due then.
 */
export const QUEUES = {
  /** Deposits that screening has left to a person. */
  deposits: { access: 'compliance.read', hours: 4 },
  /** Identity checks in review. */
  identity: { access: 'compliance.read', hours: 48 },
  /** Blocked accounts. */
  accounts: { access: 'compliance.read', hours: 72 },
  /** Orders that wait for a second operator: of money, of halted chains, and of replaced accounts. */
  orders: { access: 'money.read', hours: 8 },
  /** Reports of the card network that a person has to look at, with what is in suspense. */
  exceptions: { access: 'money.read', hours: 48 },
  /** Settlement records that differ from the reports, or are missing. */
  settlement: { access: 'money.read', hours: 24 },
  /** Open disputes. */
  disputes: { access: 'people.read', hours: 120 },
  /** Transfers on chains that need a person. */
  transfers: { access: 'chain.read', hours: 4 },
  /** Webhook endpoints whose deliveries fail. */
  webhooks: { access: 'webhooks.replay', hours: 24 },
} as const satisfies Record<string, { access: Permission; hours: number }>;
export type Queue = keyof typeof QUEUES;

/** The names of all queues, in the order in which pages list them. */
export const QUEUE_NAMES = Object.keys(QUEUES) as Queue[];

/** Queues are counted up to this number. */
export const COUNTED_TO = 1000;
