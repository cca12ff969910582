import { Compass } from 'lucide-react';
import { DeadEnd } from '../layout/dead-end.tsx';
import { usePageTitle } from '../layout/page-title.ts';

/** Page for an unknown address below `/app`. */
export default function NotFoundPage() {
  usePageTitle('Not found');
  return <DeadEnd icon={Compass} title="404" text="The page you're looking for doesn't exist or has been moved." />;
}
