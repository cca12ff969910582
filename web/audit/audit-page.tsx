import { ArrowLeft, RotateCw, ScrollText } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type AuditAction, auditActionSchema, auditActions } from '../../common/audit/model.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { SearchInput } from '../ui/search-input.tsx';
import { Select } from '../ui/select.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { AuditList } from './audit-list.tsx';
import { useAudit } from './use-audit.ts';

/** How long typing must rest before the server is asked. */
const REST_MS = 250;
/** The longest text the server takes. */
const USER_MAX = 64;

const ALL = 'all';
const actionOptions: { value: AuditAction | typeof ALL; label: string }[] = [
  { value: ALL, label: 'All actions' },
  ...auditActionSchema.options.map((value) => ({ value, label: auditActions[value] })),
];

/** Who did what to whom, when and from where. */
export default function AuditPage() {
  usePageTitle('Audit log');
  const [action, setAction] = useState<AuditAction | typeof ALL>(ALL);
  const [text, setText] = useState('');
  const user = useRested(text.trim());
  const used = useAudit({ kind: 'all', action: action === ALL ? null : action, user });
  const filtered = action !== ALL || user !== '';
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <ButtonLink href="/app/admin" size="sm">
          <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
          Admin
        </ButtonLink>
        <Select
          aria-label="Action"
          className="max-w-60 flex-1 basis-44"
          value={action}
          options={actionOptions}
          onChange={setAction}
        />
        <SearchInput
          label="User who did it, or whom it concerns"
          placeholder="Username"
          className="max-w-72 basis-44"
          value={text}
          onChange={setText}
          maxLength={USER_MAX}
        />
        <Tooltip content="Fetch the list again">
          <Button size="icon" className="ml-auto" onClick={used.reload} busy={used.loading} aria-label="Refresh">
            <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </Tooltip>
      </div>
      <AuditList
        label="Audit log"
        used={used}
        empty={
          <Empty
            icon={ScrollText}
            title={filtered ? 'No Matching Entries' : 'No Entries'}
            text={
              filtered
                ? 'Nothing of this kind is recorded. The username must be written out in full.'
                : 'Nothing that is recorded has happened yet.'
            }
          />
        }
      />
    </div>
  );
}

/** A text once typing rests; at once when it was emptied. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), text === '' ? 0 : REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
