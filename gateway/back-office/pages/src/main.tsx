import './styles/index.css';
import { startPage } from '@florin/ui/page/start-page.tsx';
import { App } from './app.tsx';
import { LANGUAGES, loadTexts } from './i18n/load-texts.ts';

await startPage(LANGUAGES, loadTexts, (texts, locale) => <App locale={locale} texts={texts} />);
