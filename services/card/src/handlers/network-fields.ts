import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type NetworkDataSchema, TransactionType, type NetworkData as WireNetworkData } from '@florin/proto/card/v1/payment';
import { createWords } from '@florin/rpc/contract';
import { CODED_NETWORKS } from '../domain/decline-codes.ts';
import type { NetworkData, NetworkTexts } from '../domain/network-data.ts';
import { type Description, type Problems, readTexts } from './descriptions.ts';

const TYPES = createWords(TransactionType);

const matching = (pattern: RegExp, problem: string): Description => ({
  canonical: (text) => text.trim(),
  problemOf: (text) => (pattern.test(text) ? undefined : problem),
});

const digits = (most: number): Description => matching(new RegExp(`^[0-9]{1,${most}}$`), `must be at most ${most} digits`);
const amount = matching(/^(?:0|[1-9][0-9]{0,17})$/, 'must be an integer string in the minor unit');
const transaction = matching(/^[A-Za-z0-9.-]{1,40}$/, 'must be at most 40 letters, digits, dashes and points');
const day = matching(/^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/, 'must be a date as 2026-01-31');

const TEXTS = {
  network: ['event.network.network', matching(new RegExp(`^(?:${CODED_NETWORKS.join('|')})$`), `must be ${CODED_NETWORKS.join(' or ')}`)],
  transactionId: ['event.network.transaction_id', transaction],
  originalTransactionId: ['event.network.original_transaction_id', transaction],
  acquirerReference: ['event.network.acquirer_reference', matching(/^[0-9]{23}$/, 'must be 23 digits')],
  traceNumber: ['event.network.trace_number', digits(6)],
  localTime: [
    'event.network.local_time',
    matching(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$/, 'must be a local time as 2026-01-31T12:00:00'),
  ],
  terminalId: ['event.network.terminal_id', matching(/^[A-Za-z0-9]{1,16}$/, 'must be at most 16 letters and digits')],
  acquirerId: ['event.network.acquirer_id', digits(11)],
  posData: ['event.network.pos_data', matching(/^[A-Za-z0-9 ]{1,100}$/, 'must be at most 100 letters, digits and spaces')],
  surchargeAmount: ['event.network.surcharge_amount', amount],
  settlementAmount: ['event.network.settlement_amount', amount],
  settlementCurrency: ['event.network.settlement_currency', matching(/^[A-Z]{3}$/, 'must be an ISO 4217 code')],
  settlementDate: ['event.network.settlement_date', day],
  wallet: ['event.network.wallet', matching(/^[a-z0-9_]{1,40}$/, 'must be at most 40 lower-case letters, digits and underscores')],
  tokenReference: [
    'event.network.token_reference',
    matching(/^(?![0-9]{12,19}$)[A-Za-z0-9-]{1,64}$/, 'must be at most 64 letters, digits and dashes, and no card number'),
  ],
  riskScore: ['event.network.risk_score', digits(3)],
} as const satisfies Record<keyof NetworkTexts, readonly [string, Description]>;

/** Returns the network's data about the event, without empty members. */
export const readNetwork = (wire: WireNetworkData, problems: Problems): NetworkData => {
  const type = TYPES.toWord(wire.type);
  if (wire.type !== 0 && type === undefined) problems['event.network.type'] = 'must be a known type';
  const { transmittedAt, expiresAt } = wire;
  return {
    ...readTexts(wire, TEXTS, problems),
    ...(transmittedAt === undefined ? {} : { transmittedAt: timestampDate(transmittedAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: timestampDate(expiresAt) }),
    ...(type === undefined ? {} : { type }),
    ...(wire.repeat ? { repeat: true } : {}),
    ...(wire.preAuthorization ? { preAuthorization: true } : {}),
  };
};

export const toWireNetwork = ({ type, transmittedAt, expiresAt, ...data }: NetworkData): MessageInitShape<typeof NetworkDataSchema> => ({
  ...data,
  type: TYPES.toValue(type),
  ...(transmittedAt === undefined ? {} : { transmittedAt: timestampFromDate(transmittedAt) }),
  ...(expiresAt === undefined ? {} : { expiresAt: timestampFromDate(expiresAt) }),
});
