import type { Store } from '../../store.ts';
import { onlineAtom } from '../atoms/atoms.ts';

/** Follows whether the browser is online; calls `onOnline` when it is again. Returns the function that stops it. */
export function watchNetwork(store: Store, onOnline: () => void): () => void {
  const update = () => store.set(onlineAtom, navigator.onLine);
  const online = () => {
    update();
    onOnline();
  };
  update();
  window.addEventListener('online', online);
  window.addEventListener('offline', update);
  return () => {
    window.removeEventListener('online', online);
    window.removeEventListener('offline', update);
  };
}
