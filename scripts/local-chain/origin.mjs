/** Who may ask: programs of this machine, and pages that were served from it. */

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A browser always says which page asks; anything that names a page of another site is refused. What names none is no
 * browser.
 * @param {string | undefined} origin the header
 */
export function isFromHere(origin) {
  if (origin === undefined) return true;
  return URL.canParse(origin) && LOOPBACK.test(new URL(origin).hostname);
}
