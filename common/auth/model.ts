import { z } from 'zod';
import { visibleName } from './username.ts';

/** Public id of a session: 24 hex digits. */
export const sessionIdSchema = z.string().regex(/^[0-9a-f]{24}$/, 'is not an id');

/** Shortest accepted username and password (specification, section 5). */
export const USERNAME_MIN = 3;
export const PASSWORD_MIN = 6;

// Upper bounds keep index keys and the cost of hashing bounded; the specification names none.
const USERNAME_MAX = 40;
const PASSWORD_MAX = 200;

const nameText = z
  .string()
  // Control and direction characters could make one name look like another on screen.
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'Username must not contain control characters');
const withLength = (name: z.ZodString) =>
  name
    .trim()
    .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
    .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters`);

/** A new username, without characters that no screen shows. */
export const usernameSchema = withLength(nameText.overwrite(visibleName));

/** The name of an existing user: those from before the present rules may contain such characters, as in emoji. */
export const knownUsernameSchema = withLength(nameText);

export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

/** Request body of a registration. */
export const credentialsSchema = z.strictObject({ username: usernameSchema, password: passwordSchema });
export type Credentials = z.infer<typeof credentialsSchema>;

/** The current password, as typed to confirm an action: it may be older than a rule for new ones. */
export const currentPasswordSchema = z.string().min(1, 'Please enter your password.').max(PASSWORD_MAX);

const CODE_MAX = 40;
/** A code of the authenticator app (6 digits), or a recovery code; spaces and dashes are ignored. */
export const codeSchema = z
  .string()
  .max(CODE_MAX)
  .transform((text) => text.replaceAll(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^(\d{6}|[A-Z2-7]{16})$/, 'Please enter the 6 digits of the app, or a recovery code.'));

/** Request body of a login; `code` when two-step login is on. */
export const loginSchema = credentialsSchema.extend({ username: knownUsernameSchema, code: codeSchema.optional() });

/** Proof of identity within a session: the password, and a code when two-step login is on. */
export const proofSchema = z.strictObject({ password: currentPasswordSchema, code: codeSchema.optional() });
export type Proof = z.infer<typeof proofSchema>;

export const passwordChangeSchema = z.strictObject({
  currentPassword: currentPasswordSchema,
  newPassword: passwordSchema,
  code: codeSchema.optional(),
});

/** The register form; `confirmPassword` stays in the browser. */
export const registerFormSchema = z
  .strictObject({ username: usernameSchema, password: passwordSchema, confirmPassword: z.string() })
  .refine((form) => form.password === form.confirmPassword, {
    error: "Passwords don't match",
    path: ['confirmPassword'],
    // Runs even when a field is invalid: a password that is too short must not hide the mismatch.
    when: () => true,
  });
export type RegisterForm = z.infer<typeof registerFormSchema>;

/** The signed-in user, as the current-user call returns it. */
export const sessionUserSchema = z.strictObject({
  id: z.string(),
  username: z.string(),
  isAdmin: z.boolean(),
  /** Whether two-step login is on. */
  hasSecondFactor: z.boolean(),
});
export type SessionUser = z.infer<typeof sessionUserSchema>;

/** A session of the signed-in user. */
export const userSessionSchema = z.strictObject({
  /** Public id, derived from the secret one in the cookie. */
  id: sessionIdSchema,
  /** Browser and system, e.g. `Firefox on Windows`; null when the client named none that is known. */
  device: z.string().nullable(),
  /** Network address of the last use, accurate to some minutes: an IPv4 address or an IPv6 /64. */
  address: z.string(),
  createdAt: z.iso.datetime(),
  /** Accurate to some minutes. */
  lastUsedAt: z.iso.datetime(),
  /** Latest end of the session. */
  endsAt: z.iso.datetime(),
  /** True for the session of this request. */
  isCurrent: z.boolean(),
});
export type UserSession = z.infer<typeof userSessionSchema>;

/** State of two-step login. */
export const secondFactorSchema = z.strictObject({
  isOn: z.boolean(),
  /** Time when it was switched on; null while it is off. */
  since: z.iso.datetime().nullable(),
  /** Unused recovery codes; 0 while it is off. */
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/** A new secret for the authenticator app, which counts once a code of it confirms it. */
export const secondFactorSetupSchema = z.strictObject({
  /** Base32. */
  secret: z.string(),
  /** `otpauth://` address for a QR code. */
  uri: z.string(),
});
export type SecondFactorSetup = z.infer<typeof secondFactorSetupSchema>;

/** Recovery codes. Each replaces one code of the app. Shown once: only hashes are stored. */
export const recoveryCodesSchema = z.strictObject({ recoveryCodes: z.array(z.string()) });
