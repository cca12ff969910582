import { usePageTitle } from '../frame/page-title.ts';

export default function AuditPage() {
  usePageTitle('Audit log');
  return null;
}
