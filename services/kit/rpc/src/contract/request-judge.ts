import { create, type DescEnum, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { pathToString } from '@bufbuild/protobuf/reflect';
import { createValidator, type Violation as RuleViolation } from '@bufbuild/protovalidate';
import { CodedError } from '../errors/index.ts';
import { MAX_VIOLATIONS, type Violation } from '../validation/index.ts';
import { canonicalizer } from './canonical.ts';
import { wordsOf } from './words.ts';

const patterns = new Map<string, RegExp>();

/** Patterns stand in contracts, never in requests: they need no engine of their own. */
const regexMatch = (pattern: string, text: string): boolean => {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
};

const validator = createValidator({ regexMatch });

/** The enum of the field that a violation is about. */
const enumOf = ({ field }: RuleViolation): DescEnum | undefined => {
  const last = field.findLast((element) => element.kind === 'field');
  return last?.enum;
};

const plural = (count: string, unit: string): string => `${count} ${unit}${count === '1' ? '' : 's'}`;

/** States what is expected, in the words of all errors. A rule with an expression of its own states it in the contract. */
const problemOf = (violation: RuleViolation): string => {
  const { ruleId, message } = violation;
  const [number = ''] = /\d+/.exec(message) ?? [];
  if (ruleId === 'required') return violation.field.at(-1)?.kind === 'oneof' ? 'must be set to one of its fields' : 'is required';
  if (ruleId.startsWith('enum.')) {
    const desc = enumOf(violation);
    const among = ruleId === 'enum.in' ? message.match(/\d+/g)?.map(Number) : undefined;
    return desc === undefined ? 'must be a known value' : `must be one of ${wordsOf(desc, among).join(', ')}`;
  }
  switch (ruleId) {
    case 'string.min_len':
      return number === '1' ? 'must not be empty' : `must have at least ${plural(number, 'character')}`;
    case 'string.max_len':
      return `must have at most ${plural(number, 'character')}`;
    case 'bytes.len':
      return `must have ${plural(number, 'byte')}`;
    case 'repeated.min_items':
      return number === '1' ? 'must not be empty' : `must have at least ${plural(number, 'item')}`;
    case 'repeated.max_items':
      return `must have at most ${plural(number, 'item')}`;
    case 'repeated.unique':
      return 'must not contain the same item twice';
    default:
      return message.replaceAll('greater than or equal to', 'at least').replaceAll('less than or equal to', 'at most');
  }
};

/** Raises VALIDATION_FAILED for fields of a request, in names of the contract. */
export const invalidRequest = (violations: readonly Violation[]): CodedError =>
  new CodedError('VALIDATION_FAILED', {
    message: violations
      .slice(0, MAX_VIOLATIONS)
      .map(({ field, problem }) => `${field === '' ? 'request' : field}: ${problem}`)
      .join('; '),
  });

/**
 * Creates the judge of a contract's requests. It gives texts their canonical spelling (see florin.options.v1.Format), and judges the request by the rules of
 * its contract.
 * @returns a function that throws CodedError VALIDATION_FAILED, which lists `<path>: <problem>` separated by `; `, in names of the contract, and never
 * contains a value
 * @throws Error when the rules of the contract cannot be evaluated
 */
export const requestJudge = <D extends DescMessage>(desc: D): ((request: MessageShape<D>) => void) => {
  const canonicalize = canonicalizer(desc);
  const judge = (request: MessageShape<D>): readonly RuleViolation[] => {
    const verdict = validator.validate(desc, request);
    if (verdict.kind === 'error') throw new Error(`the rules of ${desc.typeName} cannot be evaluated`, { cause: verdict.error });
    return verdict.kind === 'valid' ? [] : verdict.violations;
  };
  judge(create(desc));
  return (request) => {
    const found = canonicalize(request);
    for (const violation of judge(request)) {
      const field = pathToString(violation.field);
      if (!found.some((one) => one.field === field)) found.push({ field, problem: problemOf(violation) });
    }
    if (found.length > 0) throw invalidRequest(found);
  };
};
