import { usePageTitle } from '../frame/page-title.ts';

export default function BotStatusPage() {
  usePageTitle('Telegram Status');
  return null;
}
