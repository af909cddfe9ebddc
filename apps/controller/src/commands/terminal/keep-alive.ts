/** Keeps the process until the work has ended: the timers of the loops and of calls keep none alive. */
export async function keepingAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const keepAlive = setInterval(() => {}, 60_000);
  try {
    return await work();
  } finally {
    clearInterval(keepAlive);
  }
}
