export type RawEvent = { id: string; event: string; data: string };

/**
 * Reads server-sent events from text as it comes (WHATWG HTML, section 9.2.6). Like a browser it keeps the last id for events that have none, and drops a block
 * that ends with the connection.
 */
export const createEventParser = (): ((text: string) => RawEvent[]) => {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];

  const take = (line: string): RawEvent | undefined => {
    if (line === '') {
      const complete = data.length === 0 ? undefined : { id, event: event === '' ? 'message' : event, data: data.join('\n') };
      event = '';
      data = [];
      return complete;
    }
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
    return lines.map(take).filter((complete) => complete !== undefined);
  };
};
