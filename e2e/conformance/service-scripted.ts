import { readFileSync } from "node:fs";
import { join } from "node:path";
import { always, demand, same } from "../harness/wait.ts";
import type { Scenario } from "./scenario.ts";
import { scripted } from "./scripted-provider.ts";
import { notTold, statusWrites } from "./service-evidence.ts";
import {
  annotate,
  createService,
  deleteService,
  ingressOf,
  seenService,
  served,
  serviceGone,
} from "./service-objects.ts";
import { onStage, type Stage } from "./stage.ts";

interface Write {
  readonly action: string;
  readonly service: string;
  readonly spec?: { readonly listeners: readonly string[] };
}

/** What rows say of clouds that the sandbox's is not (spec/90 §0.1): with the scripted provider. */
export const SCRIPTED_BALANCERS: readonly Scenario[] = [
  onStage("S-07", "an SCTP port is asked for as SCTP where the cloud has it", async (stage) => {
    const writes = await start(stage, {});
    const spec = { ports: [{ name: "media", protocol: "SCTP", port: 5_000 }] };
    await createService(stage, "s-07-sctp", { spec });
    same(ingressOf(await served(stage, "s-07-sctp"))[0]?.ip, "9.9.9.9", "where it is reached");
    same(writes()[0]?.spec?.listeners, ["5000/SCTP"], "the listeners");
    await deleteService(stage, "s-07-sctp");
    await serviceGone(stage, "s-07-sctp");
    same(
      writes().map(({ action }) => action),
      ["create", "delete"],
      "what was written",
    );
  }),

  onStage(
    "S-71",
    "of a provider that leaves ipMode out no ensure writes the status again",
    async (stage) => {
      await start(stage, { ingress: [{ ip: "9.9.9.71" }] });
      await createService(stage, "s-71-scripted");
      await served(stage, "s-71-scripted");
      const version = seenService(stage, "s-71-scripted").metadata.resourceVersion;
      for (const value of ["one", "two", "three"])
        await annotate(stage, "s-71-scripted", { "example.com/round": value });
      await always(() => notTold(stage, "s-71-scripted", "SyncLoadBalancerFailed"), {
        forMs: 4_000,
      });
      const now = seenService(stage, "s-71-scripted");
      same(ingressOf(now), [{ ip: "9.9.9.71", ipMode: "VIP" }], "where it is reached");
      demand(now.metadata.resourceVersion !== version, "the annotations were not taken");
      const count = await statusWrites(stage, "s-71-scripted");
      demand(count === undefined || count === 1, `${count} writes of the status`);
    },
  ),
];

/** Answers what the provider was asked to write so far. */
async function start(stage: Stage, script: object): Promise<() => readonly Write[]> {
  const journal = join(stage.dir, "balancers.jsonl");
  const flags = scripted(stage, stage.name, { offers: ["loadBalancers"], journal, ...script });
  await stage.start({
    flags: { ...flags, "--controllers": "service-lb-controller", "--leader-elect": "false" },
  });
  return () =>
    readFileSync(journal, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Write);
}
