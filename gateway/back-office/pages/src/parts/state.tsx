import { Badge } from '@florin/ui/parts/badge.tsx';
import { toneOf } from '../domain/state-tone.ts';
import { useTranslator } from '../i18n/i18n.ts';

/** A state of the platform in a word. */
export const State = ({ of }: { of: string }) => {
  const { word } = useTranslator();
  return <Badge tone={toneOf(of)}>{word('state.', of)}</Badge>;
};
