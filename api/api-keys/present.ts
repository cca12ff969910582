import type { ApiKey } from '../../common/api-keys/model.ts';
import type { ApiKeyRecord } from './model.ts';

export function presentApiKey({ _id, name, scope, hint, limits, createdAt, lastUsedAt }: ApiKeyRecord): ApiKey {
  return {
    id: _id.toHexString(),
    name,
    scope,
    hint,
    limits,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
