import { useEffect } from 'react';
import { atom, useSetAtom, useStore } from '../store.ts';

const PRODUCT = 'Mintwatch';

/** Id of the element around the page. */
export const PAGE_CONTENT_ID = 'content';

/** Heading of the page in the header. */
export const pageTitleAtom = atom('');
/** Title of the page in the browser's tab. */
export const tabTitleAtom = atom('');

/** Returns the title of the browser's tab, with the number of new alerts before it. */
export function tabTitle(title: string, count = 0): string {
  const product = title === '' ? PRODUCT : `${title} · ${PRODUCT}`;
  return count === 0 ? product : `(${count}) ${product}`;
}

/**
 * Sets the page's title in the header, as its only `h1`, and in the browser's tab, where `tab` can be another one. A page that
 * follows another one takes the focus when the link that led here is gone, so that keys and screen readers go on in it.
 */
export function usePageTitle(title: string, tab = title): void {
  const store = useStore();
  const setTitle = useSetAtom(pageTitleAtom);
  const setTab = useSetAtom(tabTitleAtom);
  useEffect(() => {
    const isFirst = store.get(pageTitleAtom) === '';
    setTitle(title);
    setTab(tab);
    document.title = tabTitle(tab);
    if (isFirst || document.activeElement !== document.body) return;
    document.getElementById(PAGE_CONTENT_ID)?.focus({ preventScroll: true });
  }, [title, tab, store, setTitle, setTab]);
}
