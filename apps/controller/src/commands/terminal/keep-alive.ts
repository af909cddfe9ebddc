/** Keeps the process alive until the work has ended, which the timers of loops and calls do not. */
export async function keepingAlive<Result>(work: () => Promise<Result>): Promise<Result> {
  const keepAlive = setInterval(() => {}, 60_000);
  try {
    return await work();
  } finally {
    clearInterval(keepAlive);
  }
}
