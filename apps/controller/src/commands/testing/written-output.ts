import { afterEach, beforeEach, vi } from "vitest";

/** Captures what commands write to standard output; starts empty in each test. */
export function useWrittenOutput(): { text(): string; clear(): void } {
  let written = "";
  const clear = () => {
    written = "";
  };
  beforeEach(() => {
    clear();
    vi.spyOn(process.stdout, "write").mockImplementation((...[chunk, encoding, done]) => {
      written += String(chunk);
      const called = typeof encoding === "function" ? encoding : (done ?? (() => undefined));
      called();
      return true;
    });
  });
  afterEach(() => void vi.restoreAllMocks());
  return { text: () => written, clear };
}
