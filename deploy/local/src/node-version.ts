const NEEDED_MAJOR = 24;

/** Older ones lack type stripping or parts of the library that the services use. @throws Error, one sentence */
export function refuseOldNode(version: string = process.versions.node): void {
  if (Number.parseInt(version, 10) >= NEEDED_MAJOR) return;
  throw new Error(
    `Node ${NEEDED_MAJOR} is needed and this is Node ${version}: run it through npm (\`npm start\`), which uses the one that \`npm ci\` installs.`,
  );
}
