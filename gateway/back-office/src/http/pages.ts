import { join } from 'node:path';
import { type AppFile, type BuiltApp, CODINGS, readBuiltApp } from '@florin/gateway/built-app';
import { fileHeaders, isDeepLink, pageHeaders } from '@florin/gateway/page-headers';

/** Where the build of the pages puts its files. */
const DIST = join(import.meta.dirname, '../../pages/dist');

/** The response to a path of the pages. */
export type PageAnswer = { headers: Readonly<Record<string, string>>; content: Buffer };

/** Pages ask for passkeys. */
const PASSKEYS = 'publickey-credentials-create=(self), publickey-credentials-get=(self)';

const chooseCoding = ({ plain, ...coded }: AppFile, accepted: string) => {
  const wanted = accepted.split(',').filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part));
  const names = wanted.map((part) => part.split(';')[0]?.trim());
  const coding = CODINGS.find((name) => coded[name] !== undefined && names.includes(name));
  return { content: (coding === undefined ? undefined : coded[coding]) ?? plain, coding };
};

/** @returns undefined for a path that the pages do not have */
export type ServePages = (path: string, acceptEncoding: string) => PageAnswer | undefined;

/** Serves the built pages from memory; before they are built there are none. */
export const createPages = ({ page, files }: BuiltApp): ServePages => {
  const content = Buffer.from(page);
  return (path, acceptEncoding) => {
    const name = path.slice(1);
    const file = files.get(name);
    if (file !== undefined) {
      const { content: chosen, coding } = chooseCoding(file, acceptEncoding);
      const encoding: Record<string, string> = coding === undefined ? {} : { 'Content-Encoding': coding };
      return { headers: { ...fileHeaders(name, file.type, PASSKEYS), Vary: 'Accept-Encoding', ...encoding }, content: chosen };
    }
    return isDeepLink(name) ? { headers: pageHeaders(PASSKEYS), content } : undefined;
  };
};

/** Reads the built pages. @returns undefined when they are not built */
export const readPages = async (): Promise<ServePages | undefined> => {
  const built = await readBuiltApp(DIST);
  return built === undefined ? undefined : createPages(built);
};
