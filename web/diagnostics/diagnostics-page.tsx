import { usePageTitle } from '../frame/page-title.ts';

export default function DiagnosticsPage() {
  usePageTitle('Diagnostics');
  return null;
}
