import { lookup } from "node:dns/promises";
import type { KubeConnection } from "@cloudwright/core/kube/calls/kube-client";
import {
  type KubeObject,
  LEASES,
  type Lease,
  NODES,
  type Node,
  type Resource,
} from "@cloudwright/core/kube/client";
import { isKubeError } from "@cloudwright/core/kube/errors";
import { listAll } from "@cloudwright/core/kube/informer/paged-list";
import { holderOf } from "@cloudwright/core/kube/lease/lease-record";
import type { Clock } from "@cloudwright/core/model/time";
import { messageOf } from "@cloudwright/core/model/values/message-of";
import { z } from "zod";
import type { ClockReading, LeaseReading, NameLookup } from "./judge-cluster.ts";
import type { StartedContainer } from "./judge-components.ts";

const TIMEOUT_MS = 10_000;
const PODS: Resource = { group: "", version: "v1", plural: "pods", namespaced: true };
const WORKLOADS: readonly Resource[] = ["daemonsets", "deployments", "statefulsets"].map(
  (plural) => ({ group: "apps", version: "v1", plural, namespaced: true }),
);
const SERVICE_CIDRS: Resource = {
  group: "networking.k8s.io",
  version: "v1",
  plural: "servicecidrs",
  namespaced: false,
};
const SELF_REVIEWS: Resource = {
  group: "authentication.k8s.io",
  version: "v1",
  plural: "selfsubjectreviews",
  namespaced: false,
};

type Client = Pick<KubeConnection, "get" | "list" | "create" | "raw">;

/** Reads what `cloudwright doctor` examines in a cluster; changes nothing. Every method throws KubeError. */
export class ClusterReader {
  readonly #client: Client;
  readonly #clock: Pick<Clock, "now">;
  readonly #signal: AbortSignal;

  constructor(client: Client, clock: Pick<Clock, "now">, signal: AbortSignal) {
    this.#client = client;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Returns the API server's version: `v1.37.1`. */
  async version(): Promise<string> {
    const text = await this.#client.raw("/version", this.#options());
    return versionAnswer.parse(JSON.parse(text)).gitVersion;
  }

  /** Returns who we are to the API server, and its clock; undefined if its review contains no time. */
  async whoAmI(): Promise<{ readonly name: string; readonly clock: ClockReading | undefined }> {
    const askedAt = this.#clock.now();
    const answer = await this.#client.create<KubeObject>(
      { resource: SELF_REVIEWS },
      { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      this.#options(),
    );
    const answeredAt = this.#clock.now();
    const { metadata, status } = selfReviewAnswer.parse(answer);
    const serverAt = Date.parse(metadata?.creationTimestamp ?? "");
    return {
      name: status.userInfo.username,
      clock: Number.isNaN(serverAt) ? undefined : { serverAt, askedAt, answeredAt },
    };
  }

  nodes(): Promise<readonly Node[]> {
    return this.#all<Node>(NODES);
  }

  /** Lists the ranges of the cluster's Services; empty if the API server does not serve them. */
  async serviceRanges(): Promise<readonly string[]> {
    try {
      const found = await this.#all<KubeObject>(SERVICE_CIDRS);
      return found.flatMap((each) => serviceCidr.parse(each).spec.cidrs);
    } catch (error) {
      if (isKubeError(error) && error.code === "NotFound") return [];
      throw error;
    }
  }

  /** Lists the containers of kube-system's pods and of other namespaces' workloads (not their pods, which would be those of every user). */
  async containers(): Promise<readonly StartedContainer[]> {
    const pods = await this.#all<KubeObject>(PODS, "kube-system");
    const kept = await Promise.all(WORKLOADS.map((each) => this.#workloads(each)));
    return [
      ...pods.flatMap((pod) => startedIn(pod, podShape.parse(pod).spec)),
      ...kept.flat().flatMap((workload) => {
        const { replicas, template } = workloadShape.parse(workload).spec;
        return replicas === 0 ? [] : startedIn(workload, template.spec);
      }),
    ];
  }

  /** Lists workloads of every namespace but kube-system; empty if the API server does not serve them. */
  async #workloads(resource: Resource): Promise<readonly KubeObject[]> {
    try {
      const all = await this.#all<KubeObject>(resource);
      return all.filter(({ metadata }) => metadata?.namespace !== "kube-system");
    } catch (error) {
      // The API server gives no reason for a kind that it does not serve, so this is no `NotFound`.
      if (isKubeError(error) && error.call.status === 404) return [];
      throw error;
    }
  }

  /** Returns undefined if there is no such Lease. */
  async lease(namespace: string, name: string): Promise<LeaseReading | undefined> {
    try {
      const target = { resource: LEASES, namespace, name };
      const lease = await this.#client.get<Lease>(target, this.#options());
      const renewedAt = Date.parse(lease.spec?.renewTime ?? "");
      return {
        place: `${namespace}/${name}`,
        holder: holderOf(lease),
        renewedAt: Number.isNaN(renewedAt) ? undefined : renewedAt,
        durationMs: (lease.spec?.leaseDurationSeconds ?? 0) * 1_000,
      };
    } catch (error) {
      if (isKubeError(error) && error.code === "NotFound") return undefined;
      throw error;
    }
  }

  async #all<T extends KubeObject>(resource: Resource, namespace?: string): Promise<readonly T[]> {
    const { items } = await listAll<T>({
      client: this.#client,
      target: namespace === undefined ? { resource } : { resource, namespace },
      query: {},
      signal: this.#signal,
      onHeard: () => {},
      transform: (object) => object,
    });
    return items;
  }

  #options() {
    return { signal: this.#signal, timeoutMs: TIMEOUT_MS };
  }
}

/** Resolves a host name on this machine. */
export async function lookUp(host: string): Promise<NameLookup> {
  try {
    const found = await lookup(host, { all: true });
    return { kind: "found", addresses: found.map(({ address }) => address) };
  } catch (error) {
    return { kind: "failed", why: messageOf(error) };
  }
}

const words = z
  .array(z.string())
  .nullish()
  .transform((items) => items ?? []);
const podSpec = z.object({
  containers: z.array(z.object({ image: z.string().optional(), command: words, args: words })),
});
const podShape = z.object({ spec: podSpec });
const workloadShape = z.object({
  spec: z.object({ replicas: z.number().optional(), template: podShape }),
});

function startedIn({ metadata }: KubeObject, { containers }: z.infer<typeof podSpec>) {
  return containers.map(({ image, command, args }) => ({
    pod: `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`,
    image,
    words: [...command, ...args].flatMap((word) => word.split(/\s+/)),
  }));
}
const serviceCidr = z.object({ spec: z.object({ cidrs: words }) });
const versionAnswer = z.object({ gitVersion: z.string() });
const selfReviewAnswer = z.object({
  metadata: z.object({ creationTimestamp: z.string().nullish() }).nullish(),
  status: z.object({ userInfo: z.object({ username: z.string() }) }),
});
