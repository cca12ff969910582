import { ChevronDown, ChevronUp, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { AuditList } from '../audit/audit-list.tsx';
import { useAudit } from '../audit/use-audit.ts';
import { useUserId } from '../auth/session.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';

/** Entries of the audit log about the user's own account; fetched whenever it is opened. */
export function AccountActivity() {
  const userId = useUserId();
  const [open, setOpen] = useState(false);
  // The session may end while the page is open; the app then redirects to the login.
  if (userId === null) return null;
  const Icon = open ? ChevronUp : ChevronDown;
  return (
    <Card
      title="Account activity"
      actions={
        <Button size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
          {open ? 'Hide' : 'Show'}
        </Button>
      }
    >
      <p className="text-muted text-sm">
        Recorded actions on your account: logins, changes of password and rights, use of your private key, and looks of
        administrators at your data.
      </p>
      {open && <Entries userId={userId} />}
    </Card>
  );
}

function Entries({ userId }: { userId: string }) {
  const log = useAudit({ kind: 'user', userId });
  return (
    <div className="mt-3 min-w-0">
      <AuditList
        label="Account activity"
        log={log}
        empty={<Empty icon={ScrollText} title="No Entries" text="No action has been recorded yet." />}
      />
    </div>
  );
}
