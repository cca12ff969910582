/** What `work` gives, or 'late' when that takes longer than `ms`. The work itself goes on. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
