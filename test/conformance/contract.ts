import { readFileSync } from 'node:fs';
import { createFileRegistry, type DescMessage, type DescService, fromBinary, type Registry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const PACKAGE = 'connectrpc.conformance.v1';

/** A header with all its values. */
export type Header = { name: string; value: string[] };

/** An error, as the suite defines and expects it. */
export type WireError = { code: number; message?: string | undefined; details: PackedMessage[] };

export type PackedMessage = { typeUrl: string; value: Uint8Array };

export type Contract = {
  service: DescService;
  message: (name: string) => DescMessage;
  registry: Registry;
};

/**
 * Reads the contract of the conformance service. Its types are known only at run time, because its sources come with the suite.
 * @param path a binary FileDescriptorSet
 */
export const readContract = (path: string): Contract => {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(path)));
  const message = (name: string): DescMessage => {
    const found = registry.getMessage(`${PACKAGE}.${name}`);
    if (found === undefined) throw new Error(`the contract has no message ${name}`);
    return found;
  };
  const service = registry.getService(`${PACKAGE}.ConformanceService`);
  if (service === undefined) throw new Error('the contract has no ConformanceService');
  return { service, message, registry };
};

/** Converts headers to the suite's form. */
export const toHeaderList = (headers: Iterable<[string, string]>): Header[] =>
  [...headers].map(([name, value]) => ({ name, value: [value] }));

/** Returns the type name of a packed message. */
export const typeNameOf = ({ typeUrl }: PackedMessage): string => typeUrl.slice(typeUrl.lastIndexOf('/') + 1);

export const toTypeUrl = (typeName: string): string => `type.googleapis.com/${typeName}`;
