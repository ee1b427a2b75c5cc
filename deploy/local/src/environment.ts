/** The environment that this process was started with. The programs read it here, everything below them is given it. */
// biome-ignore lint/style/noProcessEnv: this is the one place
export const processEnvironment = (): NodeJS.ProcessEnv => process.env;
