import { useLocation } from 'wouter';
import type { Alert } from '../../common/alerts/model.ts';
import { useLiveEvent } from '../live/hooks/use-room.ts';
import { useStore } from '../store.ts';
import { showOnDesktop } from './desktop.ts';
import { alertVolumeAtom, playSound } from './sound.ts';

/** Time in which no other tab presents the same alert, ms. */
const HELD_MS = 5_000;

/** Plays the sounds of new alerts and shows those of the desktop, each in one of the open tabs. */
export function useAlertSignals(): void {
  const store = useStore();
  const [, go] = useLocation();
  useLiveEvent('alert', (alert) => {
    const { address, cause } = alert;
    if (cause === null || (cause.sound === 'none' && !cause.desktop)) return;
    void inOneTab(alert, () => {
      playSound(cause.sound, store.get(alertVolumeAtom));
      if (cause.desktop) showOnDesktop(alert, () => go(`/app/tokens/${address}`));
    });
  });
}

/** Runs `present` in the first tab that asks. Without locks, as on a page without HTTPS, in each. */
async function inOneTab({ id }: Alert, present: () => void): Promise<void> {
  const locks: LockManager | null | undefined = navigator.locks;
  if (locks == null) return present();
  await locks.request(`mintwatch-alert-${id}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    present();
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
  });
}
