import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { mongo } from 'mongoose';

type Document = mongo.Document;

/** Values keep their BSON types, so that a command is passed on as it was meant. */
export const EXACT = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;

const { BSON } = mongo;
const HEADER = 16;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];

const readDocument = (message: Buffer, at: number): { document: Document; end: number } => {
  const end = at + message.readInt32LE(at);
  return { document: BSON.deserialize(message.subarray(at, end), EXACT), end };
};

const endOfText = (message: Buffer, at: number): number => message.indexOf(0, at);

/** Reads the command of an OP_MSG. Its document sequences become arrays of the command. */
const readMessage = (message: Buffer): Document => {
  let command: Document = {};
  const sequences: Record<string, Document[]> = {};
  for (let at = HEADER + 4; at < message.length; ) {
    const kind = message.readUInt8(at);
    at += 1;
    if (kind === 0) {
      const { document, end } = readDocument(message, at);
      command = document;
      at = end;
      continue;
    }
    const end = at + message.readInt32LE(at);
    const nameEnd = endOfText(message, at + 4);
    const documents: Document[] = [];
    for (let next = nameEnd + 1; next < end; ) {
      const read = readDocument(message, next);
      documents.push(read.document);
      next = read.end;
    }
    sequences[message.toString('utf8', at + 4, nameEnd)] = documents;
    at = end;
  }
  return { ...command, ...sequences };
};

/** Reads the command of an OP_QUERY, by which a driver says hello. */
const readQuery = (message: Buffer): Document => readDocument(message, endOfText(message, HEADER + 4) + 9).document;

const writeMessage = (opCode: number, responseTo: number, before: Buffer, document: Document): Buffer => {
  const body = BSON.serialize(document);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + before.length + body.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, before, body]);
};

/** Returns one document, as OP_REPLY does: after flags, a cursor, a start and the count. */
const ONE_DOCUMENT = Buffer.alloc(20);
ONE_DOCUMENT.writeInt32LE(1, 16);
/** Flags, and the kind of the only section. */
const ONE_SECTION = Buffer.alloc(5);

/** Returns the reply to a command; undefined closes the connection. */
type Answer = (command: Document) => Promise<Document | undefined>;

/** A server that speaks MongoDB's protocol. */
export type WireServer = {
  /** `127.0.0.1:<port>` */
  address: string;
  /** Closes all connections. */
  cut: () => void;
  close: () => Promise<void>;
};

const serve = (socket: Socket, answer: Answer): void => {
  const reply = async (message: Buffer): Promise<void> => {
    const isQuery = message.readInt32LE(12) === OP_QUERY;
    const document = await answer(isQuery ? readQuery(message) : readMessage(message));
    if (document === undefined) socket.destroy();
    else if (socket.writable) {
      const id = message.readInt32LE(4);
      socket.write(isQuery ? writeMessage(OP_REPLY, id, ONE_DOCUMENT, document) : writeMessage(OP_MSG, id, ONE_SECTION, document));
    }
  };
  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= HEADER && received.length >= received.readInt32LE(0)) {
      const length = received.readInt32LE(0);
      const message = received.subarray(0, length);
      received = received.subarray(length);
      reply(message).catch(() => socket.destroy());
    }
  });
};

/** Starts a server on a free port. */
export const startWireServer = async (answer: Answer): Promise<WireServer> => {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
};
