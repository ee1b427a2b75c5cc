import { AUDIT_SCOPES } from '../../proto/florin/audit/v1/scopes.ts';
import { CARD_SCOPES } from '../../proto/florin/card/v1/scopes.ts';
import { CHAIN_SCOPES } from '../../proto/florin/chain/v1/scopes.ts';
import { EVENTS_SCOPES } from '../../proto/florin/events/v1/scopes.ts';
import { IDENTITY_SCOPES } from '../../proto/florin/identity/v1/scopes.ts';
import { LEDGER_SCOPES } from '../../proto/florin/ledger/v1/scopes.ts';
import { PRIVACY_SCOPES } from '../../proto/florin/privacy/v1/scopes.ts';
import { SETTLEMENT_SCOPES } from '../../proto/florin/settlement/v1/scopes.ts';
import { THREEDS_SCOPES } from '../../proto/florin/threeds/v1/scopes.ts';
import { VAULT_SCOPES } from '../../proto/florin/vault/v1/scopes.ts';

const SERVICES: readonly { name: string; scopes: Readonly<Record<string, string>> }[] = [
  { name: 'every service', scopes: { ...AUDIT_SCOPES, ...PRIVACY_SCOPES } },
  { name: 'identity', scopes: IDENTITY_SCOPES },
  { name: 'card', scopes: CARD_SCOPES },
  { name: 'ledger', scopes: LEDGER_SCOPES },
  { name: 'threeds', scopes: THREEDS_SCOPES },
  { name: 'vault', scopes: VAULT_SCOPES },
  { name: 'chain', scopes: CHAIN_SCOPES },
  { name: 'events', scopes: EVENTS_SCOPES },
  { name: 'settlement', scopes: SETTLEMENT_SCOPES },
];

const INTRODUCTION = `# Scopes

<!-- Generated from the contracts by \`npm run generate\`; do not edit. -->

RPCs on behalf of a person take the person's access token. All other RPCs take a service token: a JWT that the caller signs with its own
Ed25519 key (in the style of RFC 7523), addressed to one service, with some of the scopes below. \`SERVICE_TRUST\` tells a service which
keys it trusts, and for which scopes.

A client that is a person (\`"person": true\` in the trust list) must give a reason with every call, in the header \`x-florin-reason\`
(percent-encoded UTF-8). The call and its outcome are recorded in the service's audit log before the response is sent; a call without a
reason is rejected with \`REASON_REQUIRED\`.`;

/** Generates the reference page of the scopes of service tokens, as Markdown. */
export const scopesPage = (): string => {
  const rows = SERVICES.map(
    ({ name, scopes }) =>
      `| ${name} | ${Object.values(scopes)
        .map((scope) => `\`${scope}\``)
        .join(', ')} |`,
  );
  return `${INTRODUCTION}\n\n| service | scopes |\n| --- | --- |\n${rows.join('\n')}\n`;
};
