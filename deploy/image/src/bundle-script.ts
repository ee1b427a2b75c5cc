import { rolldown } from 'rolldown';

/**
 * Bundles a program with all that it imports into one text of JavaScript, an ES module, for a place that has none of the packages.
 * @param file path of the TypeScript of the program
 * @param platform `browser` for a program that uses nothing of Node.js; it runs elsewhere too
 * @param without modules that are left out, because the program loads them later
 */
export const bundleScript = async (file: string, platform: 'node' | 'browser' = 'node', without: RegExp[] = []): Promise<string> => {
  const build = await rolldown({ input: file, platform, external: without });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
};
