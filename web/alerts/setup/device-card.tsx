import { useState } from 'react';
import type { AlertSound } from '../../../common/alerts/rules/model.ts';
import { soundLabels } from '../../alert-rules/channel-fields.tsx';
import {
  type DesktopPermission,
  desktopPermission,
  requestDesktopPermission,
} from '../../alert-rules/desktop-permission.ts';
import { useMutation } from '../../http/use-mutation.ts';
import { useAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Slider } from '../../ui/slider.tsx';
import { alertVolumeAtom, playSound, startSound } from '../sound.ts';

const testable: readonly AlertSound[] = ['tick', 'bell'];

/** Volume and permission of this browser. */
export function DeviceCard() {
  const [volume, setVolume] = useAtom(alertVolumeAtom);
  const [permission, setPermission] = useState<DesktopPermission>(desktopPermission);
  const asking = useMutation(async () => setPermission(await requestDesktopPermission()));
  return (
    <Card title="This device">
      <div className="flex flex-col gap-4">
        <Slider
          label="Volume"
          unit="%"
          hint="A browser plays sounds only after a first click on the page."
          min={0}
          max={100}
          step={5}
          value={volume}
          onChange={setVolume}
        />
        <div className="flex flex-wrap gap-2">
          {testable.map((sound) => (
            <Button key={sound} size="sm" onClick={() => void startSound().then(() => playSound(sound, volume))}>
              Test {soundLabels[sound]}
            </Button>
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-3 border-line border-t pt-3 text-sm">
          {permission === 'default' && (
            <Button size="sm" busy={asking.pending} onClick={() => void asking.run()}>
              Allow desktop notifications
            </Button>
          )}
          <p role="status" className="text-muted">
            {permissionTexts[permission]}
          </p>
        </div>
      </div>
    </Card>
  );
}

const permissionTexts: Record<DesktopPermission, string> = {
  default: 'Alerts with a desktop notification need your permission.',
  granted: 'Desktop notifications are allowed in this browser.',
  denied: 'Your browser blocks desktop notifications of this site. Allow them in its site settings.',
  unsupported: 'This browser shows no desktop notifications here.',
};
