import {
  type CallContext,
  type InstanceRef,
  instanceKey,
  isProviderError,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { failureOf } from "./calls.ts";
import { PROVIDER } from "./config.ts";
import { factsOf, type Instance, type InstanceReads, providerIdOf } from "./instance-reads.ts";
import { EXPECTED_PROVIDER_ID, isOwnId, parseProviderID } from "./provider-id.ts";

/**
 * Reads one instance alone. This is the only place that may report *absent*: the cloud answered that the instance does not exist
 * and, asked for any instance right after, still answered normally. Throws only when the signal aborts.
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

/** Returns what a call threw as an answer; rethrows an abort. */
export function failedLookup(error: unknown, context: CallContext): Lookup {
  return { kind: "failed", error: failureOf(error, "GET /v1/instances", context) };
}

/** The answer of one read; without a lookup, the cloud said that the instance does not exist. */
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

/** Reads by name, or by the custom provider ID of the instance with that name. */
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

/** The question to the cloud about one node: by id, by name, or by both if the id may be a custom one. */
export interface Question {
  readonly ref: InstanceRef;
  readonly key: string;
  readonly id?: string;
  readonly name?: string;
}

/** Returns the question about a node, or the answer if the cloud need not be asked. */
export function questionOf(ref: InstanceRef): Question | Lookup {
  const key = instanceKey(ref);
  if (ref.providerID === undefined) return { ref, key, name: ref.nodeName };
  const parsed = parseProviderID(ref.providerID);
  if (parsed.kind === "foreign") return { kind: "foreign" };
  if (parsed.kind === "malformed") return { kind: "malformed", expected: EXPECTED_PROVIDER_ID };
  const { id } = parsed;
  return isOwnId(id) ? { ref, key, id } : { ref, key, id, name: ref.nodeName };
}

export function isQuestion(value: Question | Lookup): value is Question {
  return "ref" in value;
}

/** Instances of a listing, indexed by everything that a question may name. */
export class InstanceIndex {
  readonly #byId = new Map<string, Instance>();
  readonly #byProviderId = new Map<string, Instance>();
  readonly #byName = new Map<string, Instance[]>();

  constructor(instances: readonly Instance[]) {
    for (const instance of instances) this.#add(instance);
  }

  /** Returns the instances that a node may be: none, one, or several with the same name. */
  matches({ ref, id }: Question): readonly Instance[] {
    if (ref.providerID === undefined) return this.#byName.get(ref.nodeName) ?? [];
    const found = this.#byId.get(id ?? "") ?? this.#byProviderId.get(ref.providerID);
    return found === undefined ? [] : [found];
  }

  #add(instance: Instance): void {
    this.#byId.set(instance.id, instance);
    const providerID = providerIdOf(instance);
    if (providerID !== undefined) this.#byProviderId.set(providerID, instance);
    const named = (this.#byName.get(instance.name) ?? []).filter(({ id }) => id !== instance.id);
    this.#byName.set(instance.name, [...named, instance]);
  }
}

/** Returns what the matching instances mean for the node; undefined if there are none. */
export function lookupOf(
  question: Question,
  matches: readonly Instance[],
  requestId: string | undefined,
): Lookup | undefined {
  const [instance, ...others] = matches;
  if (instance === undefined) return undefined;
  if (others.length > 0) return { kind: "failed", error: ambiguous(question, matches.length) };
  if (!instance.managed) return { kind: "unclaimed" };
  const facts = factsOf(instance, Date.now());
  return requestId === undefined ? { kind: "found", facts } : { kind: "found", facts, requestId };
}

function ambiguous({ ref }: Question, count: number): ProviderError {
  return new ProviderError(
    "Invalid",
    `${count} instances are named ${ref.nodeName}, so it is not known which one is the node's; rename all but one or set the node's provider ID`,
    { provider: PROVIDER, operation: "GET /v1/instances", target: ref.nodeName, field: "name" },
  );
}
