import { ShieldCheck, ShieldMinus, ShieldPlus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { adminCalls } from '../../common/admin/http.ts';
import type { AdminUser } from '../../common/admin/model.ts';
import { refreshSession, useUserId } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import type { Page } from '../http/pages.ts';
import { type Mutation, useMutation } from '../http/use-mutation.ts';
import { type QueryClient, queryClientAtom, useStore } from '../store.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { CopyAddress } from '../ui/copy-address.tsx';
import { MISSING, utcTime } from '../ui/format.ts';
import { toast } from '../ui/toast-store.ts';
import { usersKey } from './use-admin-users.ts';

/** One user, with a button to grant or revoke administrator rights. */
export function UserCard({ user }: { user: AdminUser }) {
  const headingId = useId();
  const { username, isAdmin, isActive, telegramId, walletAddress, createdAt } = user;
  return (
    <article
      aria-labelledby={headingId}
      className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <header className="flex min-w-0 items-center gap-2">
        <h3 id={headingId} className="min-w-0 truncate font-semibold text-base" title={username}>
          {username}
        </h3>
        {isAdmin && (
          <Badge tone="accent" icon={<ShieldCheck size={12} strokeWidth={1.75} aria-hidden="true" />}>
            Admin
          </Badge>
        )}
        <Badge tone={isActive ? 'neutral' : 'danger'} className="ml-auto">
          {isActive ? 'Active' : 'Inactive'}
        </Badge>
      </header>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-sm">
        <Fact label="Messaging ID">
          {telegramId === undefined ? (
            <span className="text-muted">Web-only user</span>
          ) : (
            <span className="break-all tabular-nums">{telegramId}</span>
          )}
        </Fact>
        <Fact label="Wallet">
          {walletAddress === undefined ? (
            <span className="text-muted">{MISSING}</span>
          ) : (
            <CopyAddress admin address={walletAddress} label="wallet address" />
          )}
        </Fact>
        <Fact label="Created">
          <time dateTime={createdAt} title={utcTime(createdAt)} className="tabular-nums">
            {utcTime(createdAt).slice(0, 10)}
          </time>
        </Fact>
      </dl>
      <footer className="mt-auto flex justify-end border-line border-t pt-3">
        <AdminButton user={user} describedBy={headingId} />
      </footer>
    </article>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted text-xs leading-5">{label}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </>
  );
}

function AdminButton({ user, describedBy }: { user: AdminUser; describedBy: string }) {
  const [confirming, setConfirming] = useState(false);
  // Fixed when the dialog opens: another administrator may change the user meanwhile, and the question must not flip.
  const [removes, setRemoves] = useState(user.isAdmin);
  const { pending, run: setAdmin } = useAdminToggle(user);
  const isSelf = useUserId() === user.id;
  const Icon = user.isAdmin ? ShieldMinus : ShieldPlus;

  function openDialog(): void {
    setRemoves(user.isAdmin);
    setConfirming(true);
  }

  return (
    <>
      <Button size="sm" aria-describedby={describedBy} onClick={openDialog}>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
        {verbOf(user.isAdmin)}
      </Button>
      <Confirm
        open={confirming}
        title={removes ? `Remove ${user.username} as an administrator?` : `Make ${user.username} an administrator?`}
        verb={verbOf(removes)}
        destructive={removes}
        busy={pending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => void setAdmin(!removes).then(() => setConfirming(false))}
      >
        {removes
          ? `${isSelf ? 'You' : 'They'} lose access to the administrators' pages at once, on every device.`
          : 'They will be able to see every user, remove tokens, change the texts that all users receive, and make or remove administrators.'}
      </Confirm>
    </>
  );
}

function verbOf(removes: boolean): string {
  return removes ? 'Remove Admin' : 'Make Admin';
}

/** Grants or revokes a user's administrator rights, and reports the outcome in a toast. */
function useAdminToggle(user: AdminUser): Mutation<boolean> {
  const store = useStore();
  const ownId = useUserId();
  const invalidate = () => void store.get(queryClientAtom).invalidateQueries({ queryKey: usersKey });

  async function save(isAdmin: boolean): Promise<void> {
    const { data } = await request(adminCalls.changeUser, { params: { id: user.id }, body: { isAdmin } });
    replaceUser(store.get(queryClientAtom), data);
    toast({ title: 'User updated', description: `Admin status ${data.isAdmin ? 'granted' : 'revoked'} successfully` });
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
  client.setQueriesData<{ pages: Page<AdminUser>[]; pageParams: unknown[] }>({ queryKey: usersKey }, (before) =>
    before === undefined
      ? before
      : {
          ...before,
          pages: before.pages.map((page) => ({
            ...page,
            rows: page.rows.map((user) => (user.id === changed.id ? changed : user)),
          })),
        },
  );
}
