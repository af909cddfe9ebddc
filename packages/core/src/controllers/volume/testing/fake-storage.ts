import type {
  KubeClient,
  KubeObject,
  Patch,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  Target,
} from "../../../kube/client.ts";
import { KubeError } from "../../../kube/errors.ts";
import type { Informer, InformerEvent } from "../../../kube/informer/informer-port.ts";
import { uidOf } from "../../objects/object-meta.ts";

/** A cache that shows each write at once. */
class FakeCache<T extends KubeObject> implements Informer<T> {
  readonly synced: Promise<void> = Promise.resolve();
  readonly hasSynced = true;
  readonly #objects = new Map<string, T>();
  readonly #handlers = new Set<(event: InformerEvent<T>) => void>();
  #version = 100;

  constructor(...objects: readonly T[]) {
    for (const object of objects) this.#objects.set(keyOf(object), object);
  }

  put(changed: T): T {
    this.#version += 1;
    const resourceVersion = String(this.#version);
    const object: T = { ...changed, metadata: { ...changed.metadata, resourceVersion } };
    const old = this.#objects.get(keyOf(object));
    this.#objects.set(keyOf(object), object);
    this.#notify(
      old === undefined
        ? { kind: "added", object, initial: false }
        : { kind: "updated", object, old },
    );
    return object;
  }

  edit(key: string, change: (object: T) => T): T {
    return this.put(change(this.of(key)));
  }

  remove(key: string): void {
    const object = this.of(key);
    this.#objects.delete(key);
    this.#notify({ kind: "deleted", object, final: true });
  }

  of(key: string): T {
    const object = this.#objects.get(key);
    if (object === undefined) throw new KubeError("NotFound", `${key} is not there.`, CALL);
    return object;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  list(): readonly T[] {
    return [...this.#objects.values()];
  }

  byIndex(): readonly T[] {
    return [];
  }

  subscribe(handler: (event: InformerEvent<T>) => void): () => void {
    this.#handlers.add(handler);
    return () => this.#handlers.delete(handler);
  }

  silentMs(): number {
    return 0;
  }

  #notify(event: InformerEvent<T>): void {
    for (const handler of this.#handlers) handler(event);
  }
}

const CALL = { verb: "patch", resource: "persistentvolumes" };

function keyOf({ metadata }: KubeObject): string {
  const { namespace, name = "" } = metadata ?? {};
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The volumes, claims and classes of an API server, as far as the volume loop writes them. */
export class FakeStorage {
  readonly volumes: FakeCache<PersistentVolume>;
  readonly claims: FakeCache<PersistentVolumeClaim>;
  readonly classes: FakeCache<StorageClass>;
  readonly patches: string[] = [];
  /** Called before a patch is made, which it can delay or fail; may be replaced. */
  onPatch: (target: Target) => Promise<void> = () => Promise.resolve();

  readonly client: Pick<KubeClient, "patch"> = {
    patch: async <T extends KubeObject>(target: Target, patch: Patch) => {
      await this.onPatch(target);
      const patched =
        target.subresource === "status"
          ? this.#patchClaim(target, patch.body as ClaimPatch)
          : this.#patchVolume(target, patch.body as VolumePatch);
      return patched as unknown as T;
    },
  };

  constructor(
    volumes: readonly PersistentVolume[],
    claims: readonly PersistentVolumeClaim[],
    classes: readonly StorageClass[],
  ) {
    this.volumes = new FakeCache(...volumes);
    this.claims = new FakeCache(...claims);
    this.classes = new FakeCache(...classes);
  }

  #patchVolume({ name = "" }: Target, { metadata, spec }: VolumePatch): PersistentVolume {
    const before = this.volumes.of(name);
    const isSame = metadata.resourceVersion === before.metadata?.resourceVersion;
    if (metadata.uid !== uidOf(before) || !isSame) {
      throw new KubeError("Conflict", "It was changed meanwhile.", CALL);
    }
    if (spec?.nodeAffinity !== undefined && before.spec?.nodeAffinity !== undefined) {
      throw new KubeError("Invalid", "nodeAffinity: field is immutable.", CALL);
    }
    const { labels, annotations } = metadata;
    this.patches.push(Object.keys({ ...labels, ...annotations, ...spec }).join(" "));
    return this.volumes.put({
      ...before,
      metadata: {
        ...before.metadata,
        labels: { ...before.metadata?.labels, ...labels },
        annotations: merged(before.metadata?.annotations, annotations),
      },
      spec: { ...before.spec, ...spec },
    });
  }

  #patchClaim(
    { namespace, name }: Target,
    { metadata, status }: ClaimPatch,
  ): PersistentVolumeClaim {
    const before = this.claims.of(`${namespace}/${name}`);
    if (metadata.uid !== uidOf(before)) throw new KubeError("Conflict", "Another UID.", CALL);
    this.patches.push(`claim ${Object.keys(status).join(" ")}`);
    const { conditions = [], ...rest } = status;
    const gone = conditions.filter((condition) => "$patch" in condition).map(({ type }) => type);
    const kept = (before.status?.conditions ?? []).filter(({ type }) => !gone.includes(type));
    const added = conditions.filter((condition) => !("$patch" in condition));
    return this.claims.put({
      ...before,
      status: { ...before.status, ...rest, conditions: [...kept, ...added] },
    });
  }
}

function merged(
  before: Readonly<Record<string, string>> = {},
  patch: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  const entries = Object.entries({ ...before, ...patch });
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

interface VolumePatch {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: Partial<NonNullable<PersistentVolume["spec"]>>;
}

interface ClaimPatch {
  readonly metadata: { readonly uid?: string };
  readonly status: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}
