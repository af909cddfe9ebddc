import { setMaxListeners } from "node:events";
import type { CallContext, CallDescription } from "../call-context.ts";
import { sendFenced } from "../http/send-fenced.ts";

/** The contexts that a case calls a provider with, and every call made with them. */
export interface RecordedContexts {
  /** Calls that have ended, whatever came of them. */
  readonly calls: readonly CallDescription[];
  context(signal?: AbortSignal): CallContext;
}

/** Milliseconds that the cloud under test has for one answer: as the controller gives unless a flag says otherwise. */
const DEADLINE_MS = 10_000;

/** Contexts as the framework's, without its limit on calls: a played 429 does not reach into the next request. */
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
      // A provider may have many calls on their way for one batch, and each listens.
      setMaxListeners(0, signal);
      return { signal, call: callWith(signal) };
    },
  };
}

/** Runs the callback once after so many milliseconds of the machine's own time; the answer cancels it. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

export function mutations({ calls }: RecordedContexts): number {
  return calls.filter(({ mutates }) => mutates).length;
}
