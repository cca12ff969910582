import { Card } from '../ui/card.tsx';
import { Problem } from '../ui/problem.tsx';
import { HttpError } from './error.ts';

const NOT_ALLOWED = "You don't have permission to access this resource";

/** The error of an administrators' list that could not be fetched, with a retry button. `title`: e.g. 'Failed to fetch users'. */
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
  const forbidden = reason instanceof HttpError && reason.status === 403;
  return (
    <Card flush>
      <Problem title={title} text={forbidden ? NOT_ALLOWED : reason.message} onRetry={onRetry} busy={busy} />
    </Card>
  );
}
