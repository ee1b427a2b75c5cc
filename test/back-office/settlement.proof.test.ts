import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { describe, expect, it } from 'vitest';
import { checkScreen } from '../app/check-screen.ts';
import { newEmail, press } from '../support/in-browser.ts';
import { openOperatorChannel } from '../support/operator-channel.ts';
import { untilDone } from '../support/story.ts';
import { openOffice } from './office-in-browser.ts';
import { button, confirm, enrolAs, goTo, REASON } from './steps.ts';

const STORY_MS = 240_000;

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('the books of settlement', () => {
  const office = openOffice({}, { settlement: {} });

  /** A network settles a purchase of 42.00 with 21 cents of interchange. */
  const settle = async (): Promise<void> => {
    const channel = openOperatorChannel(office.platform, {
      audience: 'settlement',
      baseUrl: office.platform.urls['SETTLEMENT_URL'],
      scopes: Object.values(SETTLEMENT_SCOPES),
    });
    const value = { network: 'visa', amount: '4200', interchange: '21', transactionId: 'T-1', eventId: 'E-1' };
    const record = { source: 'operator', id: 'R-1', date: dayBefore(2), currency: 'EUR', kind: { case: 'clearing', value } as const };
    await untilDone(() => channel.client(SettlementService).importRecords({ records: [record] }));
    await channel.close();
  };

  it('are read and closed for good by finance', { timeout: STORY_MS }, async (test) => {
    await settle();
    const { page } = await office.sit(test, await office.invite(newEmail('fred'), 'finance'));
    await enrolAs(page, 'Fred Finance');
    await goTo(page, 'Settlement');
    const positions = page.getByRole('table', { name: 'Positions with networks' });
    await positions.getByText('visa').waitFor();
    expect(await positions.getByRole('row').allTextContents()).toContainEqual(expect.stringContaining('€41.79'));
    await page.getByText('No day is closed yet.').waitFor();
    await page.getByText('No report has been made yet.').waitFor();
    await checkScreen(page, 'settlement', 'back-office');

    // Today has not ended.
    await button(page, 'Close a day').click();
    await page.getByRole('dialog').getByLabel('Day').fill(dayBefore(0));
    await page.getByRole('dialog').getByLabel('Reason').fill(REASON);
    await checkScreen(page, 'close-day', 'back-office');
    await press(page, button(page.getByRole('dialog'), 'Close a day'), page.getByText('this day has not ended yet'));
    await page.getByRole('dialog').getByLabel('Day').fill(dayBefore(1));
    await confirm(page, 'Close a day', `The books are closed up to ${dayBefore(1)}.`);

    await page.getByText(`Closed up to ${dayBefore(1)}.`, { exact: true }).waitFor();
    await page.getByLabel('Day').fill(dayBefore(2));
    await press(page, button(page, 'Show closed day'), page.getByRole('heading', { name: `Closed up to ${dayBefore(1)}` }));
    await page.getByText('Hash of the records').waitFor();
    await goTo(page, 'Settlement');
    await page.getByText('Hash of the records').waitFor({ state: 'detached' });
    await page
      .getByRole('table', { name: 'Closed days' })
      .getByRole('link', { name: dayBefore(1) })
      .click();
    await page.getByText('Hash of the records').waitFor();
    await checkScreen(page, 'closed-day', 'back-office');
  });
});
