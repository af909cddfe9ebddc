import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import { type IsolatedEnvironment, isolatedRows, type Replica } from "../environment/isolated.ts";
import type { Scenario } from "../environment/scenario.ts";
import { scripted } from "../environment/scripted-provider.ts";
import { notReported, statusWrites, warnedOf } from "./evidence.ts";
import {
  annotate,
  createService,
  deleteService,
  editSpec,
  HTTP,
  ingressOf,
  seenService,
  served,
  serviceGone,
  untilService,
} from "./objects.ts";

interface Write {
  readonly action: string;
  readonly service: string;
  readonly spec?: { readonly listeners: readonly string[] };
}

/** Rows about clouds with other properties than the sandbox's (spec/90 §0.1), with the scripted provider. */
export const SCRIPTED_LOAD_BALANCERS: readonly Scenario[] = isolatedRows({
  "S-07 an SCTP port is asked for as SCTP where the cloud has it": async (env) => {
    const { writes } = await start(env, {});
    const spec = { ports: [{ name: "media", protocol: "SCTP", port: 5_000 }] };
    await createService(env, "s-07-sctp", { spec });
    same(ingressOf(await served(env, "s-07-sctp"))[0]?.ip, "9.9.9.9", "where it is reached");
    same(writes()[0]?.spec?.listeners, ["5000/SCTP"], "the listeners");
    await deleteService(env, "s-07-sctp");
    await serviceGone(env, "s-07-sctp");
    same(
      writes().map(({ action }) => action),
      ["create", "delete"],
      "what was written",
    );
  },
  "S-71 of a provider that leaves ipMode out no ensure writes the status again": async (env) => {
    await start(env, { ingress: [{ ip: "9.9.9.71" }] });
    await createService(env, "s-71-scripted");
    await served(env, "s-71-scripted");
    const version = seenService(env, "s-71-scripted").metadata.resourceVersion;
    for (const value of ["one", "two", "three"])
      await annotate(env, "s-71-scripted", { "example.com/round": value });
    await always(() => notReported(env, "s-71-scripted", "SyncLoadBalancerFailed"), {
      forMs: 4_000,
    });
    const now = seenService(env, "s-71-scripted");
    same(ingressOf(now), [{ ip: "9.9.9.71", ipMode: "VIP" }], "where it is reached");
    demand(now.metadata.resourceVersion !== version, "the annotations were not taken");
    const count = await statusWrites(env, "s-71-scripted");
    demand(count === undefined || count === 1, `${count} writes of the status`);
  },
  "B-52 a change that the provider reads is looked at, however short a time ago the cloud was looked at":
    async (env) => {
      const ingressFile = join(env.dir, "ingress.json");
      const moveTo = (ip: string) => writeFileSync(ingressFile, JSON.stringify([{ ip }]));
      moveTo("9.9.52.1");
      await start(env, { ingressFile });
      await createService(env, "b-52");
      await reachedAt(env, "b-52", "9.9.52.1");
      moveTo("9.9.52.2");
      await annotate(env, "b-52", { "scripted.example/read": "two" });
      await reachedAt(env, "b-52", "9.9.52.2");
      moveTo("9.9.52.3");
      await editSpec(env, "b-52", { ports: [{ ...HTTP, port: 81 }] });
      await reachedAt(env, "b-52", "9.9.52.3");
    },
  "B-54 a Service without node ports is served by a provider that reaches pods, and refused with the cause by another":
    async (env) => {
      const spec = { allocateLoadBalancerNodePorts: false, ports: [HTTP] };
      const first = await start(env, {});
      await createService(env, "b-54", { spec });
      await warnedOf(env, "b-54", [
        "SyncLoadBalancerFailed",
        "port 80/TCP",
        "allocateLoadBalancerNodePorts is false",
      ]);
      same(first.writes(), [], "what was written");
      await first.controller.stop();

      const { writes } = await start(env, { podTargets: true, name: "pods" });
      await served(env, "b-54");
      same(writes()[0]?.spec?.listeners, ["80/TCP to pods at 8080"], "the listeners");
      await editSpec(env, "b-54", { ports: [{ ...HTTP, targetPort: "web" }] });
      await eventually(() =>
        same(writes().at(-1)?.spec?.listeners, ["80/TCP to pods at web"], "the listeners"),
      );
      await editSpec(env, "b-54", { allocateLoadBalancerNodePorts: true, ports: [HTTP] });
      await eventually(() =>
        same(writes().at(-1)?.spec?.listeners, ["80/TCP"], "the listeners of node ports"),
      );
    },
});

/** Far less than a drift period, so that the update must come from the change. */
function reachedAt(env: IsolatedEnvironment, name: string, ip: string): Promise<unknown> {
  return untilService(env, name, {
    withinMs: 4_000,
    check: (service) => same(ingressOf(service)[0]?.ip, ip, "where it is reached"),
  });
}

interface Started {
  readonly controller: Replica;
  /** Returns what the provider was asked to write so far. */
  readonly writes: () => readonly Write[];
}

interface Script extends Readonly<Record<string, unknown>> {
  /** Identifies the controller within a row; the row's name by default. */
  readonly name?: string;
}

async function start(
  env: IsolatedEnvironment,
  { name = env.name, ...script }: Script,
): Promise<Started> {
  const journal = join(env.dir, `${name}-balancers.jsonl`);
  writeFileSync(journal, "");
  const flags = scripted(env, name, { offers: ["loadBalancers"], journal, ...script });
  const controller = await env.start({
    name,
    flags: { ...flags, "--controllers": "service-lb-controller", "--leader-elect": "false" },
  });
  const writes = () =>
    readFileSync(journal, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Write);
  return { controller, writes };
}
