/** Ends what was started, in the reverse order, when a signal or a failure says so. */

/** Everything is to be over within 5 s of the signal; what is not by then is left to the journal. */
const DEADLINE_MS = 4_700;
/** One part that hangs leaves this much of the deadline unused for the ones it depends on: they still end cleanly. */
const PART_DEADLINE_MS = 3_800;
/** npm passes on the terminal's Ctrl-C, which also reaches us directly: one key press, two signals. */
const SAME_KEY_PRESS_MS = 500;

/**
 * @typedef {{ stop(): Promise<unknown>, force?(): void }} Part something that was started; `force` ends it at once
 * @typedef {object} Shutdown
 * @property {AbortSignal} signal aborted at the first signal
 * @property {(part: Part) => void} add has the part stopped at the end, before everything added earlier
 * @property {(work: Promise<unknown>) => void} waitFor work that the signal interrupts; the parts are stopped after it
 * @property {() => Promise<void>} stopAll
 */

/**
 * Listens for Ctrl-C and SIGTERM from now on.
 * @param {{ say(line: string): void, exit?(code: number): void, deadlineMs?: number, partDeadlineMs?: number }} options
 * @returns {Shutdown}
 */
export function createShutdown({
  say,
  exit = (code) => process.exit(code),
  deadlineMs = DEADLINE_MS,
  partDeadlineMs = PART_DEADLINE_MS,
}) {
  /** @type {Part[]} */
  const started = [];
  const interruption = new AbortController();
  let signalledAt = 0;
  /** @type {Promise<unknown>} */
  let interrupted = Promise.resolve();

  /** One that hangs must not keep the next from stopping. */
  const inTime = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, partDeadlineMs))]);

  const force = (why) => {
    say(why);
    for (const part of started) part.force?.();
    exit(1);
  };

  const stopAll = async () => {
    for (const part of [...started].reverse()) {
      await inTime(part.stop().catch((error) => say(`While stopping: ${error.message}`)));
    }
  };

  const onSignal = async () => {
    if (signalledAt > 0) {
      if (Date.now() - signalledAt > SAME_KEY_PRESS_MS) force('Stopped by force.');
      return;
    }
    signalledAt = Date.now();
    say('\nStopping …');
    // Also keeps the process running until everything has stopped.
    setTimeout(force, deadlineMs, 'It took too long; stopped by force.');
    interruption.abort();
    await inTime(interrupted);
    await stopAll();
    say('Stopped.');
    exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void onSignal());

  const add = (part) => {
    started.push(part);
  };
  const waitFor = (work) => {
    interrupted = work.catch(() => {}); // whoever gave it sees its failure
  };
  return { signal: interruption.signal, add, waitFor, stopAll };
}
