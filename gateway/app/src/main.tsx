import './styles/index.css';
import { startPage } from '@florin/ui/page/start-page.tsx';
import { readLastKnown } from './api/last-known.ts';
import { startSession } from './api/session.ts';
import { App } from './app.tsx';
import { isSandbox } from './environment.ts';
import { LANGUAGES, loadTexts } from './i18n/load-texts.ts';
import { Home } from './screens/next/later.ts';
import { startDiscovery } from './wallet/find-wallets.ts';
import { announceTestWallet } from './wallet/test-wallet.ts';

await startPage(
  LANGUAGES,
  async (language) => {
    // The page is drawn meanwhile: without a connection the platform is tried for seconds.
    void startSession();
    // Who was here before is likely to be signed in.
    if (readLastKnown() !== undefined) void Home.preload().catch(() => undefined);
    const texts = await loadTexts(language);
    startDiscovery();
    if (isSandbox) announceTestWallet(texts.messages['sign_in.test_wallet']);
    return texts;
  },
  (texts, locale) => <App locale={locale} texts={texts} />,
);
