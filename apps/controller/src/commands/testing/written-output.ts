import { afterEach, beforeEach, vi } from "vitest";

/** What a test's commands write to standard output, instead of their being shown; each test begins with none. */
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
