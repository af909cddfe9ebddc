/** The exit code with which a shell reports a program that SIGPIPE has ended. */
const READER_GONE = 141;

/**
 * Ends the process when it can no longer write its output: without a word if the reader has gone, as in `… | head -1`, otherwise
 * with a sentence. Node.js would print a stack instead.
 */
export function endWithOutput({ stdout, stderr }: NodeJS.Process): void {
  stdout.on("error", (error) => {
    if (isReaderGone(error)) process.exit(READER_GONE);
    stderr.write(
      `The output cannot be written (${error.message}): free space there, or write it elsewhere.\n`,
    );
    process.exit(1);
  });
  stderr.on("error", (error) => process.exit(isReaderGone(error) ? READER_GONE : 1));
}

function isReaderGone(error: Error): boolean {
  return "code" in error && error.code === "EPIPE";
}
