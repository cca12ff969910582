import { useState } from 'react';
import { maintenanceCalls } from '../../common/maintenance/http.ts';
import { useIsAdmin } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { type Mutation, useMutation } from '../http/use-mutation.ts';
import { refreshTokens } from '../maintenance/token-actions.ts';
import { useStore } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast-store.ts';

/** Delay of the second toast, ms: only one is shown at a time, so the first stays readable until then. */
const SECOND_TOAST_MS = 2_500;

/** Removal of the simulated tokens, for administrators. The page owns `cleanup`, so that it survives a change of tab. */
export function MaintenanceTab({ cleanup }: { cleanup: Mutation<void> }) {
  const isAdmin = useIsAdmin();
  const [confirming, setConfirming] = useState(false);
  return (
    <Card title="System Maintenance">
      <div className="flex flex-col items-start gap-4">
        <Notice tone="danger" title="Clean Mock Tokens">
          This removes all mock/test tokens from the system. This action cannot be undone.
        </Notice>
        <Button
          variant="destructive"
          disabled={!isAdmin || cleanup.pending}
          aria-describedby={isAdmin ? undefined : 'cleaning-is-off'}
          onClick={() => setConfirming(true)}
        >
          {cleanup.pending ? 'Cleaning...' : 'Clean Mock Tokens'}
        </Button>
        {!isAdmin && (
          <p id="cleaning-is-off" className="text-muted text-sm">
            Only administrators can remove tokens for all users.
          </p>
        )}
      </div>
      <Confirm
        open={confirming}
        title="Clean mock tokens?"
        verb="Clean Mock Tokens"
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void cleanup.run();
        }}
      >
        <p>
          All tokens of the simulated market are removed for every user, with their trades and charts. While it runs,
          the market keeps launching new ones.
        </p>
      </Confirm>
    </Card>
  );
}

/** Removes the simulated tokens and reports the outcome in toasts. */
export function useCleanMockTokens(): Mutation<void> {
  const store = useStore();
  return useMutation(
    async () => {
      const { data } = await request(maintenanceCalls.cleanupMockTokens);
      toast({
        title: 'Cleanup Complete',
        description: data.message || `Successfully cleaned up ${data.count} mock tokens`,
      });
      refreshTokens(store);
      if (data.count === 0) return;
      setTimeout(() => {
        toast({ title: 'Data Refreshed', description: 'The token list has been refreshed with real tokens only.' });
      }, SECOND_TOAST_MS);
    },
    // The specification has one text for every reason, and the button allows another attempt.
    () =>
      toast({
        title: 'Cleanup Failed',
        description: 'Failed to clean up mock tokens. Please try again.',
        variant: 'destructive',
      }),
  );
}
