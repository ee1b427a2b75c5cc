import { Buffer } from 'node:buffer';
import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';

const LENGTH_BYTES = 4;

/** Reads the messages that the suite writes to stdin, each with its length in front (32 bits, big-endian). */
export const readMessages = async function* <T>(desc: DescMessage): AsyncIterable<T> {
  let rest = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.byteLength >= LENGTH_BYTES && rest.byteLength >= LENGTH_BYTES + rest.readUInt32BE(0)) {
      const end = LENGTH_BYTES + rest.readUInt32BE(0);
      yield fromBinary(desc, rest.subarray(LENGTH_BYTES, end)) as T;
      rest = rest.subarray(end);
    }
  }
};

/** Writes a message to stdout in the same form. */
export const writeMessage = (desc: DescMessage, message: object): void => {
  const bytes = toBinary(desc, create(desc, message as MessageInitShape<DescMessage>));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.byteLength);
  process.stdout.write(Buffer.concat([length, bytes]));
};
