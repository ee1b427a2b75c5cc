import { create, type DescField, type DescMessage, fromBinary, ScalarType, toBinary } from '@bufbuild/protobuf';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { AdjustmentService } from '@florin/proto/ledger/v1/adjustment_service';
import { BalanceService } from '@florin/proto/ledger/v1/balance_service';
import { CreateEntriesRequestSchema, EntryService } from '@florin/proto/ledger/v1/entry_service';
import { HoldService } from '@florin/proto/ledger/v1/hold_service';
import { MovementService } from '@florin/proto/ledger/v1/movement_service';
import { StatementService } from '@florin/proto/ledger/v1/statement_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../testing/scaled.ts';
import { decode, encode } from './index.ts';

const MAX_DEPTH = 4;
const RUNS = scaled(200);

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constantFrom('', 'é', 'x'.repeat(63), 'x'.repeat(64), 'ü'.repeat(63), 'x'.repeat(200), '\ud800', '\ufeff'),
);
const small = fc.oneof(fc.constantFrom(0, 1, 127, 128, 2 ** 31 - 1), fc.nat());
const big = fc.bigInt({ min: 0n, max: 2n ** 62n });

const scalar = (type: ScalarType): fc.Arbitrary<unknown> => {
  if (type === ScalarType.STRING) return text;
  if (type === ScalarType.BOOL) return fc.boolean();
  if (type === ScalarType.BYTES) return fc.uint8Array({ maxLength: 200 });
  if (type === ScalarType.DOUBLE || type === ScalarType.FLOAT) return fc.constantFrom(0, 0.5, 3);
  if ([ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64, ScalarType.FIXED64, ScalarType.SFIXED64].includes(type)) return big;
  return type === ScalarType.INT32 ? fc.oneof(small, fc.constant(-1)) : small;
};

/** Values of a field; undefined where none is generated. */
const fieldValue = (field: DescField, depth: number): fc.Arbitrary<unknown> => {
  if (field.fieldKind === 'map') {
    return field.mapKind === 'scalar'
      ? fc.dictionary(fc.string({ maxLength: 5 }), scalar(field.scalar), { maxKeys: 3 })
      : fc.constant(undefined);
  }
  const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind;
  const one =
    kind === 'enum'
      ? fc.constantFrom(...(field.enum?.values ?? []).map(({ number }) => number), 77)
      : kind === 'scalar'
        ? scalar(field.scalar as ScalarType)
        : messageOf(field.message as DescMessage, depth + 1);
  return field.fieldKind === 'list' ? fc.array(one, { maxLength: 3 }) : one;
};

/** Times: most of this age, some beyond what the codec handles itself. */
const timestamp = fc.record(
  {
    seconds: fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 33n }),
      fc.constantFrom(0n, -1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 48n, 2n ** 48n + 1n, 253_402_300_799n),
      big,
    ),
    nanos: fc.oneof(fc.constantFrom(0, 999_999_999, -1), fc.nat({ max: 999_999_999 })),
  },
  { requiredKeys: [] },
);

/** Messages that `create` accepts: with and without the fields, and `undefined` for some. */
const messageOf = (desc: DescMessage, depth = 0): fc.Arbitrary<Record<string, unknown>> => {
  if (desc.typeName === 'google.protobuf.Timestamp') return timestamp;
  const plain = desc.fields.filter((field) => field.oneof === undefined && (depth < MAX_DEPTH || field.fieldKind === 'scalar'));
  const fields = Object.fromEntries(plain.map((field) => [field.localName, fc.option(fieldValue(field, depth), { nil: undefined })]));
  const groups = Object.fromEntries(
    (depth < MAX_DEPTH ? desc.oneofs : []).map((group) => [
      group.localName,
      fc.oneof(...group.fields.map((field) => fc.record({ case: fc.constant(field.localName), value: fieldValue(field, depth) }))),
    ]),
  );
  return fc.record({ ...fields, ...groups }, { requiredKeys: [] });
};

const SERVICES = [
  AccountService,
  AdjustmentService,
  BalanceService,
  ChallengeService,
  EntryService,
  HoldService,
  MovementService,
  StatementService,
];
const MESSAGES = new Map<string, DescMessage>(
  SERVICES.flatMap((service) => service.methods.flatMap(({ input, output }) => [input, output])).map((desc) => [desc.typeName, desc]),
);

/** The bytes, or that there are none. */
const attempt = (work: () => Uint8Array): string => {
  try {
    return Buffer.from(work()).toString('hex');
  } catch {
    return 'rejected';
  }
};

/** The message, or that there is none. */
const reading = (work: () => unknown): unknown => {
  try {
    return work();
  } catch {
    return 'rejected';
  }
};

