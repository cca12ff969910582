import { ArrowLeft, Compass } from 'lucide-react';
import { usePageTitle } from '../frame/page-title.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/** An address below `/app` that leads nowhere. */
export default function NotFoundPage() {
  usePageTitle('Not found');
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <Empty
        icon={Compass}
        title="404"
        text="The page you're looking for doesn't exist or has been moved."
        action={
          <ButtonLink href="/" variant="primary">
            <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
            Return to Dashboard
          </ButtonLink>
        }
      />
    </div>
  );
}
