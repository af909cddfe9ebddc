import { hasEnded } from "../../harness/controller.ts";
import { always, demand, eventually, same } from "../../harness/wait.ts";
import type { IsolatedEnvironment, Replica } from "../environment/isolated.ts";
import { leaderAmong, leads, leaseOf, leasePath } from "../environment/leading.ts";
import { Skip } from "../environment/scenario.ts";
import type { TakenRightRow, Undo } from "./taken-right.ts";
import { NOBODY, SHORT_MS, SYSTEM, says } from "./taken-right-parts.ts";

const LEASE = { group: "coordination.k8s.io", resource: "leases", ...SYSTEM };
const ELECTS = {
  ...NOBODY,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "4s",
  "--leader-elect-renew-deadline": "3s",
  "--leader-elect-retry-period": "1s",
};
/** A standby that reads the Lease so seldom that whatever it notices sooner it was told. */
const SELDOM = {
  ...NOBODY,
  "--leader-elect": "true",
  "--leader-elect-lease-duration": "40s",
  "--leader-elect-renew-deadline": "30s",
  "--leader-elect-retry-period": "12s",
};

/** The Lease. */
export const ELECTION_RIGHTS: readonly TakenRightRow[] = [
  {
    id: "P-06",
    part: "leader-election",
    verb: "create",
    ...LEASE,
    title: "nobody leads where there is no Lease",
    flags: ELECTS,
    shows: async (env, replica) => {
      await neverLeads(replica);
      same(await leaseOf(env), undefined, "the Lease");
    },
  },
  {
    id: "P-07",
    part: "leader-election",
    verb: "get",
    ...LEASE,
    title: "nobody leads",
    flags: ELECTS,
    shows: (_, replica) => neverLeads(replica),
  },
  {
    id: "P-08",
    part: "leader-election",
    verb: "update",
    ...LEASE,
    title: "whoever made the Lease loses it and ends",
    flags: ELECTS,
    shows: async (_, replica) => same(await replica.ended, 1, "the exit code"),
  },
  {
    id: "P-09",
    part: "leader-election",
    verb: "list",
    ...LEASE,
    title: "a Lease that is released is noticed at the next retry alone (H-10)",
    flags: SELDOM,
    before: startLeader,
    shows: releaseComesLate,
  },
  {
    id: "P-10",
    part: "leader-election",
    verb: "watch",
    ...LEASE,
    title: "it leads by reading the Lease, and says what it was refused",
    flags: ELECTS,
    shows: async (_, replica) => {
      await comesToLead(replica);
      await says(replica, /forbidden.*watch.*leases|watch.*leases.*forbid/i);
    },
  },
];

async function startLeader(env: IsolatedEnvironment): Promise<Undo> {
  const leader = await env.start({ name: "leader", flags: SELDOM });
  await leaderAmong([leader]);
  return () => leader.stop();
}

/** Just after it has read the Lease the leader ends and releases it. */
async function releaseComesLate(
  env: IsolatedEnvironment,
  standby: Replica,
  release: Undo,
): Promise<void> {
  const path = leasePath({ name: env.lease, namespace: "kube-system" });
  const reads = async () => {
    const seen = await env.cluster.requestsOf(env.name);
    if (seen === undefined) throw new Skip("this cluster keeps no record of requests");
    return seen.filter((each) => each.verb === "get" && each.path.split("?")[0] === path).length;
  };
  const before = await eventually(async () => {
    const count = await reads();
    demand(count > 0, "it did not read the Lease yet");
    return count;
  });
  await eventually(async () => demand((await reads()) > before, "it did not read it again"), {
    withinMs: 60_000,
  });
  await release();
  same((await leaseOf(env))?.spec.holderIdentity, "", "the holder of the Lease");
  await always(async () => same(await leads(standby), false, "that the standby leads"), {
    forMs: RELEASE_NOTICED_MS,
  });
  await eventually(async () => same(await leads(standby), true, "that it leads"), {
    withinMs: 60_000,
  });
}

/** Row H-10: a standby that is told of a release leads within so long. */
const RELEASE_NOTICED_MS = 5_000;

async function neverLeads(replica: Replica): Promise<void> {
  await always(async () => same(await leads(replica), false, "that it leads"), {
    forMs: SHORT_MS,
  });
  demand(!hasEnded(replica), "it ended");
}

function comesToLead(replica: Replica): Promise<void> {
  return eventually(async () => same(await leads(replica), true, "that it leads"));
}
