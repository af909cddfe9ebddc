import { allBalancers, CLUSTER_TAG, SERVICE_UID_TAG } from "../../harness/balancers.ts";
import { runCloudwright } from "../../harness/processes.ts";
import { demand, eventually, messageOf, same } from "../../harness/wait.ts";
import type { Scenario } from "../environment/scenario.ts";
import { onStage, type Stage } from "../environment/stage.ts";
import { recorded } from "../environment/told.ts";
import {
  CREATED,
  condition,
  leadsTo,
  machine,
  NOT_CREATED,
  noRouteTo,
  register,
} from "../route/objects.ts";
import { told } from "../service/evidence.ts";
import { deleteService, key, serviceGone, untilReady } from "../service/objects.ts";
import { leftByUpstream } from "./made-by-upstream.ts";
import { startRoutes, unmarkedRoute } from "./routes.ts";
import { onlyBalancer, start, staysUntouched, untilAdopted } from "./services.ts";

export const ADMIN = "takeover@example.org";

/** Rows T-12 to T-15: what has one proof is adopted by consent: on the command line, and without a ledger by a flag. */
export const TAKEOVER_BY_CONSENT: readonly Scenario[] = [
  onStage(
    "T-12",
    "cloudwright adopt shows a plan, and adopts what waits through the leader; it is on the record, and a second time there is nothing to do",
    async (stage) => {
      const left = await leftByUpstream(stage, stage.name, { isPublished: false });
      await start(stage);
      await untilReady(stage, stage.name, "False");
      const shown = await adopts(stage, ["--all", "--dry-run"]);
      for (const part of [key(stage.name), left.balancer.id, "Adopt load balancer"])
        demand(shown.includes(part), `the plan does not say ${part}: ${shown}`);
      await staysUntouched(stage, left);
      await adopts(stage, [key(stage.name), "--why", "INC-13"]);
      await untilAdopted(stage, left.balancer);
      await told(stage, stage.name, ["AdoptedLoadBalancer", "INC-13"]);
      await eventually(async () => {
        const audit = await runCloudwright([
          "audit",
          ...whereIs(stage),
          "--action",
          "balancer.adopt",
        ]);
        demand(audit.includes("INC-13"), `the audit does not tell: ${audit}`);
      });
      const again = await adopts(stage, ["--all"]);
      demand(again.includes("Nothing waits for consent"), `there is more to do: ${again}`);
    },
  ),

  onStage(
    "T-13",
    "a deleted Service whose load balancer waits is adopted, loses it, and goes; what is another cluster's is refused",
    async (stage) => {
      const left = await leftByUpstream(stage, stage.name, { name: "by-hand" });
      const other = await leftByUpstream(stage, `${stage.name}-other`, { tags: FOREIGN });
      await deleteService(stage, stage.name);
      await deleteService(stage, `${stage.name}-other`);
      await start(stage);
      for (const name of [stage.name, `${stage.name}-other`])
        await untilReady(stage, name, "False");
      const refused = await adopts(stage, ["--all"]).then(
        () => "nothing was refused",
        (error: unknown) => messageOf(error),
      );
      demand(refused.includes(`Not adopted: ${key(`${stage.name}-other`)}`), refused);
      await serviceGone(stage, stage.name);
      const kept = await allBalancers(stage.cloud);
      same(
        kept.map(({ id }) => id),
        [other.balancer.id],
        `what is left beside ${left.balancer.id}`,
      );
    },
  ),

  onStage("T-14", "routes with one proof are adopted one by one", async (stage) => {
    const [first, theirs] = [await machine(stage, "t-14-a"), await machine(stage, "t-14-x")];
    await unmarkedRoute(stage, "10.120.220.0/24", theirs);
    await unmarkedRoute(stage, "10.120.229.0/24", first);
    await register(stage, first, { podCIDRs: ["10.120.220.0/24"] });
    await startRoutes(stage);
    await condition(stage, "t-14-a", NOT_CREATED);
    await recorded(stage, "t-14-a", { code: "RouteUnowned", cidr: "10.120.220.0/24" });
    await adopts(stage, ["t-14-a"]);
    await leadsTo(stage, "10.120.220.0/24", first);
    await condition(stage, "t-14-a", CREATED);
    await recorded(stage, "t-14-a", { code: "RouteUnowned", cidr: "10.120.229.0/24" });
    await eventually(async () => void (await adopts(stage, ["t-14-a"])));
    await noRouteTo(stage, "10.120.229.0/24");
  }),

  onStage(
    "T-15",
    "without a ledger --adopt-consent names what may be adopted, and nothing else is",
    async (stage) => {
      const left = await leftByUpstream(stage, stage.name, { isPublished: false });
      const consent = (id: string) => ({ "--adopt-consent": `${key(stage.name)}=${id}` });
      const wrong = await start(stage, { flags: consent("lb-0000000000000000") });
      await untilReady(stage, stage.name, "False");
      await staysUntouched(stage, left);
      await wrong.stop();
      await start(stage, { name: "b", flags: consent(left.balancer.id) });
      await untilAdopted(stage, left.balancer);
      same((await onlyBalancer(stage)).address, left.balancer.address, "the address");
    },
  ),
];

const FOREIGN = {
  [CLUSTER_TAG]: "4e5b0000-0000-4000-8000-000000000000",
  [SERVICE_UID_TAG]: "4e5b0000-0000-4000-8000-000000000001",
};

export function whereIs({ databaseUrl }: Stage): readonly string[] {
  return ["--database-url", databaseUrl ?? ""];
}

/** `cloudwright adopt` on the group's ledger, in an admin's name; answers what it prints. */
export async function adopts(stage: Stage, args: readonly string[]): Promise<string> {
  const where = whereIs(stage);
  await runCloudwright(["sign-in-link", ...where, "--email", ADMIN, "--role", "admin"]);
  return runCloudwright(["adopt", ...where, "--email", ADMIN, ...args]);
}
