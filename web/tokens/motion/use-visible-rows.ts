import { useNotBlacklisted } from '../../watchlists/lists.ts';
import type { UsedMotion } from './use-list-motion.ts';

/**
 * Returns the rows of a live list without blacklisted tokens, which disappear at once, also from held rows. On touch they
 * stay as grey rows until the list is updated: the next row must not come under the finger.
 */
export function useVisibleRows({ shown, touched }: UsedMotion): readonly string[] {
  const visible = useNotBlacklisted(shown);
  return touched ? shown : visible;
}
