import { counted } from '../../../common/counted.ts';
import { tradingCalls } from '../../../common/trading/http.ts';
import { reasonText } from '../../../common/trading/reasons.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { useUserQuery } from '../../live/hooks/use-user-query.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type DataColumn, DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { MISSING, utcTime } from '../../ui/format.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { gainSol, symbolOfToken } from '../format.ts';

/** Shows what a stop did to orders and positions, and follows it until everything is over. */
export function StopReportDialog({ onClose }: { onClose: () => void }) {
  const { data: report, error } = useUserQuery(tradingCalls.stopReport, {});
  return (
    <Dialog
      open
      onClose={onClose}
      title="Buying is stopped"
      {...(report == null ? {} : { description: `Since ${utcTime(report.at)}` })}
      footer={
        <Button variant="primary" data-autofocus="" onClick={onClose}>
          Close
        </Button>
      }
    >
      {report == null ? (
        <p className="text-muted text-sm">
          {error ?? (report === null ? 'There is no report.' : 'Loading the report.')}
        </p>
      ) : (
        <Report report={report} />
      )}
    </Dialog>
  );
}

function Report({ report }: { report: StopReport }) {
  const { cancelled, out, sells, positions, endedAt } = report;
  const isOver = endedAt !== null;
  return (
    <div className="flex flex-col gap-3 text-sm" role="status">
      <ul className="flex flex-col gap-1">
        <li>Nothing more is bought until you resume.</li>
        <li>
          {cancelled === 0
            ? 'No order was waiting.'
            : `${counted(cancelled, 'order')} cancelled before ${cancelled === 1 ? 'it was' : 'they were'} sent.`}
        </li>
        <li>
          {out === 0
            ? 'No purchase was on its way.'
            : `${counted(out, 'purchase')} ${out === 1 ? 'was' : 'were'} on ${out === 1 ? 'its' : 'their'} way, followed to the end without further attempts.`}
        </li>
        {!sells && <li>Your positions stay.</li>}
      </ul>
      {sells && (
        <>
          <p className="flex items-center gap-2 font-medium">
            {!isOver && <Spinner className="size-3.5" />}
            {isOver ? 'The sales are over.' : 'Selling everything.'}
          </p>
          {positions.length === 0 ? (
            <p className="text-muted">There was nothing to sell.</p>
          ) : (
            <DataTable label="Sales" columns={columns} rows={positions} rowId={({ positionId }) => positionId} />
          )}
        </>
      )}
    </div>
  );
}

type Sale = StopReport['positions'][number];

const outcomes: Record<Sale['outcome'], { text: string; tone: BadgeTone }> = {
  waiting: { text: 'Selling', tone: 'warning' },
  sold: { text: 'Sold', tone: 'accent' },
  failed: { text: 'Failed', tone: 'danger' },
  unknown: { text: 'Unknown', tone: 'neutral' },
};

const columns: readonly DataColumn<Sale>[] = [
  { id: 'token', label: 'Token', rowHeader: true, cell: ({ token }) => <bdi>{symbolOfToken(token)}</bdi> },
  {
    id: 'outcome',
    label: 'Outcome',
    cell: ({ outcome, lamports, failure }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].text}</Badge>
        {failure !== null && <span className="text-muted text-xs">{reasonText(failure)}</span>}
        {outcome === 'sold' && lamports === null && (
          <span className="text-muted text-xs">Nothing was left to sell.</span>
        )}
      </span>
    ),
  },
  {
    id: 'received',
    label: 'Received',
    align: 'right',
    cell: ({ lamports }) => (lamports === null ? MISSING : `${gainSol(lamports)} SOL`),
  },
];
