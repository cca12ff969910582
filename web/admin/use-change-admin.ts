import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { refreshSession, useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { type QueryClient, queryClientAtom, useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { useSaving } from '../users/use-saving.ts';
import { type UsersPage, usersKey } from './use-admin-users.ts';

/** Makes a user an administrator, or one no more, as `isAdmin` says; tells what came of it. */
export function useChangeAdmin(user: AdminUser): { busy: boolean; change: (isAdmin: boolean) => Promise<void> } {
  const store = useStore();
  const ownId = useUserId();
  const saving = useSaving();

  async function save(isAdmin: boolean): Promise<void> {
    const { data } = await request(adminCalls.changeUser, { params: { id: user.id }, body: { isAdmin } });
    const client = store.get(queryClientAtom);
    showChanged(client, data);
    toast({
      title: 'User updated',
      description: `Admin status ${data.isAdmin ? 'granted' : 'revoked'} successfully`,
    });
    // Whoever gives up their own rights sees it here without waiting for the feed.
    if (data.id === ownId) await refreshSession(store);
    else void client.invalidateQueries({ queryKey: usersKey });
  }

  function failed(reason: unknown): boolean {
    toast({ title: 'Update failed', description: failureText(reason), variant: 'destructive' });
    // Another administrator may have done it meanwhile, or the user is gone.
    void store.get(queryClientAtom).invalidateQueries({ queryKey: usersKey });
    return true;
  }

  return { busy: saving.busy, change: (isAdmin) => saving.run(() => save(isAdmin), failed) };
}

/** The last administrator is told apart, for there is something to do about it. */
function failureText(reason: unknown): string {
  if (reason instanceof HttpError && reason.code === 'last-admin') return reason.message;
  return 'Could not update user admin status';
}

function showChanged(client: QueryClient, changed: AdminUser): void {
  client.setQueriesData<{ pages: UsersPage[]; pageParams: unknown[] }>({ queryKey: usersKey }, (before) =>
    before === undefined
      ? before
      : {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            users: page.users.map((user) => (user.id === changed.id ? changed : user)),
          })),
        },
  );
}
