import {
  type InstanceRef,
  instanceKey,
  type Lookup,
  ProviderError,
} from "@cloudwright/provider-api";
import { PROVIDER } from "./config.ts";
import { factsOf, type Instance, providerIdOf } from "./instance.ts";
import { EXPECTED_PROVIDER_ID, isOwnId, parseProviderID } from "./provider-id.ts";

/** What the cloud is asked about one node: by id, by name, or by both where the id may be a custom one. */
export interface Question {
  readonly ref: InstanceRef;
  readonly key: string;
  readonly id?: string;
  readonly name?: string;
}

/** The question about a node, or the answer to it where none has to be asked. */
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

/** Instances of a listing, found by what a question may name. */
export class InstanceIndex {
  readonly #byId = new Map<string, Instance>();
  readonly #byProviderId = new Map<string, Instance>();
  readonly #byName = new Map<string, Instance[]>();

  constructor(instances: readonly Instance[]) {
    for (const instance of instances) this.#add(instance);
  }

  /** The instances that a node may be: none, one, or several of one name. */
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

/** What the instances that match mean for the node; undefined when none does. */
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
    `${count} instances are named ${ref.nodeName}, so none can be taken for the node; rename all but one or set the node's provider ID`,
    { provider: PROVIDER, operation: "GET /v1/instances", target: ref.nodeName, field: "name" },
  );
}
