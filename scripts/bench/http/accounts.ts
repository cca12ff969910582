/** Registers a user. Resolves with the cookie of the session, as a header. */
export async function registerAt(url: string, username: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: 'a password of a benchmark' }),
  });
  if (!response.ok) throw new Error(`the registration failed with status ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .join('; ');
}
