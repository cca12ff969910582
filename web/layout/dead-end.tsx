import { ArrowLeft, type LucideIcon } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';

/** A page that only links back to the dashboard. */
export function DeadEnd({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <Empty
        icon={icon}
        title={title}
        text={text}
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
