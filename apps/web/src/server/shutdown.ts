import { processWide } from "./process-wide.ts";

/** Aborts when this process is asked to end. */
export function shutdown(): AbortController {
  return processWide("shutdown", () => new AbortController());
}
