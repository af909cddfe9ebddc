import type { LoadBalancer } from "../../harness/load-balancers.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { quiet, runsOf } from "./evidence.ts";
import {
  annotate,
  changesOf,
  editService,
  editSpec,
  HTTP,
  loadBalancerFor,
  preparedService,
  seenService,
  untilLoadBalancer,
} from "./objects.ts";

interface Edit {
  readonly id: string;
  readonly title: string;
  /** The Service's fields before the edits. */
  readonly before?: object;
  /** Each edit is made separately, after the previous one has been applied. */
  readonly edits: readonly object[];
  /** Checks the cloud's load balancer after the last edit; absent if this cloud has no such field. */
  readonly holds?: (loadBalancer: LoadBalancer, env: SharedEnvironment) => void;
}

/** Rows S-32 to S-43, S-45 and S-47: each edit converges in one round, with the new value. */
const EDITS: readonly Edit[] = [
  {
    id: "S-32",
    title: "a port's number",
    edits: [{ ports: [{ ...HTTP, port: 81 }] }],
    holds: ({ listeners }) => same(listeners[0]?.port, 81, "the port"),
  },
  {
    id: "S-33",
    title: "a port's name",
    edits: [{ ports: [{ ...HTTP, name: "renamed" }] }],
    holds: ({ listeners }) => same(listeners[0]?.name, "renamed", "the name"),
  },
  {
    id: "S-34",
    title: "a port's protocol",
    edits: [{ ports: [{ ...HTTP, protocol: "UDP" }] }],
    holds: ({ listeners }) => same(listeners[0]?.protocol, "UDP", "the protocol"),
  },
  {
    id: "S-35",
    title: "a node port",
    edits: [{ ports: [{ ...HTTP, nodePort: 32_735 }] }],
    holds: ({ listeners }) => same(listeners[0]?.nodePort, 32_735, "the node port"),
  },
  {
    id: "S-36",
    title: "a target port, from number to name",
    edits: [{ ports: [{ ...HTTP, targetPort: "web" }] }],
  },
  {
    id: "S-37",
    title: "an appProtocol",
    edits: [{ ports: [{ ...HTTP, appProtocol: "kubernetes.io/h2c" }] }],
  },
  {
    id: "S-38",
    title: "the session affinity",
    edits: [{ sessionAffinity: "ClientIP" }],
    holds: ({ affinity }) => same(affinity.kind, "clientIP", "the affinity"),
  },
  {
    id: "S-39",
    title: "the affinity's timeout",
    before: { sessionAffinity: "ClientIP" },
    edits: [{ sessionAffinityConfig: { clientIP: { timeoutSeconds: 1_234 } } }],
    holds: ({ affinity }) => same(affinity.timeoutSeconds, 1_234, "the timeout"),
  },
  {
    id: "S-40",
    title: "the address that is asked for",
    edits: [{ loadBalancerIP: "198.19.40.40" }],
    holds: ({ address }) => same(address, "198.19.40.40", "the address"),
  },
  {
    id: "S-41",
    title: "the source ranges",
    edits: [{ loadBalancerSourceRanges: ["10.41.0.0/16"] }],
    holds: ({ sourceRanges }) => same(sourceRanges, ["10.41.0.0/16"], "the source ranges"),
  },
  {
    id: "S-42",
    title: "the external addresses, their number and then a value",
    edits: [{ externalIPs: ["203.0.113.1"] }, { externalIPs: ["203.0.113.2"] }],
  },
  {
    id: "S-43",
    title: "the policy for outside traffic, with the health check's port",
    edits: [{ externalTrafficPolicy: "Local" }],
    holds: ({ healthCheck }, env) => {
      const port = seenService(env, "s-43").spec.healthCheckNodePort;
      same([healthCheck.path, healthCheck.port], ["/healthz", port], "the health check");
    },
  },
  {
    id: "S-45",
    title: "a second address family, and back",
    edits: [
      { ipFamilyPolicy: "PreferDualStack" },
      { ipFamilyPolicy: "SingleStack", ipFamilies: null, clusterIPs: null },
    ],
    holds: ({ families }) => same(families.length, 1, "the number of families"),
  },
  {
    id: "S-47",
    title: "the order of two ports",
    before: { ports: [HTTP, { name: "https", protocol: "TCP", port: 443 }] },
    edits: [{ ports: [{ name: "https", protocol: "TCP", port: 443 }, HTTP] }],
    holds: ({ listeners }) => same(listeners.length, 2, "the number of listeners"),
  },
];

export const SERVICE_EDITS: readonly Scenario[] = [
  ...EDITS.map((edit) => ({
    id: edit.id,
    title: `one round for an edit of ${edit.title}`,
    run: (env: SharedEnvironment) => makeEdits(env, edit),
  })),
  ...rows({
    "S-44 an annotation that the provider reads makes it look again, any other costs nothing":
      async (env) => {
        await preparedService(env, "s-44");
        for (const value of ["here", null]) {
          await quiet(env, "s-44");
          const before = runsOf(env, "s-44", "change");
          await annotate(env, "s-44", { "sandbox.cloudwright.io/any": value });
          await oneRound(env, "s-44", before);
        }
        await quiet(env, "s-44");
        const before = runsOf(env, "s-44");
        await annotate(env, "s-44", { "example.com/any": "here" });
        await always(() => same(runsOf(env, "s-44"), before, "rounds for a stamp"), {
          forMs: 2_000,
        });
      },
    "S-46 labels, selector, internal traffic policy and unready addresses are nothing to the cloud":
      async (env) => {
        await preparedService(env, "s-46");
        await quiet(env, "s-46");
        const before = changesOf(env, "s-46").length;
        await editService(env, "s-46", {
          metadata: { labels: { other: "label" } },
          spec: {
            selector: { app: "other" },
            internalTrafficPolicy: "Local",
            publishNotReadyAddresses: true,
          },
        });
        const runs = runsOf(env, "s-46", "change");
        await always(
          () => {
            same(changesOf(env, "s-46").length, before, "changes in the cloud");
            same(runsOf(env, "s-46", "change"), runs, "runs for a change");
          },
          { forMs: 5_000 },
        );
      },
  }),
];

async function makeEdits(
  env: SharedEnvironment,
  { id, before = {}, edits, holds }: Edit,
): Promise<void> {
  const name = id.toLowerCase();
  await preparedService(env, name, { spec: before });
  for (const edit of edits) {
    await quiet(env, name);
    const runs = runsOf(env, name, "change");
    const changes = changesOf(env, name).length;
    const current = await loadBalancerFor(env, name);
    await editSpec(env, name, edit);
    await oneRound(env, name, runs);
    same((await loadBalancerFor(env, name)).id, current.id, "the load balancer");
    if (holds === undefined)
      same(changesOf(env, name).length, changes, "changes in the cloud, which has no such field");
  }
  if (holds !== undefined)
    await untilLoadBalancer(env, name, { check: (loadBalancer) => holds(loadBalancer, env) });
}

/** Expects one run for the change: a second one would be a second round. */
async function oneRound(env: SharedEnvironment, name: string, before: number): Promise<void> {
  await eventually(() =>
    demand(runsOf(env, name, "change") > before, `nothing was done about ${name}`),
  );
  await quiet(env, name);
  same(runsOf(env, name, "change") - before, 1, "rounds for the edit");
}
