import { shortAddress } from '@florin/ui/format/short-address.ts';

/** A hash or address with its ends, and whole for who asks; a dash for none. */
export const Short = ({ text }: { text: string }) =>
  text === '' ? (
    '–'
  ) : (
    <span className="mono" title={text}>
      {shortAddress(text)}
    </span>
  );
