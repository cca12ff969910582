/** What a promise gives within so many ms; null when it takes longer or fails. What comes later is left alone. */
export async function within<Value>(promise: Promise<Value>, ms: number): Promise<{ value: Value } | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  const answer = promise.then(
    (value) => ({ value }),
    // The caller goes on without the answer either way; whoever made the promise reports its failure.
    () => null,
  );
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
