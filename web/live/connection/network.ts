import type { Store } from '../../store.ts';
import { onlineAtom } from '../atoms/atoms.ts';

/** Follows whether the browser has a network; when it is back, there is no need to wait for the next attempt. */
export function watchNetwork(store: Store, back: () => void): () => void {
  const look = () => store.set(onlineAtom, navigator.onLine);
  const online = () => {
    look();
    back();
  };
  look();
  window.addEventListener('online', online);
  window.addEventListener('offline', look);
  return () => {
    window.removeEventListener('online', online);
    window.removeEventListener('offline', look);
  };
}
