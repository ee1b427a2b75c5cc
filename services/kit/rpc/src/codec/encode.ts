import { create, type DescField, type DescMessage, type MessageInitShape, ScalarType, toBinary } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

/** Something that only the library encodes, or rejects. */
const UNSUPPORTED = new Error('not supported by the fast encoder');

const FIRST_BYTES = 64 * 1024;
const MAX_KEPT_BYTES = 1024 * 1024;
const MAX_VARINT_BYTES = 10;
const MAX_UTF8_BYTES = 3;
const MAX_INT32 = 0x7fff_ffff;
const MAX_UINT32 = 0xffff_ffffn;
/** Shorter texts are copied byte by byte, which is faster than a call of the runtime. */
const SHORT_TEXT = 64;

const LENGTH_DELIMITED = 2;
const TIMESTAMP = 'google.protobuf.Timestamp';

/** Where messages are encoded, one at a time. */
const out = { bytes: Buffer.allocUnsafe(FIRST_BYTES), at: 0 };

const reserve = (size: number): void => {
  if (out.at + size <= out.bytes.length) return;
  const larger = Buffer.allocUnsafe(Math.max(out.bytes.length * 2, out.at + size));
  out.bytes.copy(larger, 0, 0, out.at);
  out.bytes = larger;
};

/** @param value from 0 to 2^32 - 1 */
const varint = (value: number): void => {
  let rest = value;
  while (rest > 127) {
    out.bytes[out.at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  out.bytes[out.at++] = rest;
};

const sizeOfVarint = (value: number): number => {
  let size = 1;
  for (let rest = value; rest > 127; rest >>>= 7) size += 1;
  return size;
};

/** Writes something behind its length, which is known afterwards. */
const behindLength = (write: () => void): void => {
  reserve(MAX_VARINT_BYTES);
  const start = out.at + 1;
  out.at = start;
  write();
  const length = out.at - start;
  if (length < 128) {
    out.bytes[start - 1] = length;
    return;
  }
  const more = sizeOfVarint(length) - 1;
  reserve(more);
  out.bytes.copyWithin(start + more, start, start + length);
  out.at = start - 1;
  varint(length);
  out.at += length;
};

/** Reports whether all of a short text is ASCII; then it is written, without its length. */
const writeAscii = (text: string): boolean => {
  const { bytes } = out;
  const start = out.at;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 127) return false;
    bytes[start + index] = unit;
  }
  out.at = start + text.length;
  return true;
};

const writeText = (text: string): void => {
  reserve(MAX_VARINT_BYTES + MAX_UTF8_BYTES * text.length);
  if (text.length < SHORT_TEXT) {
    const start = out.at;
    out.bytes[out.at++] = text.length;
    if (writeAscii(text)) return;
    out.at = start;
  }
  varint(Buffer.byteLength(text, 'utf8'));
  out.at += out.bytes.write(text, out.at, 'utf8');
};

type WriteValue = (value: unknown) => void;
type WriteMessage = (message: Record<string, unknown>) => void;

const writeBoolean: WriteValue = (value) => {
  if (typeof value !== 'boolean') throw UNSUPPORTED;
  out.bytes[out.at++] = value ? 1 : 0;
};
/** Of an enum, int32 or uint32. Negative ones are left to the library. */
const writeNumber: WriteValue = (value) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_INT32) throw UNSUPPORTED;
  varint(value);
};
const writeString: WriteValue = (value) => {
  if (typeof value !== 'string') throw UNSUPPORTED;
  writeText(value);
};

const writeBySlowPath =
  (desc: DescMessage): WriteMessage =>
  (message) => {
    const bytes = toBinary(desc, create(desc, message as MessageInitShape<DescMessage>));
    reserve(bytes.length);
    out.bytes.set(bytes, out.at);
    out.at += bytes.length;
  };

const SCALARS: Readonly<Partial<Record<ScalarType, WriteValue>>> = {
  [ScalarType.STRING]: writeString,
  [ScalarType.BOOL]: writeBoolean,
  [ScalarType.INT32]: writeNumber,
  [ScalarType.UINT32]: writeNumber,
};

const SECONDS_TAG = 8;
const NANOS_TAG = 16;

