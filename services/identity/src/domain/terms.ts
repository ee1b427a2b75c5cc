import { z } from 'zod';
import { hasDuplicates } from './has-duplicates.ts';

/** Types and versions are parts of keys and must not contain a colon. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

const termSchema = z.object({
  type: z.string().regex(NAME),
  name: z.string().min(1).max(120),
  url: z.url({ protocol: /^https?$/ }).max(2048),
  version: z.string().regex(VERSION),
});

/** A legal document in its current version. */
export type Term = z.output<typeof termSchema>;

export const termsSchema = z
  .array(termSchema)
  .max(20)
  .refine((terms) => !hasDuplicates(terms.map(({ type }) => type)), 'must not contain the same document type twice');

/** Examples for a sandbox without configured documents. */
export const SANDBOX_TERMS: readonly Term[] = [
  { type: 'general', name: 'General Terms', url: 'https://florin.example/terms/general', version: '1' },
  { type: 'card', name: 'Card Terms', url: 'https://florin.example/terms/card', version: '1' },
  { type: 'privacy', name: 'Privacy Policy', url: 'https://florin.example/terms/privacy', version: '1' },
];

export type TermVersion = Pick<Term, 'type' | 'version'>;

/** A version that a user accepted. */
export type Acceptance = TermVersion & {
  userId: string;
  acceptedAt: Date;
  /** IP address of the user. */
  ip?: string | undefined;
};

/** A document and the version that a user accepted last. */
export type TermState = { term: Term; accepted: boolean; last?: Acceptance | undefined };

export const isCurrent = (terms: readonly Term[], { type, version }: TermVersion): boolean =>
  terms.some((term) => term.type === type && term.version === version);

const newerOf = (a: Acceptance | undefined, b: Acceptance): Acceptance => (a === undefined || b.acceptedAt > a.acceptedAt ? b : a);

/** A user's state for each document. The current version counts as the last one accepted, whenever that was. */
export const termStates = (terms: readonly Term[], acceptances: readonly Acceptance[]): TermState[] =>
  terms.map((term) => {
    const ofType = acceptances.filter(({ type }) => type === term.type);
    const current = ofType.find(({ version }) => version === term.version);
    const last = current ?? ofType.reduce<Acceptance | undefined>(newerOf, undefined);
    return { term, accepted: current !== undefined, last };
  });

/** Reports whether every document is accepted in its current version. */
export const areAccepted = (states: readonly TermState[]): boolean => states.every(({ accepted }) => accepted);
