import { SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ListProblem } from './list-problem.tsx';
import { type AdminUsers, useAdminUsers } from './use-admin-users.ts';
import { UserCard } from './user-card.tsx';

/** The longest text the server takes. */
const SEARCH_MAX = 64;

/** Everybody who has an account. `counted`: how many there are by the live figures; a change has the list fetched again. */
export function UsersTab({ counted }: { counted: number | null }) {
  const [text, setText] = useState('');
  const used = useAdminUsers(text.trim());
  useReloadOn(counted, used.reload);
  const { total, loading } = used;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SearchInput
          label="Search by username or messaging ID"
          value={text}
          onChange={setText}
          maxLength={SEARCH_MAX}
          busy={loading}
        />
        <p role="status" className="text-muted text-sm tabular-nums">
          {total !== null && `${count(total)} ${total === 1 ? 'user' : 'users'}`}
        </p>
      </div>
      <Users used={used} />
    </div>
  );
}

/** Fetches again when a number that was known becomes another one. */
function useReloadOn(counted: number | null, reload: () => void): void {
  const before = useRef(counted);
  useEffect(() => {
    if (before.current !== null && counted !== null && before.current !== counted) reload();
    before.current = counted;
  }, [counted, reload]);
}

const places = ['one', 'two', 'three', 'four', 'five', 'six'];
const gridClass = 'grid gap-3 md:grid-cols-2 xl:grid-cols-3';

function Users({ used }: { used: AdminUsers }) {
  const { users, error, loading, reload, hasMore, loadMore, loadingMore } = used;
  if (users === undefined) {
    if (error !== null) {
      return <ListProblem title="Failed to fetch users" reason={error} onRetry={reload} busy={loading} />;
    }
    return (
      <div role="status" aria-label="Loading users" className={gridClass}>
        {places.map((place) => (
          <Skeleton key={place} className="h-44 rounded-lg" />
        ))}
      </div>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="warning" title="Failed to fetch users">
          {error.message} What is shown may be out of date.
        </Notice>
      )}
      {users.length === 0 ? (
        <Card flush>
          <Empty
            icon={SearchX}
            title="No Matching Users"
            text="No username and no messaging ID begins with this text."
          />
        </Card>
      ) : (
        <div className={gridClass}>
          {users.map((user) => (
            <UserCard key={user.id} user={user} />
          ))}
        </div>
      )}
      {hasMore && (
        <Button className="self-center" onClick={loadMore} busy={loadingMore}>
          Load more
        </Button>
      )}
    </>
  );
}
