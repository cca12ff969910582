import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { useSaving } from '../users/use-saving.ts';

/** Deletes what its card shows, once the user has confirmed it. */
export function DeleteButton({
  question,
  describedBy,
  onDelete,
  onFailure,
  children,
}: {
  question: string;
  /** Id of what names the thing. */
  describedBy: string;
  onDelete: () => Promise<void>;
  onFailure: (reason: unknown) => void;
  /** What will happen. */
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  const deleting = useSaving();

  async function confirmed(): Promise<void> {
    await deleting.run(onDelete, (reason) => {
      onFailure(reason);
      return true;
    });
    setAsking(false);
  }

  return (
    <>
      <Button size="sm" aria-describedby={describedBy} onClick={() => setAsking(true)}>
        <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
        Delete
      </Button>
      <Confirm
        open={asking}
        title={question}
        verb="Delete"
        busy={deleting.busy}
        onCancel={() => setAsking(false)}
        onConfirm={() => void confirmed()}
      >
        {children}
      </Confirm>
    </>
  );
}
