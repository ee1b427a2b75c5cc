import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The guides in the order of the index, each with the file that holds it, `gateway/guides/<name>.md`. */
const NAMES = [
  'quick-start-curl',
  'quick-start-browser',
  'quick-start-python',
  'clients',
  'tokens',
  'dpop',
  'errors',
  'idempotency',
  'paging',
  'events',
  'partners',
  'webhooks',
  'onboarding',
  'cards',
  'card-data',
  'disputes',
  '3ds',
  'wallets',
  'withdrawals',
  'personal-data',
] as const;

export type Guide = { name: string; title: string; markdown: string };

const DIRECTORY = join(import.meta.dirname, '../../../guides');

/** Reads the guides. @throws Error when a file is missing or does not begin with its title */
export const readGuides = (): Guide[] =>
  NAMES.map((name) => {
    const markdown = readFileSync(join(DIRECTORY, `${name}.md`), 'utf8');
    const title = /^# (.+)$/m.exec(markdown)?.[1];
    if (title === undefined) throw new Error(`the guide ${name} must begin with its title`);
    return { name, title, markdown };
  });
