import { useEffect } from 'react';
import { atom, useSetAtom } from '../store.ts';

const PRODUCT = 'Mintwatch';

/** Heading of the page in the header. */
export const pageTitleAtom = atom('');

/** Sets the page's title in the header, as its only `h1`, and in the browser's tab. */
export function usePageTitle(title: string): void {
  const setTitle = useSetAtom(pageTitleAtom);
  useEffect(() => {
    setTitle(title);
    document.title = title === '' ? PRODUCT : `${title} · ${PRODUCT}`;
  }, [title, setTitle]);
}
