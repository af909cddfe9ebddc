import type { KubeClient, KubeObject, Node, Patch, Target } from "../../../kube/client.ts";
import { KubeError, type KubeErrorCode } from "../../../kube/errors.ts";
import { nameOf, uidOf } from "../../objects/object-meta.ts";
import { podCidrsOf } from "../../objects/pod-cidrs.ts";
import { FakeInformer, type NodeShape, node } from "../../testing/node-fixture.ts";

/** The Nodes of an API server, which lets nobody change pod ranges, and a cache that follows them. */
export class FakeNodes {
  readonly informer = new FakeInformer();
  /** Whether the cache follows. */
  follows: boolean = true;
  /** Decides about a write; `land` makes it and returns the Node, or throws the API server's refusal. */
  onPatch: (name: string, land: () => Node) => Promise<Node> = async (_name, land) => land();
  readonly patched: string[] = [];
  readonly #nodes = new Map<string, Node>();
  #version = 1;

  /** Registers a Node. */
  register(shape: NodeShape): Node {
    this.#version += 1;
    return this.#store(node({ ...shape, resourceVersion: String(this.#version) }));
  }

  remove(name: string): void {
    this.#nodes.delete(name);
    if (this.follows) this.informer.remove(name);
  }

  /** Delivers to the cache everything that it has missed. */
  catchUp(): void {
    this.follows = true;
    for (const cached of this.informer.list()) {
      if (!this.#nodes.has(nameOf(cached))) this.informer.remove(nameOf(cached));
    }
    for (const one of this.#nodes.values()) this.informer.put(one);
  }

  list(): readonly Node[] {
    return [...this.#nodes.values()];
  }

  rangesOf(name: string): readonly string[] {
    const found = this.#nodes.get(name);
    return found === undefined ? [] : podCidrsOf(found);
  }

  /** The ranges of all Nodes, one after the other. */
  get ranges(): readonly string[] {
    return this.list().flatMap(podCidrsOf);
  }

  readonly client: Pick<KubeClient, "patch" | "get"> = {
    patch: async <T extends KubeObject>({ name = "" }: Target, { body }: Patch) => {
      this.patched.push(name);
      return (await this.onPatch(name, () =>
        this.#patch(name, body as PatchBody),
      )) as KubeObject as T;
    },
    get: async <T extends KubeObject>({ name = "" }: Target) => {
      const found = this.#nodes.get(name);
      if (found === undefined) throw kubeFailure("NotFound", name);
      return found as KubeObject as T;
    },
  };

  #patch(name: string, { metadata, spec }: PatchBody): Node {
    const found = this.#nodes.get(name);
    if (found === undefined) throw kubeFailure("NotFound", name);
    if (metadata.uid !== uidOf(found)) throw kubeFailure("Conflict", name);
    const has = podCidrsOf(found);
    if (has.length > 0 && has.join() !== spec.podCIDRs.join()) throw kubeFailure("Invalid", name);
    this.#version += 1;
    return this.#store({
      ...found,
      metadata: { ...found.metadata, resourceVersion: String(this.#version) },
      spec: { ...found.spec, ...spec },
    });
  }

  #store(stored: Node): Node {
    this.#nodes.set(nameOf(stored), stored);
    if (this.follows) this.informer.put(stored);
    return stored;
  }
}

interface PatchBody {
  readonly metadata: { readonly uid: string };
  readonly spec: { readonly podCIDR: string; readonly podCIDRs: readonly string[] };
}

export function kubeFailure(code: KubeErrorCode, name: string): KubeError {
  return new KubeError(code, "as the test says", { verb: "patch", resource: "nodes", name });
}

/** Returns the error of a write whose answer was lost. */
export function lostAnswer(name: string): KubeError {
  const call = { verb: "patch", resource: "nodes", name, mayBeDone: true };
  return new KubeError("Unavailable", "no answer came", call);
}
