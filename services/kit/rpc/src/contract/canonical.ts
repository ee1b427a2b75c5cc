import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema, timestampDate } from '@bufbuild/protobuf/wkt';
import { field as fieldOption, Ignore } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { Violation } from '../validation/index.ts';
import { type TextForm, textFormOf } from './formats.ts';

type Fields = Record<string, unknown>;

/** Gives a value its canonical form, in place if it is a message, and adds its problems to `found`. */
type Visit = (value: unknown, path: string, found: Violation[]) => unknown;

const visitText =
  ({ problemOf, canonical, optional }: TextForm): Visit =>
  (value, path, found) => {
    const given = value as string;
    if (given === '' && optional) return given;
    const text = canonical === undefined ? given : canonical(given);
    const problem = problemOf(text);
    if (problem !== undefined) found.push({ field: path, problem });
    return text;
  };

/** JavaScript represents no other times (ECMA-262, section 21.4.1.1). */
const visitTime: Visit = (value, path, found) => {
  if (Number.isNaN(timestampDate(value as Timestamp).getTime())) found.push({ field: path, problem: 'must be a time' });
  return value;
};

const visits = new Map<DescMessage, Visit | undefined>();

/** How the values of a field are visited. Undefined if nothing has to be done. */
const visitOf = (field: DescField): Visit | undefined => {
  if (getOption(field, fieldOption).ignore === Ignore.ALWAYS) return undefined;
  const { message } = field;
  if (message !== undefined) return message.typeName === TimestampSchema.typeName ? visitTime : messageVisit(message);
  const isText = (field.fieldKind === 'scalar' || field.fieldKind === 'list') && field.scalar === ScalarType.STRING;
  const form = isText ? textFormOf(field) : undefined;
  return form === undefined ? undefined : visitText(form);
};

const visitField = (field: DescField, visit: Visit): ((fields: Fields, prefix: string, found: Violation[]) => void) => {
  const { name, localName, oneof, fieldKind } = field;
  if (fieldKind === 'list') {
    return (fields, prefix, found) => {
      const items = fields[localName] as unknown[];
      for (let index = 0; index < items.length; index += 1) items[index] = visit(items[index], `${prefix}${name}[${index}]`, found);
    };
  }
  if (oneof !== undefined) {
    return (fields, prefix, found) => {
      const chosen = fields[oneof.localName] as { case?: string; value?: unknown };
      if (chosen.case === localName) chosen.value = visit(chosen.value, `${prefix}${name}`, found);
    };
  }
  return (fields, prefix, found) => {
    if (fields[localName] !== undefined) fields[localName] = visit(fields[localName], `${prefix}${name}`, found);
  };
};

const messageVisit = (desc: DescMessage): Visit | undefined => {
  if (visits.has(desc)) return visits.get(desc);
  // A message within itself: visited at the place where it is found.
  visits.set(desc, (value, path, found) => visits.get(desc)?.(value, path, found) ?? value);
  const steps = desc.fields
    .filter(({ fieldKind }) => fieldKind !== 'map')
    .flatMap((field) => {
      const visit = visitOf(field);
      return visit === undefined ? [] : [visitField(field, visit)];
    });
  const visit: Visit | undefined =
    steps.length === 0
      ? undefined
      : (value, path, found) => {
          const prefix = path === '' ? '' : `${path}.`;
          for (const step of steps) step(value as Fields, prefix, found);
          return value;
        };
  visits.set(desc, visit);
  return visit;
};

/**
 * Creates the function that gives the texts of a request their canonical spelling.
 * @returns a function that changes the request, and returns its malformed texts and invalid times
 */
export const canonicalizer = (desc: DescMessage): ((request: object) => Violation[]) => {
  const visit = messageVisit(desc);
  if (visit === undefined) return () => [];
  return (request) => {
    const found: Violation[] = [];
    visit(request, '', found);
    return found;
  };
};
