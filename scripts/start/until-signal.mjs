const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** One Ctrl-C arrives twice: the terminal sends it to us and to npm, and npm forwards it to us. */
const ECHO_MS = 1_000;

/**
 * The first signal requests a graceful end, a later one an immediate end; one that follows at once is an echo of the first.
 * Resolves at the first.
 */
export function untilSignal({ onFirst, onSecond, from = process, now = () => performance.now() }) {
  return new Promise((resolve) => {
    let askedAt;
    const onSignal = () => {
      if (askedAt === undefined) {
        askedAt = now();
        onFirst();
        resolve("signalled");
      } else if (now() - askedAt >= ECHO_MS) {
        onSecond();
      }
    };
    for (const signal of SIGNALS) from.on(signal, onSignal);
  });
}
