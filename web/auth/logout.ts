import { authCalls } from '../../common/auth/http.ts';
import { request } from '../http/client.ts';
import type { Store } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { failureToast } from './failure-toast.ts';
import { endSession, loggedOutAtom } from './session.ts';

/** Ends the session on the server, then here. After a failure the visitor stays signed in and sees a toast. */
export async function logout(store: Store): Promise<void> {
  try {
    await request(authCalls.logout);
  } catch (reason) {
    failureToast('Logout failed', reason);
    return;
  }
  store.set(loggedOutAtom, true);
  endSession(store);
  toast({ title: 'Logout successful', description: 'You have been logged out.' });
}
