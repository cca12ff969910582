import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useLiveEvent } from '../live/hooks/use-room.ts';
import { useStore } from '../store.ts';
import { showOnDesktop } from './desktop.ts';
import { alertVolumeAtom, canPlaySound, playSound, startSoundByGesture } from './sound.ts';

/** Time in which no other tab presents the same alert in the same way, ms. */
const HELD_MS = 5_000;

/** Plays the sounds of new alerts and shows those of the desktop, each in one of the open tabs. */
export function useAlertSignals(): void {
  const store = useStore();
  const [, go] = useLocation();
  useEffect(startSoundByGesture, []);
  useLiveEvent('alert', (alert) => {
    const { id, address, cause } = alert;
    if (cause === null) return;
    // A tab without a click may not play: it leaves the sound to another one.
    if (cause.sound !== 'none' && canPlaySound()) {
      void inOneTab(`mintwatch-sound-${id}`, () => playSound(cause.sound, store.get(alertVolumeAtom)));
    }
    if (cause.desktop) {
      void inOneTab(`mintwatch-desktop-${id}`, () => showOnDesktop(alert, () => go(`/app/tokens/${address}`)));
    }
  });
}

/** Runs `present` in the first tab that asks. Without locks, as on a page without HTTPS, in each. */
async function inOneTab(name: string, present: () => void): Promise<void> {
  const locks: LockManager | null | undefined = navigator.locks;
  if (locks == null) return present();
  await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    present();
    await new Promise((resolve) => setTimeout(resolve, HELD_MS));
  });
}
