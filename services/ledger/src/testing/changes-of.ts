export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

const changesOfText = (text: string): string[] => {
  const places = [...new Set([0, text.length >> 1, text.length - 1])].filter((at) => at >= 0 && at < text.length);
  return ['', `${text} `, ...places.map((at) => `${text.slice(0, at)}${text[at] === '4' ? '5' : '4'}${text.slice(at + 1)}`)].filter(
    (changed) => changed !== text,
  );
};

/** A value of JSON with one thing changed: another number, another character, an element or a field that is missing, an element that is there twice. */
export const changesOf = function* (value: Json): Generator<Json> {
  if (typeof value === 'number') yield* Array.from({ length: 20 }, (_, other) => other - 1).filter((other) => other !== value);
  else if (typeof value === 'string') yield* changesOfText(value);
  else if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) {
      for (const changed of changesOf(element)) yield value.with(at, changed);
      yield value.toSpliced(at, 1);
      yield value.toSpliced(at, 0, element);
    }
  } else if (value !== null && typeof value === 'object') {
    for (const [key, field] of Object.entries(value)) {
      for (const changed of changesOf(field)) yield { ...value, [key]: changed };
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
    }
  }
};
