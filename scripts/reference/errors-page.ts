import { Code } from '@connectrpc/connect';
import { ERRORS } from '../../services/kit/rpc/src/errors/index.ts';

const INTRODUCTION = `# Error codes

<!-- Generated from the contracts by \`npm run generate\`; do not edit. -->

Errors are a closed set. A code means the same over REST and gRPC; codes are added, never renamed. Over REST the code is in the body
(\`{"success":false,"error":"CODE"}\`); over gRPC in the detail \`florin.common.v1.ErrorInfo\` (\`reason\`). An operation may return some codes with
another HTTP status; \`/openapi.json\` of the running gateway lists the codes of each operation.`;

/** Generates the reference page of all error codes, grouped by their statuses, as Markdown. */
export const errorsPage = (): string => {
  const statuses = new Map<string, string[]>();
  for (const [code, { grpc, http }] of Object.entries(ERRORS)) {
    const status = `| ${http} | ${Code[grpc]} |`;
    statuses.set(status, [...(statuses.get(status) ?? []), `\`${code}\``]);
  }
  const rows = [...statuses].sort(([one], [other]) => (one < other ? -1 : 1)).map(([status, codes]) => `${status} ${codes.join(', ')} |`);
  return `${INTRODUCTION}\n\n| HTTP status | gRPC status | codes |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
};
