/** Numbered steps on the terminal: what is being done, a sign of life while it takes long, and how long it took. */

const SIGN_OF_LIFE_MS = 1_000;
/** Without a terminal each sign of life is a line of its own, so they come less often. */
const SIGN_OF_LIFE_IN_A_LOG_MS = 10_000;

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/**
 * @param {number} total how many steps there will be
 * @param {NodeJS.WriteStream} [out]
 */
export function createProgress(total, out = process.stdout) {
  const width = String(total).length;
  let number = 0;

  /**
   * Runs one step.
   * @template T
   * @param {string} title
   * @param {(tell: (detail: string) => void) => Promise<T>} work `tell` replaces the detail shown behind the title;
   *   the last one stays
   * @returns {Promise<T>}
   */
  return async function step(title, work) {
    number += 1;
    const begun = Date.now();
    const label = `[${String(number).padStart(width)}/${total}] ${title}`;
    let detail = '';
    const show = (line) => out.write(out.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
    const signOfLife = () =>
      show(`${label} … ${detail ? `${detail}, ` : ''}${Math.round((Date.now() - begun) / 1000)} s`);
    const timer = setInterval(signOfLife, out.isTTY ? SIGN_OF_LIFE_MS : SIGN_OF_LIFE_IN_A_LOG_MS);
    if (out.isTTY) show(`${label} …`);
    try {
      const result = await work((text) => {
        detail = text;
        if (out.isTTY) signOfLife();
      });
      show(`${label}: ${detail || 'done'} (${seconds(Date.now() - begun)})`);
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
