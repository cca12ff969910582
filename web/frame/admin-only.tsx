import type { ReactNode } from 'react';
import { sessionAtom } from '../auth/session.ts';
import { useAtomValue } from '../store.ts';

/** For administrators only. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const session = useAtomValue(sessionAtom);
  if (session === null || session === 'unknown' || !session.isAdmin) return null;
  return children;
}
