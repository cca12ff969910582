/** Numbered steps on the terminal, with a sign of life during long ones and the time each one took. */

const SIGN_OF_LIFE_MS = 1_000;
/** Less often without a terminal, where each sign of life is a line of its own. */
const SIGN_OF_LIFE_IN_LOG_MS = 10_000;

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Creates the function that runs the steps.
 * @param {number} total the number of steps
 * @param {Pick<NodeJS.WriteStream, 'isTTY' | 'write'>} [out]
 */
export function createProgress(total, out = process.stdout) {
  const width = String(total).length;
  let number = 0;

  /**
   * Runs one step.
   * @template T
   * @param {string} title
   * @param {(report: (detail: string) => void) => Promise<T>} work `report` replaces the detail after the title; the
   *   last one stays
   * @returns {Promise<T>}
   */
  return async function step(title, work) {
    number += 1;
    const startedAt = Date.now();
    const label = `[${String(number).padStart(width)}/${total}] ${title}`;
    let detail = '';
    const show = (/** @type {string} */ line) => out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    const showSignOfLife = () =>
      show(`${label} … ${detail ? `${detail}, ` : ''}${Math.round((Date.now() - startedAt) / 1000)} s`);
    const timer = setInterval(showSignOfLife, out.isTTY ? SIGN_OF_LIFE_MS : SIGN_OF_LIFE_IN_LOG_MS);
    if (out.isTTY) show(`${label} …`);
    try {
      const result = await work((text) => {
        detail = text;
        if (out.isTTY) showSignOfLife();
      });
      show(`${label}: ${detail || 'done'} (${seconds(Date.now() - startedAt)})`);
      if (out.isTTY) out.write('\n');
      return result;
    } catch (error) {
      if (out.isTTY) show(`${label}: failed\n`);
      throw error;
    } finally {
      clearInterval(timer);
    }
  };
}
