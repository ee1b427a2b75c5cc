import { describe, expect, it } from 'vitest';
import { createKept } from './kept.ts';

/** A browser whose pages share a storage, which it may forbid. */
const openBrowser = ({ isAllowed }: { isAllowed: boolean }) => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  return {
    openPage: () =>
      createKept(() => {
        if (!isAllowed) throw new DOMException('forbidden', 'SecurityError');
        return storage;
      }),
  };
};

describe('what the browser keeps', () => {
  it('is there after a reload, until it is forgotten', () => {
    const { openPage } = openBrowser({ isAllowed: true });
    openPage().keep('a', '1');
    const page = openPage();
    expect([page.read('a'), page.read('b'), page.isForgetful()]).toEqual(['1', undefined, false]);
    openPage().keep('a', '2');
    expect(page.read('a')).toBe('2');
    page.forget('a');
    expect(openPage().read('a')).toBeUndefined();
  });

  it('lasts until the page is left where the browser forbids it, and says so', () => {
    const { openPage } = openBrowser({ isAllowed: false });
    const page = openPage();
    expect([page.read('a'), page.isForgetful()]).toEqual([undefined, true]);
    page.keep('a', '1');
    expect(page.read('a')).toBe('1');
    expect(openPage().read('a')).toBeUndefined();
    page.forget('a');
    expect(page.read('a')).toBeUndefined();
  });
});
