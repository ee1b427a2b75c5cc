import { rolldown } from 'rolldown';

/**
 * Bundles a program with all that it imports into one text of JavaScript, an ES module, for a place that has none of the packages.
 * @param file path of the TypeScript of the program
 * @param platform `browser` for a program that uses nothing of Node.js; it runs elsewhere too
 */
export const bundleScript = async (file: string, platform: 'node' | 'browser' = 'node'): Promise<string> => {
  const build = await rolldown({ input: file, platform });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
};
