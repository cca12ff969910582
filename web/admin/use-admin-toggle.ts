import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { refreshSession, useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { type Mutation, useMutation } from '../http/use-mutation.ts';
import { type QueryClient, queryClientAtom, useStore } from '../store.ts';
import { toast } from '../ui/toast-store.ts';
import { type UsersPage, usersKey } from './use-admin-users.ts';

/** Grants or revokes a user's administrator rights, and reports the outcome in a toast. */
export function useAdminToggle(user: AdminUser): Mutation<boolean> {
  const store = useStore();
  const ownId = useUserId();
  const invalidate = () => void store.get(queryClientAtom).invalidateQueries({ queryKey: usersKey });

  async function save(isAdmin: boolean): Promise<void> {
    const { data } = await request(adminCalls.changeUser, { params: { id: user.id }, body: { isAdmin } });
    replaceUser(store.get(queryClientAtom), data);
    toast({
      title: 'User updated',
      description: `Admin status ${data.isAdmin ? 'granted' : 'revoked'} successfully`,
    });
    // A user who revokes their own rights loses access at once, without waiting for the feed.
    if (data.id === ownId) await refreshSession(store);
    else invalidate();
  }

  return useMutation(save, (reason) => {
    toast({ title: 'Update failed', description: failureText(reason), variant: 'destructive' });
    // Another administrator may have changed or deleted the user.
    invalidate();
  });
}

/** Returns the specified text, except for the last administrator, which the user can do something about. */
function failureText(reason: unknown): string {
  if (reason instanceof HttpError && reason.code === 'last-admin') return reason.message;
  return 'Could not update user admin status';
}

function replaceUser(client: QueryClient, changed: AdminUser): void {
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
