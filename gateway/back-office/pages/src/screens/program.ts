export { AuditScreen } from './audit/audit.tsx';
export { ChainScreen } from './chain/chain.tsx';
export { ExceptionsScreen } from './exceptions/exceptions.tsx';
export { MoneyScreen } from './money/money.tsx';
export { OperatorsScreen } from './operators/operators.tsx';
export { PasskeysScreen } from './passkeys/passkeys.tsx';
export { SettlementScreen } from './settlement/settlement.tsx';
export { WebhooksScreen } from './webhooks/webhooks.tsx';
