import type { ReactNode } from 'react';
import { useMutation } from '../../http/use-mutation.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast-store.ts';
import { resumeTrading } from '../state/changes.ts';

/** Allows buying again. With real money the password is asked for. */
export function ResumeButton({ children }: { children: ReactNode }) {
  const store = useStore();
  const { pending, run } = useMutation(async () => {
    await resumeTrading(store);
    toast({ title: 'Trading Resumed', description: 'You can buy again.' });
  });
  return (
    <Button size="sm" variant="primary" busy={pending} onClick={() => void run()}>
      {children}
    </Button>
  );
}
