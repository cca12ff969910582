import { Notice } from '../ui/notice.tsx';
import { Switch } from '../ui/switch.tsx';

/** Hint of the switch that lets a plan buy. */
export const NEW_TOKENS_HINT = 'Buys only tokens that are detected after it is switched on.';

/** Switch that lets a rule or strategy buy tokens of unknown risk, with a warning while it is on. */
export function UnknownRiskSwitch(props: {
  plan: 'rule' | 'strategy';
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const { plan, checked, onChange } = props;
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label="Buy at unknown risk"
        hint={`Off: this ${plan} waits until the risk of a token is known`}
        checked={checked}
        onChange={onChange}
      />
      {checked && (
        <Notice tone="warning">
          Unknown is not low. The risk is unknown in the first minutes of a token, while it has few buyers, or when its
          mint could not be read: this {plan} then buys without any check of the risk.
        </Notice>
      )}
    </div>
  );
}
