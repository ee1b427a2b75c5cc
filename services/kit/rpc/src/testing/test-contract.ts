import { clone, create, createFileRegistry, type DescFile, type DescMethod, type DescService, setExtension } from '@bufbuild/protobuf';
import { type DescriptorProto, FileDescriptorProtoSchema, MethodOptionsSchema } from '@bufbuild/protobuf/wkt';
import { Caller, MethodRulesSchema, method as methodOption } from '@florin/proto/options/v1/options';
import type { Policy } from '../contract/index.ts';
import type { ErrorCode } from '../errors/index.ts';

const CALLERS: Readonly<Record<Policy['access'], Caller[]>> = {
  public: [Caller.ANYONE],
  wallet: [Caller.WALLET],
  user: [Caller.USER],
  service: [Caller.SERVICE],
  process: [Caller.PROCESS],
  userOrService: [Caller.USER, Caller.SERVICE],
};

/** Rules of an RPC for a test. RPCs without rules are public. */
export type TestRules = Policy & { errors?: ErrorCode[]; key?: string; subjects?: string[] };

const withoutBounds = (message: DescriptorProto): void => {
  message.field = message.field.map(({ options: _bounds, ...field }) => field);
  message.oneofDecl = message.oneofDecl.map(({ options: _bounds, ...oneof }) => oneof);
  message.nestedType.forEach(withoutBounds);
};

/**
 * A contract with other rules, for tests of what serves contracts: its requests have no bounds, so that their texts can tell a handler what to do.
 * @param rules by the local names of RPCs
 */
export const testContract = <S extends DescService>(service: S, rules: { [K in keyof S['method']]?: TestRules } = {}): S => {
  const proto = clone(FileDescriptorProtoSchema, service.file.proto);
  proto.messageType.forEach(withoutBounds);
  const byName = new Map<string, TestRules | undefined>(
    service.methods.map(({ name, localName }: DescMethod) => [name, (rules as Record<string, TestRules>)[localName]]),
  );
  for (const method of proto.service.flatMap((one) => one.method)) {
    const { access, errors = [], key = '', subjects = [], ...given }: TestRules = byName.get(method.name) ?? { access: 'public' };
    method.options ??= create(MethodOptionsSchema);
    setExtension(
      method.options,
      methodOption,
      create(MethodRulesSchema, {
        callers: CALLERS[access],
        scope: 'scope' in given ? given.scope : '',
        partnerScope: 'partnerScope' in given ? given.partnerScope : '',
        errors,
        key,
        subjects,
      }),
    );
  }
  const files = new Map<string, DescFile>();
  const add = (file: DescFile): void => {
    files.set(file.proto.name, file);
    file.dependencies.forEach(add);
  };
  service.file.dependencies.forEach(add);
  return createFileRegistry(proto, (name) => files.get(name)).getService(service.typeName) as S;
};
