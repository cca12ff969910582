/**
 * Makes the clock and the long timers of a process run `CLOCK_SPEED` times as fast, for a test of a whole day. Loaded before its code
 * (`node --import`). Other processes keep their time, such as a MongoDB that deletes expired documents.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const speed = Number(process.env.CLOCK_SPEED);
/** Shorter delays stay as they are, ms: they are ticks and time limits of work, which takes as long as ever. */
const SHORT_MS = 30_000;
const RealDate = Date;
const startedAt = RealDate.now();
const monotonic = performance.now.bind(performance);

performance.now = () => monotonic() * speed;
const startedMonotonic = monotonic();
const now = () => Math.floor(startedAt + (monotonic() - startedMonotonic) * speed);

const FastDate = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
RealDate.prototype.constructor = FastDate;
globalThis.Date = FastDate;

/**
 * Shortens a long delay, which is the second parameter of the timers and the first one of a pause.
 * @template {(...given: never[]) => unknown} Timer
 * @param {Timer} timer
 * @param {number} place
 */
const sped = (timer, place) =>
  new Proxy(timer, {
    apply(real, self, given) {
      const ms = Number(given[place] ?? 0);
      return Reflect.apply(real, self, Object.assign([...given], { [place]: ms < SHORT_MS ? ms : ms / speed }));
    },
  });
globalThis.setTimeout = sped(setTimeout, 1);
globalThis.setInterval = sped(setInterval, 1);
timers.setTimeout = sped(timers.setTimeout, 0);
syncBuiltinESMExports();
