import { z } from 'zod';

/** What is recorded, and how people read it. */
export const auditActions = {
  'wallet-saved': 'Wallet saved',
  'wallet-replaced': 'Wallet replaced',
  'wallet-recovered': 'Wallet recovered',
  'wallet-recover-refused': 'Wallet recovery refused',
  'key-revealed': 'Private key revealed',
  'key-reveal-refused': 'Private key refused',
  'admin-key-used': 'Direct admin key used',
  'admin-key-refused': 'Direct admin key refused',
  'login-failed': 'Login failed',
  'user-created': 'User created by an operator',
  'user-looked-up': 'User looked up',
  'user-changed': 'User changed',
  'admin-granted': 'Admin status granted',
  'admin-revoked': 'Admin status revoked',
  'password-reset': 'Password reset by an operator',
  'template-created': 'Template created',
  'template-changed': 'Template changed',
  'template-deleted': 'Template deleted',
  'maintenance-run': 'Maintenance run',
  'source-key-updated': 'API key updated',
  'source-tested': 'API connection tested',
  'broadcast-sent': 'Broadcast sent',
  'telegram-linked': 'Telegram chat linked',
  'telegram-unlinked': 'Telegram chat unlinked',
} as const satisfies Record<string, string>;
export type AuditAction = keyof typeof auditActions;
export const auditActionSchema = z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]);

/** Who did what to whom, when and from where. Never a secret. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  action: auditActionSchema,
  /** Username of that time, `direct-admin-key`, `operator` or `unknown`. */
  actor: z.string(),
  /** Username of whose things it concerns; null: nobody's. */
  subject: z.string().nullable(),
  /** What it was done to, e.g. a wallet's address or a call's path. */
  object: z.string().nullable(),
  /** Network address it came from: an IPv4 address or an IPv6 /64. Null: where an administrator was is not told to users. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z.strictObject({
  entries: z.array(auditEntrySchema),
  /** Pass as `before` for the next page; null at the end. */
  next: z.string().nullable(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
