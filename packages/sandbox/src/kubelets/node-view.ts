import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type KubeApi, UnexpectedAnswer } from "./kube-api.ts";
import type { KnownConditions } from "./node-object.ts";

const KUBELET_ANNOTATION = "sandbox.cloudwright.io/kubelet";

/** What the kubelets need to know about a Node. */
export interface KnownNode {
  readonly uid: string;
  /** Whether the annotation `sandbox.cloudwright.io/kubelet: silent` simulates a dead kubelet. */
  readonly silenced: boolean;
  readonly providedNodeIp: string | undefined;
  readonly conditions: KnownConditions;
  /** Whether a controller found the heartbeats missing and set Ready itself. */
  readonly readyIsStale: boolean;
}

/** All Nodes by name, kept up to date by one watch. */
export interface NodeView {
  get(name: string): KnownNode | undefined;
  /** Applies an answer of the API server before the watch delivers it. */
  learn(node: unknown): void;
}

export interface NodeViewOptions {
  readonly api: KubeApi;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
}

/** Resolves after the first list; continues in the background until the signal aborts. */
export async function watchNodes(options: NodeViewOptions): Promise<NodeView> {
  const nodes = new Map<string, KnownNode>();
  await new Promise<void>((listed) => {
    void follow(nodes, { ...options, listed });
  });
  return {
    get: (name) => nodes.get(name),
    learn: (node) => apply(nodes, { type: "MODIFIED", object: nodeSchema.parse(node) }),
  };
}

const AGAIN_AFTER_MS = 1_000;
const PAGE = 500;

async function follow(
  nodes: Map<string, KnownNode>,
  { api, signal, log, listed }: NodeViewOptions & { readonly listed: () => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      const resourceVersion = await list(nodes, api);
      listed();
      await watch(nodes, { api, signal, resourceVersion });
    } catch (error) {
      if (!signal.aborted) {
        log(`Nodes cannot be watched, trying again: ${String(error)}`);
      }
    }
    await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
  listed();
}

async function list(nodes: Map<string, KnownNode>, api: KubeApi): Promise<string> {
  const seen = new Set<string>();
  let next = "";
  let resourceVersion = "";
  do {
    const page = await readPage(api, next);
    for (const object of page.items) {
      seen.add(object.metadata.name);
      apply(nodes, { type: "MODIFIED", object });
    }
    resourceVersion = page.metadata.resourceVersion;
    next = page.metadata.continue ?? "";
  } while (next !== "");
  for (const name of [...nodes.keys()].filter((one) => !seen.has(one))) {
    nodes.delete(name);
  }
  return resourceVersion;
}

async function readPage(api: KubeApi, next: string): Promise<z.infer<typeof listSchema>> {
  const query = new URLSearchParams({
    limit: String(PAGE),
    ...(next === "" ? {} : { continue: next }),
  });
  const answer = await api.send({ method: "GET", path: `/api/v1/nodes?${query}` });
  if (answer.status !== 200) {
    throw new UnexpectedAnswer("/api/v1/nodes", answer);
  }
  return listSchema.parse(answer.body);
}

interface WatchFrom {
  readonly api: KubeApi;
  readonly signal: AbortSignal;
  readonly resourceVersion: string;
}

/** Ends when the server ends it or no longer has our version; then a new list is needed. */
async function watch(nodes: Map<string, KnownNode>, from: WatchFrom): Promise<void> {
  let resourceVersion = from.resourceVersion;
  while (!from.signal.aborted) {
    const query = new URLSearchParams({
      watch: "true",
      allowWatchBookmarks: "true",
      timeoutSeconds: "300",
      resourceVersion,
    });
    for await (const line of from.api.lines(`/api/v1/nodes?${query}`, from.signal)) {
      const event = eventSchema.parse(JSON.parse(line));
      if (event.type === "ERROR") {
        return;
      }
      resourceVersion = apply(nodes, event);
    }
    await wait(AGAIN_AFTER_MS, undefined, { signal: from.signal });
  }
}

const metaSchema = z.object({
  name: z.string().default(""),
  uid: z.string().default(""),
  resourceVersion: z.string(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const conditionSchema = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  lastTransitionTime: z.string().nullish(),
});
const nodeSchema = z.object({
  metadata: metaSchema,
  status: z.object({ conditions: z.array(conditionSchema).optional() }).optional(),
});
const listSchema = z.object({
  items: z.array(nodeSchema),
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
});
const eventSchema = z.union([
  z.object({ type: z.literal("ERROR") }),
  z.object({ type: z.enum(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]), object: nodeSchema }),
]);
type NodeEvent = Extract<z.infer<typeof eventSchema>, { readonly object: unknown }>;

/** Applies an event and returns its resource version, from which the watch can resume. */
function apply(nodes: Map<string, KnownNode>, { type, object }: NodeEvent): string {
  const { name, resourceVersion } = object.metadata;
  if (type === "DELETED") {
    nodes.delete(name);
  } else if (type !== "BOOKMARK") {
    nodes.set(name, known(object));
  }
  return resourceVersion;
}

function known({ metadata, status }: z.infer<typeof nodeSchema>): KnownNode {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === "Ready");
  return {
    uid: metadata.uid,
    silenced: metadata.annotations?.[KUBELET_ANNOTATION] === "silent",
    providedNodeIp: metadata.annotations?.["alpha.kubernetes.io/provided-node-ip"],
    conditions: new Map(
      conditions.map(({ type, status: value, lastTransitionTime }) => [
        type,
        { status: value, lastTransitionTime: lastTransitionTime ?? undefined },
      ]),
    ),
    readyIsStale: ready?.status === "Unknown" && ready.reason === "NodeStatusUnknown",
  };
}
