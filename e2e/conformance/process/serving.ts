import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { demand, eventually, same } from "../../harness/wait.ts";
import { accountToken } from "../clusters/accounts.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { leaderAmong, startPair } from "../environment/leading.ts";
import { createInstance, createNode, initialised, internal } from "../environment/objects.ts";
import type { Scenario } from "../environment/scenario.ts";

const LOOPS = ["cloud-node-controller", "cloud-node-lifecycle-controller"];
/** Upstream's public paths; everything else is for users whom the cluster authorises. */
const OPEN_PATHS = { "--authorization-always-allow-paths": "/healthz,/readyz,/livez" };

/** Rows H-11 to H-13, H-23 and H-36: what the controller serves over HTTPS, and to whom. */
export const SERVING: readonly Scenario[] = isolatedRows({
  "H-11 leader and standby answer for their health to anybody": async (env) => {
    const { leader, standby } = await startPair(env, { flags: OPEN_PATHS });
    for (const replica of [leader, standby]) {
      for (const path of ["/healthz", "/livez", "/readyz"])
        same(await replica.ask(path), { status: 200, body: "ok" }, path);
    }
    await eventually(async () => {
      const reported = await checksOf(leader);
      for (const name of ["leaderElection", ...LOOPS])
        demand(reported.includes(name), `the leader does not list ${name}: ${reported.join(", ")}`);
    });
    const waiting = await checksOf(standby);
    demand(waiting.includes("leaderElection"), "the standby does not list leaderElection");
    same(
      waiting.filter((name) => LOOPS.includes(name)),
      [],
      "controllers that the standby lists",
    );
  },
  "H-12 metrics are not for anybody": async (env) => {
    const replica = await env.start({ flags: OPEN_PATHS });
    const answer = await replica.ask("/metrics");
    demand([401, 403].includes(answer?.status ?? 0), `it answers ${answer?.status}`);
  },
  "H-13 metrics are for those whom the cluster allows": async (env) => {
    const replica = await startGuarded(env);
    await leaderAmong([replica]);
    const scraper = await accountToken(env.kube, "h-13-scraper", [
      { nonResourceURLs: ["/metrics", "/metrics/slis"], verbs: ["get"] },
    ]);
    const foreign = await accountToken(env.kube, "h-13-stranger", []);
    same((await replica.ask("/metrics", foreign))?.status, 403, "the answer to a stranger");
    same((await replica.ask("/metrics", "nonsense"))?.status, 401, "the answer to nonsense");
    await eventually(async () => {
      const answer = await replica.ask("/metrics", scraper);
      same(answer?.status, 200, "the answer to the scraper");
      for (const line of [
        `leader_election_master_status{name="${env.lease}"} 1`,
        'running_managed_controllers{name="cloud-node",manager="cloud-controller-manager"} 1',
      ])
        demand(answer?.body.split("\n").includes(line) === true, `there is no ${line}`);
    });
    await replica.ask("/livez");
    same((await replica.ask("/metrics/slis", foreign))?.status, 403, "the checks' to a stranger");
    const checks = (await replica.ask("/metrics/slis", scraper))?.body ?? "";
    const well = 'kubernetes_healthcheck{name="cloud-node-controller",type="livez"} 1';
    demand(checks.split("\n").includes(well), `there is no ${well}: ${checks}`);
  },
  "H-23 without a port nothing listens, and the loops run": async (env) => {
    const replica = await env.launch({
      flags: { "--leader-elect": "false", "--secure-port": "0" },
    });
    await createInstance(env, "h-23", { addresses: [internal("10.223.0.1")] });
    await createNode(env, "h-23");
    await initialised(env, "h-23");
    same(listeningSockets(replica.pid), 0, "listening sockets");
    demand(!replica.output().includes("Serving"), "it says that it serves");
  },
  "H-36 the configuration shows the flags to those whom the cluster allows": async (env) => {
    const replica = await startGuarded(env, {
      "--kube-api-qps": "123",
      "--cluster-name": "shown",
    });
    const reader = await accountToken(env.kube, "h-36-reader", [
      { nonResourceURLs: ["/configz"], verbs: ["get"] },
    ]);
    demand(
      [401, 403].includes((await replica.ask("/configz"))?.status ?? 0),
      "anybody may read it",
    );
    const answer = await eventually(async () => {
      const read = await replica.ask("/configz", reader);
      same(read?.status, 200, "the answer");
      return read?.body ?? "";
    });
    const shown = (JSON.parse(answer) as Configz)["cloudcontrollermanager.config.k8s.io"];
    same(shown.Generic.ClientConnection.qps, 123, "the requests a second");
    same(shown.Generic.LeaderElection.resourceName, env.lease, "the name of the Lease");
    same(shown.KubeCloudShared.ClusterName, "shown", "the cluster's name");
    same(shown.KubeCloudShared.CloudProvider.Name, "sandbox", "the provider");
    demand(!answer.includes(env.cloud.ready.token), "it shows the cloud's token");
  },
});

interface Configz {
  readonly "cloudcontrollermanager.config.k8s.io": {
    readonly Generic: {
      readonly ClientConnection: { readonly qps: number };
      readonly LeaderElection: { readonly resourceName: string };
    };
    readonly KubeCloudShared: {
      readonly ClusterName: string;
      readonly CloudProvider: { readonly Name: string };
    };
  };
}

/** Starts a controller that asks the cluster who its callers are and what they may read. */
function startGuarded(
  env: IsolatedEnvironment,
  flags: Readonly<Record<string, string>> = {},
): Promise<Replica> {
  const { controllerKubeconfig: kubeconfig } = env.cluster;
  return env.start({
    flags: {
      ...OPEN_PATHS,
      "--authentication-kubeconfig": kubeconfig,
      "--authorization-kubeconfig": kubeconfig,
      ...flags,
    },
  });
}

async function checksOf(replica: Replica): Promise<string[]> {
  const body = (await replica.ask("/healthz?verbose"))?.body ?? "";
  return [...body.matchAll(/^\[\+\](\S+) ok/gm)].map((match) => match[1] ?? "");
}

/** Returns the number of the process's TCP sockets in the state LISTEN; 0 if the system does not report them. */
function listeningSockets(pid: number): number {
  const descriptors = `/proc/${pid}/fd`;
  if (!existsSync(descriptors)) return 0;
  const inodes = new Set(readdirSync(descriptors).map((name) => inodeOf(`${descriptors}/${name}`)));
  const tables = ["tcp", "tcp6"].map((name) => readFileSync(`/proc/${pid}/net/${name}`, "utf8"));
  const rows = tables.flatMap((table) => table.trim().split("\n").slice(1));
  return rows.filter((row) => {
    const fields = row.trim().split(/\s+/);
    return fields[3] === LISTEN && inodes.has(fields[9]);
  }).length;
}

/** Linux's number for that state. */
const LISTEN = "0A";

function inodeOf(descriptor: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(descriptor))?.[1];
  } catch {
    return undefined;
  }
}
