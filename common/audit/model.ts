import { z } from 'zod';

/** Recorded actions with their labels. */
export const auditActions = {
  'wallet-saved': 'Wallet saved',
  'wallet-replaced': 'Wallet replaced',
  'positions-sold': 'Open positions ordered to be sold, to replace the wallet',
  'positions-abandoned': 'Open positions to be left with a replaced wallet',
  'wallet-recovered': 'Wallet recovered',
  'wallet-recover-refused': 'Wallet recovery refused',
  'key-revealed': 'Private key revealed',
  'key-reveal-refused': 'Private key refused',
  'key-unreadable': 'Private key unreadable',
  'admin-key-used': 'Direct admin key used',
  'admin-key-refused': 'Direct admin key refused',
  'login-failed': 'Login failed',
  login: 'Logged in',
  logout: 'Logged out',
  registered: 'Registered',
  'password-changed': 'Password changed',
  'second-factor-on': 'Two-step login switched on',
  'second-factor-off': 'Two-step login switched off',
  'recovery-codes-renewed': 'Recovery codes renewed',
  'recovery-code-used': 'Recovery code used',
  'code-refused': 'Two-step login code refused',
  'password-exposed': 'Right password with a wrong code, in a new browser',
  'sessions-ended': 'Sessions ended',
  'confirmation-refused': 'Password confirmation refused',
  'user-created': 'User created by an operator',
  'user-looked-up': 'User looked up',
  'users-listed': 'All users looked up',
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
  'live-trading-on': 'Trading with real money switched on',
  'trading-mode-changed': 'Trading mode changed',
  'trading-limits-changed': 'Trading limits changed',
  'trading-protections-changed': 'Protections of trading changed',
  'stop-loss-guard-lifted': 'Lock of the stop-loss guard lifted',
  'trading-stopped': 'Trading stopped',
  'trading-resumed': 'Trading resumed',
  'trading-stopped-all': 'Trading stopped for everybody',
  'trading-resumed-all': 'Trading resumed for everybody',
  'launchpad-tested': "Launchpad's program tested",
  'bot-trading-on': 'Real trading by bot switched on',
  'bot-trading-off': 'Real trading by bot switched off',
  'trading-looked-up': 'Trading looked up',
  'api-key-created': 'API key for programs created',
  'webhook-saved': 'Webhook saved',
  'webhook-tested': 'Webhook tested',
  'webhook-deleted': 'Webhook deleted',
  'api-key-ended': 'API key for programs ended',
} as const satisfies Record<string, string>;
export type AuditAction = keyof typeof auditActions;
export const auditActionSchema = z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]);

/** Actions that concern all users. Each user sees the ones recorded since their registration. */
export const actionsAboutAll = [
  'users-listed',
  'trading-stopped-all',
  'trading-resumed-all',
] as const satisfies readonly AuditAction[];

/** Actors without a user account: the direct admin key, the operator on the console, and a failed login. */
export const namelessActors = ['direct-admin-key', 'operator', 'unknown'] as const;
export type NamelessActor = (typeof namelessActors)[number];

/** An entry of the audit log. Contains no secret. */
export const auditEntrySchema = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  action: auditActionSchema,
  /** Username at that time, or a nameless actor. */
  actor: z.string(),
  /** Username of the affected user; null when no user or all of them are affected. */
  subject: z.string().nullable(),
  /** Object of the action, e.g. a wallet's address or a call's path. */
  object: z.string().nullable(),
  /** Network address of the actor: an IPv4 address or an IPv6 /64. Null for users when the actor is an administrator. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z.strictObject({
  entries: z.array(auditEntrySchema),
  /** Pass as `before` for the next page; null at the end. */
  next: z.string().nullable(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;
