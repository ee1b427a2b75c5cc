import { create, type DescMessage, type JsonValue, type Message, toBinary, toJson } from '@bufbuild/protobuf';
import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';

/** HTTP statuses of error codes in unary responses (Connect protocol, "Error Codes"). All others are 500. */
const STATUSES: Partial<Record<Code, number>> = {
  [Code.Canceled]: 499,
  [Code.InvalidArgument]: 400,
  [Code.DeadlineExceeded]: 504,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.PermissionDenied]: 403,
  [Code.ResourceExhausted]: 429,
  [Code.FailedPrecondition]: 400,
  [Code.Aborted]: 409,
  [Code.OutOfRange]: 400,
  [Code.Unimplemented]: 501,
  [Code.Unavailable]: 503,
  [Code.Unauthenticated]: 401,
};

/** Codes of responses without an error body (Connect protocol, "HTTP to Error Code"). All others are UNKNOWN. */
const CODES_BY_STATUS: Readonly<Record<number, Code>> = {
  400: Code.Internal,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.Unimplemented,
  429: Code.Unavailable,
  502: Code.Unavailable,
  503: Code.Unavailable,
  504: Code.Unavailable,
};

/** Names on the wire: lower snake case. */
const NAMES = new Map(
  Object.entries(Code).flatMap(([name, code]) =>
    typeof code === 'number' ? [[code as Code, name.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()] as const] : [],
  ),
);
const CODES = new Map([...NAMES].map(([code, name]) => [name, code]));

export const httpStatusOf = (code: Code): number => STATUSES[code] ?? 500;

export const codeOfHttpStatus = (status: number): Code => CODES_BY_STATUS[status] ?? Code.Unknown;

type Detail = ConnectError['details'][number];

/** The readable form of a detail, which is optional: a message that packs one of an unknown type has none. */
const debugOf = (desc: DescMessage, message: Message): { debug?: JsonValue } => {
  try {
    return { debug: toJson(desc, message) };
  } catch {
    return {};
  }
};

const toDetail = (detail: Detail): object => {
  if (!('desc' in detail)) return { ...detail, value: base64Encode(detail.value, 'std_raw') };
  const message = create(detail.desc, detail.value);
  return {
    type: detail.desc.typeName,
    value: base64Encode(toBinary(detail.desc, message), 'std_raw'),
    ...debugOf(detail.desc, message),
  };
};

/** Encodes the body of an error response (Connect protocol, "Error End-Stream"). Its metadata is sent as headers. */
export const toErrorBody = ({ code, rawMessage, details }: ConnectError): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      code: NAMES.get(code) ?? 'unknown',
      ...(rawMessage === '' ? {} : { message: rawMessage }),
      ...(details.length === 0 ? {} : { details: details.map(toDetail) }),
    }),
  );

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const fromDetail = (detail: unknown): Detail => {
  if (!isObject(detail) || typeof detail['type'] !== 'string' || typeof detail['value'] !== 'string') throw new Error('invalid detail');
  return { type: detail['type'], value: base64Decode(detail['value']), debug: detail['debug'] as never };
};

/**
 * Decodes the body of an error response.
 * @param status HTTP status, which decides the code when the body names no known one
 * @returns an error with that code and no details when the body is not an error of the protocol
 */
export const fromErrorBody = (body: Uint8Array, status: number, metadata: Headers): ConnectError => {
  const fallback = (): ConnectError => new ConnectError(`HTTP ${status}`, codeOfHttpStatus(status), metadata);
  try {
    const json: unknown = JSON.parse(Buffer.from(body).toString());
    if (!isObject(json)) return fallback();
    const { code, message = '', details = [] } = json;
    if (message !== null && typeof message !== 'string') return fallback();
    const known = typeof code === 'string' ? CODES.get(code) : undefined;
    const error = new ConnectError(message ?? '', known ?? codeOfHttpStatus(status), metadata);
    if (Array.isArray(details)) error.details.push(...details.map(fromDetail));
    return error;
  } catch {
    return fallback();
  }
};
