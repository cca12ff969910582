import { HttpError } from '../http/error.ts';
import { Card } from '../ui/card.tsx';
import { Problem } from '../ui/problem.tsx';

const NOT_ALLOWED = "You don't have permission to access this resource";

/** A list for administrators that could not be fetched: why, where the reason is known. `title`: e.g. 'Failed to fetch users'. */
export function ListProblem({
  title,
  reason,
  onRetry,
  busy,
}: {
  title: string;
  reason: Error;
  onRetry: () => void;
  busy: boolean;
}) {
  const refused = reason instanceof HttpError && reason.status === 403;
  return (
    <Card flush>
      <Problem title={title} text={refused ? NOT_ALLOWED : reason.message} onRetry={onRetry} busy={busy} />
    </Card>
  );
}
