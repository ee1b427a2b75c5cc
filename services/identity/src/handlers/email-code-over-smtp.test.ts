import { afterAll, beforeAll, expect, it } from 'vitest';
import { partOf, startTestSmtpServer } from '../testing/smtp-server.ts';
import { as, type Clients, createWorld, newEmail, newWallet, signIn, type World } from '../testing/world.ts';

let smtp: Awaited<ReturnType<typeof startTestSmtpServer>>;
let world: World;
let clients: Clients;

beforeAll(async () => {
  smtp = await startTestSmtpServer();
  world = await createWorld({ SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, MAIL_FROM: 'Florin <no-reply@florin.example>' });
  clients = world.clientsOf((await world.start()).url);
});
afterAll(async () => {
  await world?.close();
  await smtp?.close();
});

it('mails one code as text and as HTML, and the code registers the wallet', async () => {
  const email = newEmail();
  const { accessToken } = await signIn(clients, newWallet());
  await clients.codes.sendEmailCode({ email }, as(accessToken));
  const [mail] = smtp.mails;
  if (mail === undefined) throw new Error('no mail arrived');
  expect(smtp.mails).toHaveLength(1);
  expect(mail).toMatchObject({ from: 'no-reply@florin.example', to: [email.replace('@Example', '@example')] });
  expect(mail.body).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(mail.body).toMatch(/^Subject: Your Florin code\r$/m);

  const [text, html] = [partOf(mail, 'text/plain'), partOf(mail, 'text/html')];
  const otp = /Your code is (\d{6})\./.exec(text)?.[1] ?? '';
  expect(/<strong>(\d{6})<\/strong>/.exec(html)?.[1]).toBe(otp);
  for (const part of [text, html]) expect(part).toContain('It is valid for 5 minutes. Never share it.');
  // Locked screens show the subject. Random ids of the message may have the same digits among their own.
  expect(mail.body.split('\r\n\r\n')[0]).not.toMatch(new RegExp(`(?<!\\w)${otp}(?!\\w)`));

  const others = ['de', 'fr', 'it'].map(async (language) => {
    const signedIn = await signIn(clients, newWallet());
    const to = newEmail();
    await clients.codes.sendEmailCode({ email: to, language }, as(signedIn.accessToken));
    const own = smtp.mails.find((one) => one.to.includes(to.replace('@Example', '@example')));
    return own && partOf(own, 'text/plain');
  });
  expect(await Promise.all(others)).toEqual([
    expect.stringMatching(/^Dein Code ist \d{6}\./),
    expect.stringMatching(/^Votre code est \d{6}\./),
    expect.stringMatching(/^Your code is \d{6}\./),
  ]);

  const { messages } = await clients.sandbox.listOutboxMessages({ to: email });
  expect(messages).toEqual([]);
  await expect(clients.users.registerUser({ email, otp }, as(accessToken))).resolves.toMatchObject({ userId: expect.any(String) });
});
