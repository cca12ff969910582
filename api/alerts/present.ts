import type { Alert } from '../../common/alerts/model.ts';
import type { AlertRecord } from './model.ts';

export function presentAlert({ _id, type, address, name, symbol, text, at }: AlertRecord): Alert {
  return { id: _id.toHexString(), type, address, name, symbol, text, at: at.toISOString() };
}
