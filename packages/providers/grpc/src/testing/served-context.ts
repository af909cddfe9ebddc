import type { MessageInitShape } from "@bufbuild/protobuf";
import { type CallContext, type CallDescription, isProviderError } from "@cloudwright/provider-api";
import { sendFenced } from "@cloudwright/provider-api/http";
import type { CloudCallSchema } from "../generated/cloudwright/provider/v1/provider_pb.js";
import { failureMessage } from "./failure-message.ts";

type CloudCallInit = MessageInitShape<typeof CloudCallSchema>;

/** The context of one request, and the calls that it was used for. */
export function servedContext(signal: AbortSignal): {
  readonly context: CallContext;
  readonly calls: CloudCallInit[];
} {
  const calls: CloudCallInit[] = [];
  const call: CallContext["call"] = async (description, send) => {
    const startedMs = BigInt(Date.now());
    const sent = { provider: "memory", description, signal, deadlineMs: 10_000 };
    try {
      const answer = await sendFenced({ ...sent, fence: () => true, after }, send);
      calls.push({ ...named(description), startedMs, status: answer.status });
      return answer.value;
    } catch (error) {
      const failure = isProviderError(error) ? { failure: failureMessage(error) } : {};
      calls.push({ ...named(description), startedMs, ...failure });
      throw error;
    }
  };
  return { context: { signal, call }, calls };
}

function named({ operation, target, mutates }: CallDescription) {
  return { operation, target, mutates };
}

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
