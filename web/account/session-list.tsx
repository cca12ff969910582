import { authCalls } from '../../common/auth/http.ts';
import type { UserSession } from '../../common/auth/model.ts';
import { request } from '../http/client.ts';
import { Loaded } from '../http/loaded.tsx';
import { useMutation } from '../http/use-mutation.ts';
import { Age } from '../live/hooks/age.tsx';
import { useUserQuery } from '../live/hooks/use-user-query.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { toast } from '../ui/toast-store.ts';

/** The user's sessions, each with a button that ends it. */
export function SessionList() {
  const query = useUserQuery(authCalls.sessions, {});
  const endOthers = useMutation(async () => {
    const { data: result } = await request(authCalls.endOtherSessions);
    await query.reload();
    toast({ title: 'Sessions ended', description: result.ended === 1 ? '1 session' : `${result.ended} sessions` });
  });
  const waiting = <SkeletonRows rows={2} label="Loading the sessions" />;
  return (
    <Loaded query={query} problem="Sessions could not be loaded" bare waiting={waiting}>
      {(sessions) => (
        <div className="mt-3 flex flex-col gap-3">
          <ul aria-label="Sessions" className="divide-y divide-line rounded-md border border-line">
            {sessions.map((session) => (
              <Session key={session.id} session={session} onEnded={query.reload} />
            ))}
          </ul>
          {sessions.length > 1 && (
            <Button size="sm" className="self-start" busy={endOthers.pending} onClick={() => void endOthers.run()}>
              End all other sessions
            </Button>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Session({ session, onEnded }: { session: UserSession; onEnded: () => Promise<void> }) {
  const { id, device, address, createdAt, lastUsedAt, isCurrent } = session;
  const name = device ?? 'Unknown browser';
  const end = useMutation(async () => {
    await request(authCalls.endSession, { params: { id } });
    await onEnded();
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2">
      <div className="min-w-0">
        <p className="text-sm">
          {name}
          {isCurrent && <span className="text-accent"> · this session</span>}
        </p>
        <p className="break-words text-muted text-xs">
          {address} · used <Age at={lastUsedAt} /> ago · logged in <Age at={createdAt} /> ago
        </p>
      </div>
      {!isCurrent && (
        <Button size="sm" aria-label={`End the session of ${name}`} busy={end.pending} onClick={() => void end.run()}>
          End
        </Button>
      )}
    </li>
  );
}
