import './styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startSession } from './api/session.ts';
import { App } from './app.tsx';
import { applyTheme, localeOf, readLanguage, readTheme } from './domain/preferences.ts';
import { isSandbox } from './environment.ts';
import { loadTexts } from './i18n/load-texts.ts';
import { startDiscovery } from './wallet/find-wallets.ts';
import { announceTestWallet } from './wallet/test-wallet.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element #app');

applyTheme(readTheme());
const language = readLanguage();
document.documentElement.lang = language;
const [texts] = await Promise.all([loadTexts(language), startSession()]);
startDiscovery();
if (isSandbox) announceTestWallet(texts.messages['sign_in.test_wallet']);

createRoot(root).render(
  <StrictMode>
    <App locale={localeOf(language, navigator.languages)} texts={texts} />
  </StrictMode>,
);