/** The library's Timestamp. Times before 1970 and after 2106 are left to the library. */
const writeTimestamp: WriteValue = (value) => {
  if (typeof value !== 'object' || value === null) throw UNSUPPORTED;
  const { seconds = 0n, nanos = 0, $unknown, $typeName = TIMESTAMP } = value as Record<string, unknown>;
  if (typeof seconds !== 'bigint' || seconds < 0n || seconds > MAX_UINT32 || $unknown !== undefined || $typeName !== TIMESTAMP) {
    throw UNSUPPORTED;
  }
  behindLength(() => {
    reserve(2 * MAX_VARINT_BYTES);
    if (seconds !== 0n) {
      varint(SECONDS_TAG);
      varint(Number(seconds));
    }
    if (nanos !== 0) {
      varint(NANOS_TAG);
      writeNumber(nanos);
    }
  });
};

/** How a single value is written behind its tag, and the wire type of the tag. */
const valueWriter = (field: DescField): { write: WriteValue; wireType: number } | undefined => {
  const kind = field.fieldKind === 'list' ? field.listKind : field.fieldKind;
  if (kind === 'enum') return { write: writeNumber, wireType: 0 };
  if (kind === 'scalar') {
    const write = SCALARS[field.scalar as ScalarType];
    return write && { write, wireType: write === writeString ? LENGTH_DELIMITED : 0 };
  }
  if (kind !== 'message' || field.message === undefined) return undefined;
  const desc = field.message;
  if (desc.typeName === TIMESTAMP) return { write: writeTimestamp, wireType: LENGTH_DELIMITED };
  // The library takes other things for the messages of this package, for example plain objects for a Struct.
  if (desc.typeName.startsWith('google.protobuf.')) return undefined;
  let writeMessage: WriteMessage | undefined;
  const write: WriteValue = (value) => {
    if (typeof value !== 'object' || value === null) throw UNSUPPORTED;
    writeMessage ??= messageWriter(desc) ?? writeBySlowPath(desc);
    behindLength(() => writeMessage?.(value as Record<string, unknown>));
  };
  return { write, wireType: LENGTH_DELIMITED };
};

const isZero = (value: unknown): boolean => value === '' || value === 0 || value === false;

/** Writes a field of a message, tag and value. Undefined for kinds of fields that the library is left with. */
const fieldWriter = (field: DescField): WriteMessage | undefined => {
  if (field.oneof !== undefined || field.fieldKind === 'map') return undefined;
  const value = valueWriter(field);
  if (value === undefined) return undefined;
  const { localName } = field;
  const tag = ((field.number << 3) | value.wireType) >>> 0;
  const put = (one: unknown): void => {
    reserve(2 * MAX_VARINT_BYTES);
    varint(tag);
    value.write(one);
  };
  if (field.fieldKind === 'list') {
    // Numbers in lists are packed.
    if (value.wireType !== LENGTH_DELIMITED) return undefined;
    return (message) => {
      const list = message[localName];
      if (list === undefined) return;
      if (!Array.isArray(list)) throw UNSUPPORTED;
      for (const one of list) put(one);
    };
  }
  const isImplicit = field.presence === FeatureSet_FieldPresence.IMPLICIT;
  return (message) => {
    const one = message[localName];
    if (one !== undefined && !(isImplicit && isZero(one))) put(one);
  };
};

const writers = new WeakMap<DescMessage, { write: WriteMessage | undefined }>();

const messageWriter = (desc: DescMessage): WriteMessage | undefined => {
  const known = writers.get(desc);
  if (known !== undefined) return known.write;
  const fields = desc.fields.toSorted((a, b) => a.number - b.number).map(fieldWriter);
  const { typeName } = desc;
  const write: WriteMessage | undefined = fields.includes(undefined)
    ? undefined
    : (message) => {
        const { $typeName = typeName, $unknown } = message;
        if ($typeName !== typeName || $unknown !== undefined) throw UNSUPPORTED;
        for (const field of fields) field?.(message);
      };
  writers.set(desc, { write });
  return write;
};

/**
 * Encodes a message in the binary format, to the same bytes as `toBinary(desc, create(desc, message))`, several times as fast for messages of
 * strings, small numbers, times and messages of those. Everything else is left to the library.
 */
export const encode = <D extends DescMessage>(desc: D, message: MessageInitShape<D>): Uint8Array<ArrayBuffer> => {
  const write = messageWriter(desc);
  if (write !== undefined) {
    out.at = 0;
    try {
      write(message as Record<string, unknown>);
      return new Uint8Array(out.bytes.subarray(0, out.at));
    } catch (error) {
      if (error !== UNSUPPORTED) throw error;
    } finally {
      if (out.bytes.length > MAX_KEPT_BYTES) out.bytes = Buffer.allocUnsafe(FIRST_BYTES);
    }
  }
  return toBinary(desc, create(desc, message));
};
