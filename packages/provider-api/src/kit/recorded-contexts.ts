import { setMaxListeners } from "node:events";
import type { CallContext, CallDescription } from "../call-context.ts";
import { sendFenced } from "../http/send-fenced.ts";

/** The contexts with which a case calls a provider, and every call made with them. */
export interface RecordedContexts {
  /** The calls that have ended, with or without success. */
  readonly calls: readonly CallDescription[];
  context(signal?: AbortSignal): CallContext;
}

/** How long the cloud under test may take for one answer, milliseconds: the controller's default. */
const DEADLINE_MS = 10_000;

/** Returns contexts like the framework's, but without its limit on calls: a simulated 429 does not delay the next request. */
export function recordedContexts({
  provider,
  deadlineMs = DEADLINE_MS,
}: {
  readonly provider: string;
  readonly deadlineMs?: number;
}): RecordedContexts {
  const calls: CallDescription[] = [];
  const callWith =
    (signal: AbortSignal): CallContext["call"] =>
    async (description, send) => {
      const call = { provider, description, signal, deadlineMs };
      try {
        const answer = await sendFenced({ ...call, fence: () => true, after }, send);
        calls.push(...(answer.calls ?? [description]));
        return answer.value;
      } catch (error) {
        calls.push(description);
        throw error;
      }
    };
  return {
    calls,
    context: (signal = new AbortController().signal) => {
      // A provider may have many calls in flight for one batch, and each adds a listener.
      setMaxListeners(0, signal);
      return { signal, call: callWith(signal) };
    },
  };
}

/** Runs the callback once after this many milliseconds of real time; the returned function cancels it. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

export function mutations({ calls }: RecordedContexts): number {
  return calls.filter(({ mutates }) => mutates).length;
}
