/** Returns the environment of this process. Only entry points call it; everything else receives the environment as an argument. */
// biome-ignore lint/style/noProcessEnv: the only place that reads it
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;
