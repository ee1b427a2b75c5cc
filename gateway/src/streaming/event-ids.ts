/**
 * Ids of the events that one client reads. An id is the position in the service's event stream up to which the client is current once it
 * has read the event, `<milliseconds>-<sequence>`, and for everything but a change with a position of its own a serial number:
 * `<milliseconds>-<sequence>.<serial>`. Ids increase (position first, then serial), and no two events of a user have the same one.
 */

export type Position = string;

/** The position that a Last-Event-ID stands for. `incomplete`: its client has read only a part of what precedes the position. */
export type ResumePoint = { position: Position; serial: number; incomplete: boolean };

const ID = /^(\d{1,16}-\d{1,16})(?:\.(\d{1,15})(p?))?$/;

/** Reads an id that this gateway or another one has sent. @returns undefined if it has another form */
export const parseEventId = (text: string): ResumePoint | undefined => {
  const [, position, serial, mark] = ID.exec(text) ?? [];
  return position === undefined ? undefined : { position, serial: Number(serial ?? 0), incomplete: mark === 'p' };
};

const parts = (position: Position): [number, number] => {
  const [time = 0, sequence = 0] = position.split('-').map(Number);
  return [time, sequence];
};

/** Compares two positions: negative when `a` is before `b`, 0 when they are equal. */
export const comparePositions = (a: Position, b: Position): number => {
  const [timeA, sequenceA] = parts(a);
  const [timeB, sequenceB] = parts(b);
  return timeA - timeB || sequenceA - sequenceB;
};

export const later = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);

/** Issues serial numbers that no other connection of this process uses. @param seed milliseconds since the epoch at its start */
export const createSerials = (seed: number) => {
  let newest = seed;
  return (above: number): number => {
    newest += 1;
    return Math.max(newest, above + 1);
  };
};

export type Serials = ReturnType<typeof createSerials>;

type Stamp = {
  position: Position;
  /** The event is the change at this position, and not one among several. */
  own: boolean;
  /** Other events that precede the position have not been sent yet. */
  incomplete: boolean;
};

/**
 * Names the events of one connection.
 * @param start the id after which the client resumes, if it is known
 */
export const createEventIds = (serials: Serials, start: ResumePoint | undefined) => {
  let last = { position: start?.position ?? '0-0', serial: start?.serial ?? 0 };
  return ({ position, own, incomplete }: Stamp): string => {
    const advances = comparePositions(position, last.position) > 0;
    const serial = advances && own && !incomplete ? 0 : serials(advances ? 0 : last.serial);
    last = { position: advances ? position : last.position, serial };
    return serial === 0 ? last.position : `${last.position}.${serial}${incomplete ? 'p' : ''}`;
  };
};
