import { DeviceCard } from './device-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

/** The alerts that the user has set up, and where they are sent. */
export function AlertSetup() {
  return (
    <>
      <RulesCard />
      <DeviceCard />
      <WebhookCard />
    </>
  );
}
