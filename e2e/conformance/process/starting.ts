import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Flags, hasEnded } from "../../harness/controller.ts";
import { demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import { createNode, initialised } from "../environment/objects.ts";
import { rows, type Scenario, type SharedEnvironment } from "../environment/scenario.ts";
import { scripted } from "../environment/scripted-provider.ts";

export const NODE_LOOPS = ["cloud-node-controller", "cloud-node-lifecycle-controller"];

/** Rows H-08, H-09, H-17 to H-19, H-21 and H-22: what does not start, and says why. */
export const REFUSED_STARTS: readonly Scenario[] = [
  refused("H-08", "a resource lock of another kind", {
    flags: { "--leader-elect-resource-lock": "endpoints" },
    says: ["--leader-elect-resource-lock", "endpoints"],
  }),
  refused("H-09", "a renew deadline that is not shorter than the lease", {
    flags: { "--leader-elect-renew-deadline": "15s" },
    says: ["--leader-elect-renew-deadline", "--leader-elect-lease-duration"],
  }),
  refused("H-17", "a controller that there is not", {
    flags: { "--controllers": "foo" },
    says: ["--controllers", "foo"],
  }),
  refused("H-18", "no cloud provider", {
    flags: { "--cloud-provider": undefined },
    says: ["--cloud-provider is not set"],
  }),
  ...rows({
    "H-19 an unknown provider, one that fails to begin and a missing config end with a clear message":
      async (env) => {
        const unknown = await env.startsAndEnds({ "--cloud-provider": "nope" });
        endsWith(unknown, { code: 255, says: ["Unknown cloud provider nope"] });
        const absent = join(env.dir, "absent.yaml");
        const missing = await env.startsAndEnds({ "--cloud-config": absent });
        endsWith(missing, { code: 1, says: ["--cloud-config cannot be read", absent] });
        const sentence = "the quota of this project is zero";
        const flags = scripted(env, "h-19", { initialize: sentence });
        const broken = await env.startsAndEnds({
          ...flags,
          "--leader-elect": "false",
          "--secure-port": "0",
          "--spool-dir": join(env.dir, "h-19-spool"),
        });
        endsWith(broken, { code: 255, says: [sentence] });
      },
    "H-21 a word that is no flag ends with 1": async (env) => {
      const ending = await env.startsAndEnds({}, ["stray"]);
      endsWith(ending, { code: 1, says: ["stray"] });
    },
  }),
  refused("H-22", "one port for both servers", {
    flags: { "--secure-port": "10260", "--webhook-secure-port": "10260" },
    says: ["--secure-port", "--webhook-secure-port"],
  }),
];

/** Rows H-20 and H-24: what runs with a cloud that lacks something. */
export const LACKING_CLOUDS: readonly Scenario[] = isolatedRows({
  "H-20 a config without a cluster is refused, or accepted with a warning": async (env) => {
    const { endpoint, token } = env.cloud.ready;
    const config = join(env.dir, "untagged.yaml");
    writeFileSync(config, `endpoint: ${endpoint}\ntoken: ${token}\n`);
    const untagged = { cloudConfig: config };
    const refusal = await env.launch({ ...untagged, name: "a" });
    same(await refusal.ended, 255, "the exit code");
    demand(refusal.output().includes("--allow-untagged-cloud"), `it says ${refusal.output()}`);
    const flags = { "--allow-untagged-cloud": "true", "--leader-elect": "false" };
    const replica = await env.start({ ...untagged, name: "b", flags });
    await runs(replica, [...NODE_LOOPS, "service-lb-controller"]);
    demand(
      replica
        .output()
        .split("\n")
        .some((line) => /WARN.*names no cluster/.test(line)),
      `no warning: ${replica.output()}`,
    );
  },
  "H-24 of a provider with instances alone the node loops run, and others are skipped": async (
    env,
  ) => {
    const flags = {
      ...scripted(env, "h-24", { offers: ["instances"], knows: "h-24" }),
      "--leader-elect": "false",
    };
    const replica = await env.start({ name: "a", flags });
    await runs(replica, NODE_LOOPS);
    await createNode(env, "h-24");
    const node = await initialised(env, "h-24");
    same(node.spec.providerID, "scripted://h-24", "the provider ID");
    const nothing = await env.start({
      name: "b",
      flags: { ...scripted(env, "h-24-b", { offers: [] }), "--leader-elect": "false" },
    });
    // None runs at the beginning either, so it has decided only once it has logged a reason for each.
    for (const name of NODE_LOOPS) {
      await eventually(() =>
        demand(
          nothing
            .output()
            .split("\n")
            .some((line) => line.includes("Not started") && line.includes(name)),
          `it does not say that ${name} is skipped`,
        ),
      );
    }
    await runs(nothing, []);
  },
});

export function startNow(env: IsolatedEnvironment, flags: Flags, name = "a"): Promise<Replica> {
  return env.start({ name, flags: { ...flags, "--leader-elect": "false" } });
}

/** Checks health and metrics; controllers start one after the other. */
export async function runs(replica: Replica, wanted: readonly string[]): Promise<void> {
  await eventually(async () => {
    const health = (await replica.ask("/healthz?verbose"))?.body ?? "";
    const names = [...health.matchAll(/^\[\+\](\S+-controller) ok/gm)].map(
      (match) => match[1] ?? "",
    );
    same(inOrder(names), wanted, "the controllers that run");
    const metrics = (await replica.ask("/metrics"))?.body ?? "";
    const gauges = [...metrics.matchAll(/^running_managed_controllers\{.*name="([^"]+)".*\} 1$/gm)];
    const running = gauges.map((match) => `${match[1]}-controller`);
    same(inOrder(running), inOrder(wanted.map(gaugeOf)), "the gauges");
  });
  demand(!hasEnded(replica), "it ended");
}

/** Upstream's gauge has other names for some loops (spec/00 §3). */
function gaugeOf(name: string): string {
  return GAUGES.get(name) ?? name;
}

const GAUGES: ReadonlyMap<string, string> = new Map([
  ["service-lb-controller", "service-controller"],
  ["node-route-controller", "route-controller"],
  ["node-ipam-controller", "nodeipam-controller"],
]);

function inOrder(names: readonly string[]): string[] {
  return [...names].sort((left, right) => (left < right ? -1 : 1));
}

interface Refused {
  readonly flags: Flags;
  readonly says: readonly string[];
}

function refused(id: string, what: string, { flags, says }: Refused): Scenario {
  return {
    id,
    title: `${what} ends with 1 and a message that names it`,
    run: async (env) => endsWith(await env.startsAndEnds(flags), { code: 1, says }),
  };
}

interface Expected {
  readonly code: number;
  readonly says: readonly string[];
}

/** Expects one sentence per problem, and no stack. */
export function endsWith(
  ending: Awaited<ReturnType<SharedEnvironment["startsAndEnds"]>>,
  { code, says }: Expected,
): void {
  same(ending.code, code, `the exit code (${ending.output})`);
  for (const text of says)
    demand(ending.output.includes(text), `it does not say "${text}": ${ending.output}`);
  demand(!/^\s+at /m.test(ending.output), `it shows a stack: ${ending.output}`);
}
