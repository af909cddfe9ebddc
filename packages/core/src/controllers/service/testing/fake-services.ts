import type { KubeClient, KubeObject, Patch, Service, Target } from "../../../kube/client.ts";
import { KubeError } from "../../../kube/errors.ts";
import type { Informer, InformerEvent } from "../../../kube/informer/informer-port.ts";
import { nameOf, uidOf } from "../../objects/object-meta.ts";
import { SERVICE_INDEXES } from "../orphans/observe.ts";
import { keyOf } from "../service-object.ts";

/** The Services of an API server and their cache, which shows each write at once. */
export class FakeServices implements Informer<Service> {
  readonly synced: Promise<void> = Promise.resolve();
  readonly hasSynced = true;
  readonly patches: string[] = [];
  /** Called before a patch is made, which it can delay or fail; may be replaced. */
  onPatch: (patch: Patch, target: Target) => Promise<void> = () => Promise.resolve();
  readonly #services = new Map<string, Service>();
  readonly #handlers = new Set<(event: InformerEvent<Service>) => void>();
  #version = 100;

  readonly client: Pick<KubeClient, "patch"> = {
    patch: async <T extends KubeObject>(target: Target, patch: Patch) => {
      await this.onPatch(patch, target);
      return this.#patched(`${target.namespace}/${target.name}`, patch) as unknown as T;
    },
  };

  constructor(...services: readonly Service[]) {
    for (const one of services) this.#services.set(keyOf(one), one);
  }

  put(changed: Service): Service {
    this.#version += 1;
    const key = keyOf(changed);
    const object = {
      ...changed,
      metadata: { ...changed.metadata, resourceVersion: String(this.#version) },
    };
    const old = this.#services.get(key);
    this.#services.set(key, object);
    this.#notify(
      old === undefined
        ? { kind: "added", object, initial: false }
        : { kind: "updated", object, old },
    );
    return object;
  }

  /** Edits it like a user. */
  edit(key: string, change: (service: Service) => Service): void {
    this.put(change(this.#of(key)));
  }

  /** Deletes it like a user: it stays while it has finalizers. */
  delete(key: string): void {
    const service = this.#of(key);
    if ((service.metadata?.finalizers ?? []).length === 0) this.remove(key);
    else {
      const deletionTimestamp = "2026-01-01T01:00:00Z";
      this.put({ ...service, metadata: { ...service.metadata, deletionTimestamp } });
    }
  }

  remove(key: string): void {
    const object = this.#services.get(key);
    this.#services.delete(key);
    if (object !== undefined) this.#notify({ kind: "deleted", object, final: true });
  }

  get(key: string): Service | undefined {
    return this.#services.get(key);
  }

  list(): readonly Service[] {
    return [...this.#services.values()];
  }

  byIndex(index: string, value: string): readonly Service[] {
    return this.list().filter((one) => SERVICE_INDEXES[index]?.(one).includes(value));
  }

  subscribe(handler: (event: InformerEvent<Service>) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  silentMs(): number {
    return 0;
  }

  #of(key: string): Service {
    const service = this.#services.get(key);
    if (service === undefined) throw new KubeError("NotFound", `${key} is not there.`, CALL);
    return service;
  }

  #patched(key: string, { body }: Patch): Service {
    const before = this.#of(key);
    const { metadata, status } = body as PatchBody;
    if (metadata.uid !== uidOf(before)) throw new KubeError("Conflict", "Another UID.", CALL);
    const removed = metadata["$deleteFromPrimitiveList/finalizers"] ?? [];
    const added = metadata.finalizers ?? [];
    const known = before.metadata?.finalizers ?? [];
    const finalizers = [...new Set([...known, ...added])].filter((one) => !removed.includes(one));
    const annotations = Object.entries({
      ...before.metadata?.annotations,
      ...metadata.annotations,
    }).filter((entry): entry is [string, string] => entry[1] !== null);
    this.patches.push(`${nameOf(before)} ${wordOf(body as PatchBody)}`);
    const after: Service = {
      ...before,
      metadata: { ...before.metadata, finalizers, annotations: Object.fromEntries(annotations) },
      ...(status === undefined ? {} : { status: mergedStatus(before.status, status) }),
    };
    const isGone = after.metadata?.deletionTimestamp !== undefined && finalizers.length === 0;
    if (!isGone) return this.put(after);
    this.remove(key);
    return after;
  }

  #notify(event: InformerEvent<Service>): void {
    for (const handler of this.#handlers) handler(event);
  }
}

const CALL = { verb: "patch", resource: "services/status" };

interface PatchBody {
  readonly metadata: {
    readonly uid?: string;
    readonly finalizers?: readonly string[];
    readonly "$deleteFromPrimitiveList/finalizers"?: readonly string[];
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly status?: {
    readonly loadBalancer?: NonNullable<Service["status"]>["loadBalancer"];
    readonly conditions?: readonly (Conditions[number] & { readonly $patch?: "delete" })[];
  };
}

type Conditions = NonNullable<NonNullable<Service["status"]>["conditions"]>;

/** Conditions are identified by their type. */
function mergedStatus(
  before: Service["status"],
  { loadBalancer, conditions = [] }: NonNullable<PatchBody["status"]>,
): NonNullable<Service["status"]> {
  const known = before?.conditions ?? [];
  const merged = conditions.reduce<Conditions>((list, { $patch, ...one }) => {
    const others = list.filter(({ type }) => type !== one.type);
    const old = list.find(({ type }) => type === one.type);
    return $patch === "delete" ? others : [...others, { ...old, ...one }];
  }, known);
  return {
    ...before,
    ...(loadBalancer === undefined ? {} : { loadBalancer }),
    ...(merged.length === 0 && known.length === 0 ? {} : { conditions: merged }),
  };
}

function wordOf({ metadata, status }: PatchBody): string {
  if (status?.loadBalancer !== undefined) return "status";
  if (status !== undefined) {
    const [one] = status.conditions ?? [];
    return one?.$patch === "delete" ? "condition-" : `condition ${one?.status} ${one?.reason}`;
  }
  if (metadata.finalizers !== undefined) return "finalizer+";
  return metadata.annotations === undefined ? "finalizer-" : "annotations";
}
