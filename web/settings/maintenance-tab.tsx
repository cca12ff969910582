import { useState } from 'react';
import { useIsAdmin } from '../auth/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Cleanup } from './use-clean-mock-tokens.ts';

/** Removal of the simulated tokens, for administrators. `cleanup` is the page's: it goes on while another tab is looked at. */
export function MaintenanceTab({ cleanup: { cleaning, clean } }: { cleanup: Cleanup }) {
  const isAdmin = useIsAdmin();
  const [asking, setAsking] = useState(false);
  return (
    <Card title="System Maintenance">
      <div className="flex flex-col items-start gap-4">
        <Notice tone="danger" title="Clean Mock Tokens">
          This removes all mock/test tokens from the system. This action cannot be undone.
        </Notice>
        <Button
          variant="destructive"
          disabled={!isAdmin || cleaning}
          aria-describedby={isAdmin ? undefined : 'cleaning-is-off'}
          onClick={() => setAsking(true)}
        >
          {cleaning ? 'Cleaning...' : 'Clean Mock Tokens'}
        </Button>
        {!isAdmin && (
          <p id="cleaning-is-off" className="text-muted text-sm">
            This is off because only administrators may remove tokens for everybody.
          </p>
        )}
      </div>
      <Confirm
        open={asking}
        title="Clean mock tokens?"
        verb="Clean Mock Tokens"
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void clean();
        }}
      >
        <p>
          All tokens of the simulated market are removed for every user, with their trades and charts. While the
          simulated market runs, it goes on launching new ones.
        </p>
      </Confirm>
    </Card>
  );
}
