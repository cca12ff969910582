import { utcTime } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import type { DetailedStatus } from './detailed-status.ts';

/** What is wrong with the connection to Telegram, and what to look at. */
export function ConnectionProblem({ status }: { status: DetailedStatus }) {
  return (
    <div role="alert">
      <Notice tone="danger" title="Connection error">
        <p className="break-words">{status.error ?? 'Telegram does not answer.'}</p>
        {status.retryAt !== null && <p>It tries again at {utcTime(status.retryAt)}.</p>}
        <ul aria-label="Troubleshooting" className="mt-1 list-disc pl-5">
          <li>Check the bot key: TELEGRAM_BOT_TOKEN must be the one that BotFather gave.</li>
          <li>Run only one bot instance: Telegram lets one program at a time read a bot’s messages.</li>
          <li>Check network: this server must reach {status.apiHost}.</li>
          <li>Check server logs for what was refused.</li>
        </ul>
      </Notice>
    </div>
  );
}
