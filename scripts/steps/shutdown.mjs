/** Stops the started parts in reverse order, after a signal or a failure. */
import { failureCode, printable } from './start-error.mjs';

/** Everything ends within 5 s of the signal; the journals keep the data of parts that are then killed. */
const DEADLINE_MS = 4_700;
/** A part that hangs leaves this much of the deadline to the parts it depends on, which still end cleanly. */
const PART_DEADLINE_MS = 3_800;
/** npm forwards the terminal's Ctrl-C, which also arrives directly: two signals for one key press. */
const SAME_KEY_PRESS_MS = 500;

/**
 * @typedef {{ stop(): Promise<unknown>, force?(): void }} Part a started part; `force` ends it at once
 * @typedef {object} Shutdown
 * @property {AbortSignal} signal aborted by the first signal
 * @property {(part: Part) => void} add registers a part, which is stopped before all earlier ones
 * @property {(work: Promise<unknown>) => void} waitFor registers work that the signal interrupts; the parts are stopped
 *   after it has ended
 * @property {(work: Promise<unknown>, lastWord?: () => string) => void} guard waits for `work` as above; when it fails by itself,
 *   its failure is printed, all parts are stopped, and the process ends with exit code 1. `lastWord`: a line after all others;
 *   empty: none
 * @property {() => Promise<void>} stopAll
 */

/**
 * Handles Ctrl-C and SIGTERM from now on.
 * @param {{ print(line: string): void, exit?(code: number): void, deadlineMs?: number, partDeadlineMs?: number }} options
 * @returns {Shutdown}
 */
export function createShutdown({
  print,
  exit = (code) => process.exit(code),
  deadlineMs = DEADLINE_MS,
  partDeadlineMs = PART_DEADLINE_MS,
}) {
  /** @type {Part[]} */
  const parts = [];
  const interruption = new AbortController();
  let signalledAt = 0;
  /** @type {Promise<unknown>} */
  let interrupted = Promise.resolve();

  /** A part that hangs must not keep the next one from stopping. @param {Promise<unknown>} work */
  const withDeadline = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, partDeadlineMs))]);

  const force = (/** @type {string} */ reason) => {
    print(reason);
    for (const part of parts) part.force?.();
    exit(1);
  };

  const stopAll = async () => {
    for (const part of [...parts].reverse()) {
      await withDeadline(
        part
          .stop()
          .catch((error) => print(`While stopping: ${error instanceof Error ? error.message : failureCode(error)}`)),
      );
    }
  };

  const onSignal = async () => {
    if (signalledAt > 0) {
      if (Date.now() - signalledAt > SAME_KEY_PRESS_MS) force('Stopped by force.');
      return;
    }
    signalledAt = Date.now();
    print('\nStopping …');
    // Also keeps the process running until all parts have stopped.
    setTimeout(force, deadlineMs, 'Stopping took too long; stopped by force.');
    interruption.abort();
    await withDeadline(interrupted);
    await stopAll();
    print('Stopped.');
    exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void onSignal());

  const waitFor = (/** @type {Promise<unknown>} */ work) => {
    interrupted = work.catch(() => {}); // its failure is handled by the caller
  };

  return {
    signal: interruption.signal,
    add: (part) => void parts.push(part),
    waitFor,
    guard(work, lastWord = () => '') {
      waitFor(work);
      work.catch(async (error) => {
        if (interruption.signal.aborted) return; // the signal's handler stops the parts
        console.error(printable(error));
        await stopAll();
        if (lastWord() !== '') console.error(lastWord());
        exit(1);
      });
    },
    stopAll,
  };
}
