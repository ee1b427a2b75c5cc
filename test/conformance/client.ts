import { setTimeout as pause } from 'node:timers/promises';
import { fromBinary, type Message } from '@bufbuild/protobuf';
import { type CallOptions, ConnectError } from '@connectrpc/connect';
import { createRpcChannel } from '@florin/rpc/client';
import { type Header, type PackedMessage, readContract, toHeaderList, toTypeUrl, type WireError } from './contract.ts';
import { readMessages, writeMessage } from './frames.ts';

/** The suite's client on the platform's own RPC channel. Usage: node client.ts DESCRIPTORS, with one message per call on stdin. */

type Cancel = { cancelTiming: { case?: 'afterCloseSendMs' | 'afterNumResponses'; value?: number } };

type CallRequest = {
  testName: string;
  host: string;
  port: number;
  method?: string;
  requestHeaders: Header[];
  requestMessages: PackedMessage[];
  timeoutMs?: number;
  requestDelayMs: number;
  cancel?: Cancel;
};

type Result = { responseHeaders: Header[]; responseTrailers: Header[]; payloads: unknown[]; error?: WireError };

type Method = (request: Message, options: CallOptions) => Promise<{ payload?: unknown }> & AsyncIterable<{ payload?: unknown }>;

const { service, message } = readContract(process.argv[2] ?? '');

/** The error as it came over the wire. The channel keeps it as the cause of its own. */
const causeOf = (thrown: unknown): ConnectError => ConnectError.from((thrown as { cause?: unknown }).cause ?? thrown);

const toWireError = ({ code, rawMessage, details }: ConnectError): WireError => ({
  code,
  message: rawMessage,
  details: details.flatMap((detail) => ('type' in detail ? [{ typeUrl: toTypeUrl(detail.type), value: detail.value }] : [])),
});

const splitMetadata = (metadata: Headers): Pick<Result, 'responseHeaders' | 'responseTrailers'> => {
  const all = [...metadata];
  const trailers = all.flatMap(([name, value]) => (name.startsWith('trailer-') ? [[name.slice(8), value] as [string, string]] : []));
  return { responseHeaders: toHeaderList(all.filter(([name]) => !name.startsWith('trailer-'))), responseTrailers: toHeaderList(trailers) };
};

const headersOf = (list: readonly Header[]): Headers => {
  const headers = new Headers();
  for (const { name, value } of list) for (const item of value) headers.append(name, item);
  return headers;
};

const call = async (request: CallRequest): Promise<Result> => {
  const desc = service.methods.find(({ name }) => name === request.method);
  const [packed] = request.requestMessages;
  if (desc === undefined || packed === undefined) throw new Error(`cannot call ${request.method}`);
  const channel = createRpcChannel({ baseUrl: `http://${request.host}:${request.port}` });
  const method = (channel.client(service) as Record<string, Method>)[desc.localName];
  const controller = new AbortController();
  const result: Result = { responseHeaders: [], responseTrailers: [], payloads: [] };
  const timing = request.cancel?.cancelTiming;
  try {
    await pause(request.requestDelayMs);
    const outcome = method?.(fromBinary(desc.input, packed.value), {
      headers: headersOf(request.requestHeaders),
      // Without a deadline, rather than with the channel's own.
      timeoutMs: request.timeoutMs ?? 0,
      signal: controller.signal,
      onHeader: (headers) => {
        result.responseHeaders = toHeaderList(headers);
      },
      onTrailer: (trailers) => {
        result.responseTrailers = toHeaderList(trailers);
      },
    });
    if (request.cancel !== undefined && timing?.case !== 'afterNumResponses') setTimeout(() => controller.abort(), timing?.value);
    if (outcome === undefined) throw new Error(`cannot call ${request.method}`);
    if (desc.methodKind === 'unary') {
      const { payload = {} } = await outcome;
      result.payloads.push(payload);
    } else {
      for await (const { payload } of outcome) {
        result.payloads.push(payload);
        if (timing?.case === 'afterNumResponses' && result.payloads.length === timing.value) controller.abort();
      }
    }
  } catch (thrown) {
    const error = causeOf(thrown);
    result.error = toWireError(error);
    const { responseHeaders, responseTrailers } = splitMetadata(error.metadata);
    if (result.responseHeaders.length === 0) result.responseHeaders = responseHeaders;
    // The error of a stream has headers and trailers of the response in one list.
    if (result.responseTrailers.length === 0) result.responseTrailers = desc.methodKind === 'unary' ? responseTrailers : responseHeaders;
  } finally {
    await channel.close();
  }
  return result;
};

const answer = async (request: CallRequest): Promise<void> => {
  const { testName } = request;
  const result = await call(request).then(
    (value) => ({ case: 'response', value }),
    (error: unknown) => ({ case: 'error', value: { message: String(error) } }),
  );
  writeMessage(message('ClientCompatResponse'), { testName, result });
};

const running: Promise<void>[] = [];
for await (const request of readMessages<CallRequest>(message('ClientCompatRequest'))) running.push(answer(request));
await Promise.all(running);
