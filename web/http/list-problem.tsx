import { Card } from '../ui/card.tsx';
import { Problem } from '../ui/problem.tsx';
import { listErrorText } from './error.ts';

/** The error of an administrators' list that could not be fetched, with a retry button. `title`: e.g. 'Failed to fetch users'. */
export function ListProblem(props: { title: string; reason: Error; onRetry: () => void; busy: boolean }) {
  const { title, reason, onRetry, busy } = props;
  return (
    <Card flush>
      <Problem title={title} text={listErrorText(reason)} onRetry={onRetry} busy={busy} />
    </Card>
  );
}
