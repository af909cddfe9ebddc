const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** One Ctrl-C comes twice: the terminal sends it to us and to npm, and npm passes it on to us. */
const ECHO_MS = 1_000;

/**
 * The first signal asks for an orderly end, a later one for an end; what comes again at once is the first one's echo.
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
