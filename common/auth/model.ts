import { z } from 'zod';
import { visibleName } from './username.ts';

/** Shortest accepted username and password (specification, section 5). */
export const USERNAME_MIN = 3;
export const PASSWORD_MIN = 6;

// Upper bounds keep index keys and the cost of hashing bounded; the specification names none.
export const USERNAME_MAX = 40;
export const PASSWORD_MAX = 200;

export const usernameSchema = z
  .string()
  // Control and direction characters could make one name look like another on screen.
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'Username must not contain control characters')
  .overwrite(visibleName)
  .trim()
  .min(USERNAME_MIN, `Username must be at least ${USERNAME_MIN} characters`)
  .max(USERNAME_MAX, `Username must be at most ${USERNAME_MAX} characters`);

export const passwordSchema = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`);

/** Request body of login and registration. */
export const credentialsSchema = z.strictObject({ username: usernameSchema, password: passwordSchema });
export type Credentials = z.infer<typeof credentialsSchema>;

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
});
export type SessionUser = z.infer<typeof sessionUserSchema>;
