import { isFieldSet } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';

const HEADER = `// Generated from the descriptor in @bufbuild/protovalidate by \`npm run generate\`; do not edit. It has the names and numbers that options of contracts
// are compiled with, without the comments and the rules' own expressions: https://protovalidate.com documents them.`;

const SCALARS: Readonly<Partial<Record<Type, string>>> = {
  [Type.DOUBLE]: 'double',
  [Type.FLOAT]: 'float',
  [Type.INT64]: 'int64',
  [Type.UINT64]: 'uint64',
  [Type.INT32]: 'int32',
  [Type.FIXED64]: 'fixed64',
  [Type.FIXED32]: 'fixed32',
  [Type.BOOL]: 'bool',
  [Type.STRING]: 'string',
  [Type.BYTES]: 'bytes',
  [Type.UINT32]: 'uint32',
  [Type.SFIXED32]: 'sfixed32',
  [Type.SFIXED64]: 'sfixed64',
  [Type.SINT32]: 'sint32',
  [Type.SINT64]: 'sint64',
};

const LABELS: Readonly<Record<Label, string>> = {
  [Label.OPTIONAL]: 'optional ',
  [Label.REQUIRED]: 'required ',
  [Label.REPEATED]: 'repeated ',
};

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const block = (head: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${head} {}`] : [`${head} {`, ...indent(lines), '}'];

const fieldLine = ({ name, number, type, typeName, label }: FieldDescriptorProto, inOneof = false): string =>
  `${inOneof ? '' : LABELS[label]}${SCALARS[type] ?? typeName.replace(/^\.(?:buf\.validate\.)?/, '')} ${name} = ${number};`;

const enumLines = ({ name, value }: EnumDescriptorProto): string[] =>
  block(
    `enum ${name}`,
    value.map((one) => `${one.name} = ${one.number};`),
  );

/** Ranges in descriptors end before `end`. */
const MAX_NUMBER = 2 ** 29;

const rangeLines = (word: string, ranges: readonly { start: number; end: number }[]): string[] =>
  ranges.map(({ start, end }) => {
    const last = end >= MAX_NUMBER ? 'max' : String(end - 1);
    return `${word} ${String(start) === last ? start : `${start} to ${last}`};`;
  });

const messageLines = (message: DescriptorProto): string[] => {
  const oneofOf = (field: FieldDescriptorProto) =>
    isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex) ? message.oneofDecl[field.oneofIndex] : undefined;
  const fields = message.field.flatMap((field) => {
    const oneof = oneofOf(field);
    if (oneof === undefined) return [fieldLine(field)];
    const members = message.field.filter((member) => oneofOf(member) === oneof);
    // All members stand where the first one does.
    if (members[0] !== field) return [];
    return block(
      `oneof ${oneof.name}`,
      members.map((member) => fieldLine(member, true)),
    );
  });
  return block(`message ${message.name}`, [
    ...rangeLines('reserved', message.reservedRange),
    ...message.reservedName.map((name) => `reserved "${name}";`),
    ...fields,
    ...rangeLines('extensions', message.extensionRange),
    ...message.enumType.flatMap(enumLines),
    ...message.nestedType.flatMap(messageLines),
  ]);
};

/** Prints `buf/validate/validate.proto`, the rules of fields, which the package carries as a descriptor only. */
export const validateProto = (): string => {
  const { proto } = file_buf_validate_validate;
  const extended = [...new Set(proto.extension.map(({ extendee }) => extendee))];
  const parts = [
    [HEADER],
    ['syntax = "proto2";'],
    [`package ${proto.package};`],
    [...proto.dependency].sort().map((path) => `import "${path}";`),
    ...extended.map((extendee) =>
      block(
        `extend ${extendee.slice(1)}`,
        proto.extension.filter((one) => one.extendee === extendee).map((one) => fieldLine(one)),
      ),
    ),
    ...proto.enumType.map(enumLines),
    ...proto.messageType.map(messageLines),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};
