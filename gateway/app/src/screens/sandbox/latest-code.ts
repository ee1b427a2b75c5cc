import { client } from '../../api/client.ts';

/** The code of the newest message to an e-mail address or phone number that has one. Only in a sandbox, where messages stay on the platform. */
export const latestCode = async (to: string): Promise<string | undefined> => {
  const { data } = await client.sandbox.listOutbox({ to });
  return data.find(({ code }) => code !== undefined)?.code;
};
