import { rolldown } from 'rolldown';

/**
 * Bundles a program with all that it imports into one text of JavaScript, an ES module, for a place that has Node.js and none of the packages.
 * @param file path of the TypeScript of the program
 */
export const bundleScript = async (file: string): Promise<string> => {
  const build = await rolldown({ input: file, platform: 'node' });
  const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
};
