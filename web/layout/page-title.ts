import { useEffect } from 'react';
import { atom, useSetAtom } from '../store.ts';

const PRODUCT = 'Mintwatch';

/** What the header shows as the page's heading. */
export const pageTitleAtom = atom('');

/** Names the page: in the header, as its only `h1`, and in the browser's tab. */
export function usePageTitle(title: string): void {
  const setTitle = useSetAtom(pageTitleAtom);
  useEffect(() => {
    setTitle(title);
    document.title = title === '' ? PRODUCT : `${title} · ${PRODUCT}`;
  }, [title, setTitle]);
}
