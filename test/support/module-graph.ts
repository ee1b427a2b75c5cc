import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Import and export statements that remain when types are stripped, and dynamic imports. */
const IMPORTS = /(?:^|[\n;}])\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^'\n]+)'|\bimport\('([^'\n]+)'\)/g;

/** Packages of this repository. */
const OWN = /^@florin\//;

type Module = { text: string; imports: readonly string[] };

/**
 * Reads which modules of the repository import which others.
 * @returns reports whether the text of a file, or of a module that it imports, directly or not, matches
 */
export const openModuleGraph = (root: string): ((file: string, pattern: RegExp) => boolean) => {
  const { resolve: resolvePackage } = createRequire(join(root, 'package.json'));
  const modules = new Map<string, Module>();

  const resolve = (from: string, specifier: string): string[] => {
    if (specifier.startsWith('.')) return [join(dirname(from), specifier)];
    return OWN.test(specifier) ? [resolvePackage(specifier)] : [];
  };

  const read = (file: string): Module => {
    const known = modules.get(file);
    if (known !== undefined) return known;
    // Other imports, such as styles and texts, import nothing.
    const text = /\.tsx?$/.test(file) ? readFileSync(file, 'utf8') : '';
    const specifiers = [...text.matchAll(IMPORTS)].map(([, stated, dynamic]) => stated ?? dynamic ?? '');
    const module = { text, imports: specifiers.flatMap((specifier) => resolve(file, specifier)) };
    modules.set(file, module);
    return module;
  };

  return (file, pattern) => {
    const seen = new Set([file]);
    for (const path of seen) {
      const { text, imports } = read(path);
      if (pattern.test(text)) return true;
      for (const next of imports) seen.add(next);
    }
    return false;
  };
};
