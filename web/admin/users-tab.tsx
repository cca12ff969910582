import { SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted } from '../../common/counted.ts';
import { ListProblem } from '../http/list-problem.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Notice } from '../ui/notice.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type AdminUsers, useAdminUsers } from './use-admin-users.ts';
import { UserCard } from './user-card.tsx';

/** Longest search text the server accepts. */
const SEARCH_MAX = 64;

/** All users. `totalUsers`: their number by the live statistics; a change of it refetches the list. */
export function UsersTab({ totalUsers }: { totalUsers: number | null }) {
  const [text, setText] = useState('');
  const list = useAdminUsers(text.trim());
  useReloadOnChange(totalUsers, list.reload);
  const { total, loading } = list;
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
          {total !== null && counted(total, 'user')}
        </p>
      </div>
      <Users list={list} />
    </div>
  );
}

/** Calls `reload` when the value changes from one known number to another. */
function useReloadOnChange(value: number | null, reload: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current !== null && value !== null && before.current !== value) reload();
    before.current = value;
  }, [value, reload]);
}

const places = ['one', 'two', 'three', 'four', 'five', 'six'];
const gridClass = 'grid gap-3 md:grid-cols-2 xl:grid-cols-3';

function Users({ list }: { list: AdminUsers }) {
  const { users, error, loading, reload, hasMore, loadMore, loadingMore } = list;
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
          {error.message} The data shown may be out of date.
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
