import { useEffect } from 'react';
import { atom, useSetAtom } from '../store.ts';

const PRODUCT = 'Mintwatch';

/** Heading of the page in the header. */
export const pageTitleAtom = atom('');
/** Title of the page in the browser's tab. */
export const tabTitleAtom = atom('');

/** Returns the title of the browser's tab, with the number of new alerts before it. */
export function tabTitle(title: string, count = 0): string {
  const product = title === '' ? PRODUCT : `${title} · ${PRODUCT}`;
  return count === 0 ? product : `(${count}) ${product}`;
}

/** Sets the page's title in the header, as its only `h1`, and in the browser's tab, where `tab` can be another one. */
export function usePageTitle(title: string, tab = title): void {
  const setTitle = useSetAtom(pageTitleAtom);
  const setTab = useSetAtom(tabTitleAtom);
  useEffect(() => {
    setTitle(title);
    setTab(tab);
    document.title = tabTitle(tab);
  }, [title, tab, setTitle, setTab]);
}
