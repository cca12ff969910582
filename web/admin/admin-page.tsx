import { usePageTitle } from '../frame/page-title.ts';

export default function AdminPage() {
  usePageTitle('Admin');
  return null;
}