const expectSameReading = (desc: DescMessage, bytes: Uint8Array): void => {
  const expected = reading(() => fromBinary(desc, bytes));
  const found = reading(() => decode(desc, bytes));
  expect(found).toStrictEqual(expected);
  if (expected !== 'rejected') expect(Object.keys(found as object).sort()).toEqual(Object.keys(expected as object).sort());
};

describe('decode', () => {
  it.each([...MESSAGES])('decodes %s to the same as the library', (_name, desc) => {
    fc.assert(
      fc.property(
        messageOf(desc),
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
        (message, changes) => {
          const bytes = reading(() => toBinary(desc, create(desc, message)));
          if (!(bytes instanceof Uint8Array)) return;
          expectSameReading(desc, bytes);
          if (bytes.length === 0) return;
          const cut = bytes.slice(0, (changes[0]?.[0] ?? 0) % bytes.length);
          const changed = bytes.slice();
          for (const [place, byte] of changes) changed[place % changed.length] = byte;
          for (const one of [cut, changed, Buffer.concat([bytes, changed]), Buffer.concat([bytes, bytes])]) expectSameReading(desc, one);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['a field that is not known', 'f8ffffff0f2a'],
    ['a length beyond the end', '0aff01'],
    ['an entry with a hold', '0a1a0a0161120a0a016112016222034555521a0608d285d8cc0442020831'],
    ['a number in an overlong form', '0a8500' + '0a03616263'],
    ['a group', '0b0c'],
    ['a truth value above one', '0a022002'],
    ['text that is not UTF-8', '0a040a02c328'],
    ['text beyond ASCII', '0a040a02c3a9'],
  ])('decodes or rejects %s as the library does', (_name, hex) => {
    expectSameReading(CreateEntriesRequestSchema, Buffer.from(hex, 'hex'));
  });

  it('returns a message that shares no memory with the bytes', () => {
    const bytes = Buffer.from(encode(CreateEntriesRequestSchema, { entries: [{ entryId: 'abc', metadata: { labels: { a: 'b' } } }] }));
    const message = decode(CreateEntriesRequestSchema, bytes);
    bytes.fill(0);
    expect(message.entries[0]).toMatchObject({ entryId: 'abc', metadata: { labels: { a: 'b' } } });
  });
});

describe('encode', () => {
  it.each([...MESSAGES])('encodes %s to the same bytes as the library', (_name, desc) => {
    fc.assert(
      fc.property(messageOf(desc), (message) => {
        const expected = attempt(() => toBinary(desc, create(desc, message)));
        expect(attempt(() => encode(desc, message))).toBe(expected);
        if (expected === 'rejected') return;
        // A message that was created or decoded has a type's name, and values for all of its fields.
        expect(attempt(() => encode(desc, create(desc, message)))).toBe(expected);
        // The library reads no byte order mark at the beginning of a text, so what was decoded may differ from what was encoded.
        const decoded = fromBinary(desc, Buffer.from(expected, 'hex'));
        expect(attempt(() => encode(desc, decoded))).toBe(attempt(() => toBinary(desc, decoded)));
      }),
      { numRuns: RUNS },
    );
  });

  it('grows for large messages, and keeps lengths of every size', () => {
    for (const length of [0, 1, 63, 64, 127, 128, 16_383, 16_384, 200_000, 3_000_000]) {
      for (const unit of ['x', 'é', '€']) {
        const message = { entries: [{ entryId: unit.repeat(length), transfers: [{ debit: unit.repeat(length) }] }, { entryId: 'a' }] };
        const expected = Buffer.from(toBinary(CreateEntriesRequestSchema, create(CreateEntriesRequestSchema, message)));
        expect(expected.equals(encode(CreateEntriesRequestSchema, message))).toBe(true);
      }
    }
  });

  it.each([
    ['a number for a text', { entries: [{ entryId: 7 }] }],
    ['a text for a list', { entries: 'x' }],
    ['a message of another type', { entries: [{ $typeName: 'florin.ledger.v1.Entry' }] }],
  ])('rejects %s as the library does', (_name, message) => {
    const expected = attempt(() => toBinary(CreateEntriesRequestSchema, create(CreateEntriesRequestSchema, message as never)));
    expect(attempt(() => encode(CreateEntriesRequestSchema, message as never))).toBe(expected);
  });

  it('keeps unknown fields', () => {
    const unknown = Buffer.from('f8ffffff0f2a', 'hex');
    const message = fromBinary(CreateEntriesRequestSchema, unknown);
    expect(Buffer.from(encode(CreateEntriesRequestSchema, message)).equals(unknown)).toBe(true);
  });
});
