import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { PARTNER_SCOPES } from '@florin/proto/events/v1/scopes';
import { describe, expect, it } from 'vitest';
import { requestJudge, rulesOf } from './index.ts';

const PROTO = join(dirname(fileURLToPath(import.meta.resolve('@florin/proto/common/v1/error-codes'))), '../../..');

const modulesOf = async (folder: string, ending: string): Promise<unknown[]> => {
  const files = readdirSync(join(PROTO, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  return (await Promise.all(files.map((file) => import(join(PROTO, folder, file))))).flatMap((module: object) => Object.values(module));
};

const isService = (exported: unknown): exported is DescService => (exported as { kind?: unknown }).kind === 'service';

const methods: [string, DescMethod][] = (await modulesOf('gen/florin', '_service_pb.ts'))
  .filter(isService)
  .flatMap((service) => service.methods.map((method): [string, DescMethod] => [`${service.typeName}/${method.name}`, method]));

const scopes = new Set((await modulesOf('florin', '/scopes.ts')).flatMap((exported) => Object.values(exported as object)));

describe('every RPC', () => {
  it.each(methods)('%s states rules that hold together, and its requests can be judged', (_name, method) => {
    const rules = rulesOf(method);
    expect(rules).toBeDefined();
    if (rules !== undefined && 'scope' in rules.policy) expect(scopes).toContain(rules.policy.scope);
    if (rules !== undefined && 'partnerScope' in rules.policy) expect(PARTNER_SCOPES).toContain(rules.policy.partnerScope);
    expect(() => requestJudge(method.input)).not.toThrow();
  });
});
