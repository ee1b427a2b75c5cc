import type { BrowserContext, Page } from 'playwright-core';

/** An answer that says no is part of a story; the browser reports it all the same. */
const STATUS =
  /^Failed to load resource: (?:the server responded with a status of|net::ERR_INTERNET_DISCONNECTED|net::ERR_CONNECTION_FAILED)/;

/** The word of Playwright where a test lets the browser keep no app. */
const BLOCKED = 'Service Worker registration blocked by Playwright';

/** Collects what no page of the app may cause: errors in scripts, messages on the console, and violations of the content security policy. */
export const collectProblems = async (context: BrowserContext): Promise<string[]> => {
  const problems: string[] = [];
  const follow = (page: Page): void => {
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      if (['error', 'warning'].includes(message.type()) && !STATUS.test(text) && text !== BLOCKED) problems.push(`console: ${text}`);
    });
  };
  await context.exposeBinding('reportViolation', (_source, violation: string) => void problems.push(`policy: ${violation}`));
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => reportViolation([effectiveDirective, blockedURI, sample].join(' ')))",
  );
  context.on('page', follow);
  return problems;
};
