import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useMutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';

/** A button that deletes its card's item after a confirmation. */
export function DeleteButton(props: {
  question: string;
  /** Id of the heading that names the item. */
  describedBy: string;
  onDelete: () => Promise<void>;
  onError: (reason: unknown) => void;
  /** Explains the consequences. */
  children: ReactNode;
}) {
  const { question, describedBy, onDelete, onError, children } = props;
  const [confirming, setConfirming] = useState(false);
  const deleting = useMutation(onDelete, onError);

  async function deleteItem(): Promise<void> {
    await deleting.run();
    setConfirming(false);
  }

  return (
    <>
      <Button size="sm" aria-describedby={describedBy} onClick={() => setConfirming(true)}>
        <Trash2 size={14} strokeWidth={1.75} aria-hidden="true" />
        Delete
      </Button>
      <Confirm
        open={confirming}
        title={question}
        verb="Delete"
        busy={deleting.pending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => void deleteItem()}
      >
        {children}
      </Confirm>
    </>
  );
}
