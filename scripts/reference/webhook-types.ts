import { EVENT_TYPES, eventTypeOf, type FieldKind, isEventType } from '../../proto/florin/events/v1/event-types.ts';

const TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'string',
  word: 'string',
  time: 'string',
  amount: 'string',
  hash: 'string',
  count: 'number',
  flag: 'boolean',
  merchant: 'Merchant',
  transfers: 'readonly Transfer[]',
};

const HEADER = `// Generated from the catalogue of events by \`npm run generate\`; do not edit.

/** An amount that moved from one account of the ledger to another one, in the token's smallest unit. */
export type Transfer = { debit: string; credit: string; token: string; amount: string };

/** The merchant of a payment, as far as the network names it. */
export type Merchant = { id?: string; name?: string; city?: string; country?: string; categoryCode?: string };

/** The data of each type of events, in the newest version. A field without a value is left out; fields may be added. */
export type EventData = {`;

/** Generates the types of events' data for those who receive them. The package has no dependencies, so it cannot import the catalogue. */
export const webhookTypes = (): string => {
  const types = Object.keys(EVENT_TYPES)
    .filter(isEventType)
    .map((name) => {
      const { description, fields } = eventTypeOf(name);
      const members = Object.entries(fields).map(([field, kind]) => `${field}?: ${TYPES[kind]}`);
      return `  /** ${description} */\n  '${name}': { ${members.join('; ')} };`;
    });
  return `${HEADER}\n${types.join('\n')}\n};\n`;
};
