/** Longest event, in characters. The platform's are a few thousand. */
const MAX_LENGTH = 1_000_000;

export type RawEvent = { id: string; event: string; data: string };

/**
 * Reads server-sent events from text as it comes (WHATWG HTML, section 9.2.6). Like a browser it keeps the last id for events that have none, and drops a block
 * that ends with the connection.
 * @throws RangeError for an event that is longer than any of the platform's: memory is not for a sender to fill
 */
export const createEventParser = (): ((text: string) => RawEvent[]) => {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  let length = 0;

  const take = (line: string): RawEvent | undefined => {
    if (line === '') {
      const complete = data.length === 0 ? undefined : { id, event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
      length = 0;
      return complete;
    }
    length += line.length;
    const [, field = '', value = ''] = /^([^:]*):? ?([\s\S]*)$/.exec(line) ?? [];
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };

  return (text) => {
    rest += text;
    // A carriage return at the end may be the first half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const events = lines.map(take).filter((complete) => complete !== undefined);
    if (length + rest.length > MAX_LENGTH) throw new RangeError('an event of the stream is too long');
    return events;
  };
};
