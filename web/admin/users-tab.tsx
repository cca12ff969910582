import { SearchX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AdminUser } from '../../common/admin/model.ts';
import { counted } from '../../common/counted.ts';
import { Loaded, LoadMore } from '../http/loaded.tsx';
import type { Pages } from '../live/hooks/use-pages.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { SearchInput, useSearchText } from '../ui/search-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useAdminUsers } from './use-admin-users.ts';
import { UserCard } from './user-card.tsx';

/** Longest search text the server accepts. */
const SEARCH_MAX = 64;

/** All users. `totalUsers`: their number by the live statistics; a change of it refetches the list. */
export function UsersTab({ totalUsers }: { totalUsers: number | null }) {
  const [text, setText] = useState('');
  const search = text.trim();
  const searched = useSearchText(search);
  const list = useAdminUsers(searched);
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
          busy={loading || search !== searched}
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

function Users({ list }: { list: Pages<AdminUser> }) {
  return (
    <Loaded
      query={list}
      problem="Failed to fetch users"
      outdated="data"
      waiting={
        <div role="status" aria-label="Loading users" className={gridClass}>
          {places.map((place) => (
            <Skeleton key={place} className="h-44 rounded-lg" />
          ))}
        </div>
      }
    >
      {(users) => (
        <>
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
          <LoadMore {...list} />
        </>
      )}
    </Loaded>
  );
}
