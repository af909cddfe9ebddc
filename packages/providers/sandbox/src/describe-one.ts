import {
  type CallContext,
  isProviderError,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { PROVIDER } from "./config.ts";
import type { InstanceReads } from "./instance-reads.ts";
import { InstanceIndex, lookupOf, type Question } from "./question.ts";

/**
 * Reads one instance alone. The only place that may say *absent*: the cloud answered that there is no such instance
 * and, asked for any instance right after, still answered well. Throws only when the signal aborts.
 */
export async function describeOne(
  reads: InstanceReads,
  question: Question,
  context: CallContext,
): Promise<Lookup> {
  try {
    const byId = await readById(reads, question, context);
    if (byId?.lookup !== undefined) return byId.lookup;
    const byName = await readByName(reads, question, context);
    if (byName?.lookup !== undefined) return byName.lookup;
    const requestId = byName?.requestId ?? byId?.requestId;
    const by = question.ref.providerID === undefined ? "name" : "providerID";
    const cloudShowsOthers = await reads.showsAny(context);
    const proof = { by, cloudShowsOthers, at: Date.now() } as const;
    return { kind: "absent", proof: requestId === undefined ? proof : { ...proof, requestId } };
  } catch (error) {
    return failedLookup(error, context);
  }
}

/** What a call threw, as an answer; an abort is passed on. */
export function failedLookup(error: unknown, context: CallContext): Lookup {
  context.signal.throwIfAborted();
  if (isProviderError(error)) return { kind: "failed", error };
  const message = error instanceof Error ? error.message : String(error);
  const call = { provider: PROVIDER, operation: "GET /v1/instances", cause: error };
  return { kind: "failed", error: new ProviderError("Unavailable", message, call) };
}

/** One read's answer; without a lookup the cloud said that there is no such instance. */
interface ReadAnswer {
  readonly lookup: Lookup | undefined;
  readonly requestId: string | undefined;
}

async function readById(
  reads: InstanceReads,
  question: Question,
  context: CallContext,
): Promise<ReadAnswer | undefined> {
  const { id } = question;
  if (id === undefined) return undefined;
  return await orNotFound(async () => {
    const { value, requestId } = await reads.get(id, context);
    return { lookup: lookupOf(question, [value], requestId), requestId };
  });
}

/** By name, or by the custom provider ID of the instance of that name. */
async function readByName(
  reads: InstanceReads,
  question: Question,
  context: CallContext,
): Promise<ReadAnswer | undefined> {
  const { name } = question;
  if (name === undefined) return undefined;
  return await orNotFound(async () => {
    const { instances, requestId } = await reads.list({ ids: [], names: [name] }, context);
    const matches = new InstanceIndex(instances).matches(question);
    return { lookup: lookupOf(question, matches, requestId), requestId };
  });
}

async function orNotFound(read: () => Promise<ReadAnswer>): Promise<ReadAnswer> {
  try {
    return await read();
  } catch (error) {
    if (!isProviderError(error) || error.code !== "NotFound") throw error;
    return { lookup: undefined, requestId: error.call.requestId };
  }
}
