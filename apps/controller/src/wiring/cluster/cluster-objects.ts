import type { Node, Service } from "@cloudwright/core/kube/client";
import type { Informer, InformerEvent } from "@cloudwright/core/kube/informer/informer-port";
import type {
  ObjectSource,
  SourceChange,
  SourceKind,
  SourceObject,
} from "@cloudwright/provider-grpc/connection";

/** What a provider in another process is shown of the cluster: the Nodes and Services in our informers. */
export interface ClusterObjects extends ObjectSource {
  /** Shows the content of these informers from now on, instead of the previous ones. */
  follow(informers: FollowedInformers): void;
}

export interface FollowedInformers {
  readonly nodes: Informer<Node>;
  /** Undefined if no controller that runs here watches Services. */
  readonly services: Informer<Service> | undefined;
}

/** How many of the most recently deleted Services are kept, as their load balancers may still have to be removed. */
const GONE_LIMIT = 1_000;

export function createClusterObjects(): ClusterObjects {
  const listeners = new Set<(change: SourceChange) => void>();
  const announce = (change: SourceChange) => {
    for (const listener of listeners) listener(change);
  };
  const services = new KnownServices(announce);
  let informers: FollowedInformers | undefined;
  let unfollow = () => {};
  return {
    node: (name) => {
      const node = informers?.nodes.get(name);
      return node === undefined ? undefined : shown("Node", node);
    },
    service: (uid) => services.get(uid),
    all: (kind) =>
      kind === "Service"
        ? services.all()
        : (informers?.nodes.list() ?? []).map((node) => shown("Node", node)),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: (next) => {
      unfollow();
      informers = next;
      const ends = [
        next.nodes.subscribe((event) => announce(changeOf("Node", event))),
        services.follow(next.services),
      ];
      unfollow = () => {
        for (const end of ends) end();
      };
    },
  };
}

class KnownServices {
  readonly #announce: (change: SourceChange) => void;
  readonly #here = new Map<string, Service>();
  /** In the order of their deletion. */
  readonly #gone = new Map<string, Service>();

  constructor(announce: (change: SourceChange) => void) {
    this.#announce = announce;
  }

  get(uid: string): SourceObject | undefined {
    const service = this.#here.get(uid) ?? this.#gone.get(uid);
    return service === undefined ? undefined : shown("Service", service);
  }

  all(): readonly SourceObject[] {
    return [...this.#here.values()].map((service) => shown("Service", service));
  }

  follow(informer: Informer<Service> | undefined): () => void {
    this.#here.clear();
    for (const service of informer?.list() ?? []) this.#here.set(uidOf(service), service);
    return informer?.subscribe((event) => this.#take(event)) ?? (() => undefined);
  }

  #take(event: InformerEvent<Service>): void {
    const { object } = event;
    const uid = uidOf(object);
    if (event.kind === "deleted") this.#keepGone(uid, object);
    else this.#put(uid, object);
  }

  #put(uid: string, service: Service): void {
    this.#here.set(uid, service);
    this.#announce({ kind: "Service", uid, isGone: false });
  }

  /** A Service that never requested a load balancer is not kept. */
  #keepGone(uid: string, service: Service): void {
    this.#here.delete(uid);
    if (service.spec?.type !== "LoadBalancer") {
      this.#announce({ kind: "Service", uid, isGone: true });
      return;
    }
    this.#gone.set(uid, service);
    const [oldest] = this.#gone.keys();
    if (this.#gone.size <= GONE_LIMIT || oldest === undefined) return;
    this.#gone.delete(oldest);
    this.#announce({ kind: "Service", uid: oldest, isGone: true });
  }
}

function changeOf(kind: SourceKind, event: InformerEvent<Node>): SourceChange {
  return { kind, uid: uidOf(event.object), isGone: event.kind === "deleted" };
}

function uidOf({ metadata }: Node | Service): string {
  return metadata?.uid ?? "";
}

function shown(kind: SourceKind, object: Node | Service): SourceObject {
  const { uid = "", resourceVersion = "", namespace = "", name = "" } = object.metadata ?? {};
  return { kind, uid, resourceVersion, namespace, name, json: () => JSON.stringify(object) };
}
