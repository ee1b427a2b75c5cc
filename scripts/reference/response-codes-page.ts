import { DECLINE_CODES, type DeclineCode, declineResponseCode } from '../../services/card/src/domain/decline-codes.ts';

const INTRODUCTION = `# Response codes

<!-- Generated from the card service by \`npm run generate\`; do not edit. -->

The answer to a request of a card processor has a stable reason (\`decision.decline_reason.code\`) and a response code (\`decision.response_code\`), which is field 39
of ISO 8583 as the network of the card defines it. Approvals are \`00\`, or \`10\` for a part of the amount. Reasons are added, never renamed.`;

/** Generates the reference page of the reasons of declines with their response codes, as Markdown. */
export const responseCodesPage = (): string => {
  const rows = (Object.keys(DECLINE_CODES) as DeclineCode[]).map((code) => {
    const codes = ['visa', 'mastercard', ''].map((network) => declineResponseCode(code, network));
    return `| \`${code}\` | ${codes.join(' | ')} | ${DECLINE_CODES[code].words} |`;
  });
  return `${INTRODUCTION}\n\n| reason | Visa | Mastercard | other networks | the cardholder reads |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`;
};
