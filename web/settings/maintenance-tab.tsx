import { useState } from 'react';
import { useIsAdmin } from '../auth/session.ts';
import type { Mutation } from '../http/use-mutation.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Notice } from '../ui/notice.tsx';

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
