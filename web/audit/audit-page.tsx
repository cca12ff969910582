import { ArrowLeft, RotateCw, ScrollText } from 'lucide-react';
import { useForm, useWatch } from 'react-hook-form';
import { type AuditAction, auditActionSchema, auditActions } from '../../common/audit/model.ts';
import { usePageTitle } from '../layout/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { SearchInput, useSearchText } from '../ui/search-input.tsx';
import { Select } from '../ui/select.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { AuditList } from './audit-list.tsx';
import { useAudit } from './use-audit.ts';

/** Longest username the server accepts. */
const USER_MAX = 64;

const ALL = 'all';

interface Filter {
  action: AuditAction | typeof ALL;
  user: string;
}

const actionOptions: { value: Filter['action']; label: string }[] = [
  { value: ALL, label: 'All actions' },
  ...auditActionSchema.options.map((value) => ({ value, label: auditActions[value] })),
];

/** The audit log, filtered by action and user. */
export default function AuditPage() {
  usePageTitle('Audit log');
  const { control, setValue } = useForm<Filter>({ defaultValues: { action: ALL, user: '' } });
  const [action, text] = useWatch({ control, name: ['action', 'user'] });
  const user = useSearchText(text.trim());
  const log = useAudit({ kind: 'all', action: action === ALL ? null : action, user });
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
          onChange={(next) => setValue('action', next)}
        />
        <SearchInput
          label="Acting or affected user"
          placeholder="Username"
          className="max-w-72 basis-44"
          value={text}
          onChange={(next) => setValue('user', next)}
          maxLength={USER_MAX}
        />
        <Tooltip content="Fetch the list again">
          <Button size="icon" className="ml-auto" onClick={log.reload} busy={log.loading} aria-label="Refresh">
            <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
          </Button>
        </Tooltip>
      </div>
      <AuditList
        label="Audit log"
        log={log}
        empty={
          <Empty
            icon={ScrollText}
            title={filtered ? 'No Matching Entries' : 'No Entries'}
            text={filtered ? 'No entry matches. Enter the username in full.' : 'No action has been recorded yet.'}
          />
        }
      />
    </div>
  );
}
