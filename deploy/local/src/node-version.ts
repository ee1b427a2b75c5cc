const REQUIRED_MAJOR = 24;

/** Rejects versions of Node without type stripping or without library functions that the services use. @throws Error */
export const requireSupportedNode = (version: string = process.versions.node): void => {
  if (Number.parseInt(version, 10) >= REQUIRED_MAJOR) return;
  throw new Error(
    `Florin requires Node ${REQUIRED_MAJOR} or later, and this is Node ${version}. Start it with \`npm start\`, which uses the version that \`npm ci\` installs.`,
  );
};
