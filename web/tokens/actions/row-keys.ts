import { useEffect } from 'react';
import { useStore } from '../../store.ts';
import { typesText } from '../../ui/typing.ts';
import { useChangeList } from '../../watchlists/change-list.tsx';
import { listSetsAtom } from '../../watchlists/lists.ts';
import { copyAddress } from './token-links.tsx';

/** Handles the keys of the selected row, which has the focus, or else the pointer: `c` copies its address, `w` watches it. */
export function useRowKeys(): void {
  const store = useStore();
  const change = useChangeList();
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== 'c' && event.key !== 'w') return;
      // Handled by another list of the page, or a shortcut of the browser.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typesText(event.target)) return;
      const address = selectedAddress();
      if (address === null) return;
      event.preventDefault();
      if (event.key === 'c') void copyAddress(address);
      else change({ list: 'watch', address, on: store.get(listSetsAtom)?.watch.has(address) !== true });
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [store, change]);
}

function selectedAddress(): string | null {
  const focused = document.activeElement?.closest('[data-address]');
  const row = focused ?? document.querySelector('[data-address]:hover');
  return row?.getAttribute('data-address') ?? null;
}
