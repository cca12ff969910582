import { z } from 'zod';
import type { AlertSound } from '../../common/alerts/rules/model.ts';
import { keptAtom } from '../kept-atom.ts';

/** Volume of alerts on this device, percent 0–100. */
export const alertVolumeAtom = keptAtom('mintwatch-alert-volume', z.number().min(0).max(100), 50);

/** Partial tones of each sound: frequency, Hz, its share of the volume, and the time until it has faded, s. */
const tones: Record<Exclude<AlertSound, 'none'>, readonly (readonly [number, number, number])[]> = {
  tick: [[1_500, 0.5, 0.07]],
  bell: [
    [880, 0.4, 1.1],
    [1_320, 0.25, 0.8],
    [2_217, 0.1, 0.4],
  ],
};
/** Time until a tone is at its height, s: without it, it would begin with a click. */
const ATTACK = 0.005;
const SILENCE = 0.000_1;

let context: AudioContext | null = null;

/** Starts the sounds of the page. Only for a click or key: browsers refuse it before. Resolves when sounds can be played. */
export async function startSound(): Promise<void> {
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state !== 'running') await context.resume();
}

/** Starts the sounds with the first click or key on the page, and again after an interruption. Returns the function that ends it. */
export function startSoundByGesture(): () => void {
  const ending = new AbortController();
  // A refused start is repeated by the next gesture.
  const start = () => void startSound().catch(() => undefined);
  for (const gesture of ['click', 'keydown']) {
    window.addEventListener(gesture, start, { capture: true, signal: ending.signal });
  }
  return () => ending.abort();
}

/** Returns whether the page can play sounds now. */
export function canPlaySound(): boolean {
  return context?.state === 'running';
}

/** Plays a sound, made of tones. `volume`: percent. Silent while the page can't play: tones of a stopped clock would sound later, at once. */
export function playSound(sound: AlertSound, volume: number): void {
  if (sound === 'none' || volume <= 0 || context?.state !== 'running') return;
  const { currentTime: now, destination } = context;
  for (const [frequency, share, fade] of tones[sound]) {
    const tone = new OscillatorNode(context, { frequency });
    const gain = new GainNode(context, { gain: SILENCE });
    gain.gain.linearRampToValueAtTime((share * volume) / 100, now + ATTACK);
    gain.gain.exponentialRampToValueAtTime(SILENCE, now + ATTACK + fade);
    tone.connect(gain).connect(destination);
    tone.start(now);
    tone.stop(now + ATTACK + fade);
  }
}
