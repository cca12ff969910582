import { LogIn, RotateCw, TriangleAlert } from 'lucide-react';
import { usePageTitle } from '../layout/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Spinner } from '../ui/spinner.tsx';

const adminPaths = ['/app/admin', '/app/diagnostics', '/app/telegram-status'];

/** Returns whether a path is one of the administrators' pages. */
export function isAdminPath(path: string): boolean {
  return adminPaths.some((root) => path === root || path.startsWith(`${root}/`));
}

/** Shown while the session check of an administrators' page runs (specification, section 2.3). */
export function AdminLoading() {
  return (
    <div role="status" className="flex min-h-[60dvh] items-center justify-center gap-3 text-muted">
      <Spinner className="size-5 text-accent" />
      Loading admin access...
    </div>
  );
}

/** Shown when that check failed. `message`: the reason, in one sentence. */
export function AuthenticationError({ message, onRetry }: { message: string; onRetry: () => void }) {
  usePageTitle('Admin');
  return (
    <div role="alert" className="grid min-h-[70dvh] place-items-center">
      <Empty
        icon={TriangleAlert}
        title="Authentication Error"
        text={message}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/auth" variant="primary">
              <LogIn size={16} strokeWidth={1.75} aria-hidden="true" />
              Return to Login
            </ButtonLink>
            <Button onClick={onRetry}>
              <RotateCw size={16} strokeWidth={1.75} aria-hidden="true" />
              Retry
            </Button>
          </span>
        }
      />
    </div>
  );
}
