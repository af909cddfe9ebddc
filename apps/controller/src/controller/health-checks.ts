import { heldCount } from "@cloudwright/core/model/controls";
import type { FlagValues } from "../flags/definitions/all.ts";
import type { HealthCheck } from "../http/health.ts";
import type { ProcessState } from "./process-state.ts";

/** How much older than the lease a leader's last renewal may be (spec/00 §7). */
const TOLERANCE_MS = 20_000;

/** `/healthz` and `/livez`: the election, each started controller, and the ledger, which never makes us unhealthy. */
export function healthChecks(flags: FlagValues, state: ProcessState): readonly HealthCheck[] {
  return [
    ...(flags["leader-elect"] ? [electionCheck(flags, state)] : []),
    ...(state.leading?.checks() ?? []),
    controlsCheck(state),
    permissionsCheck(state),
    ledgerCheck(state),
  ];
}

/** `/readyz`: a standby with warm caches is ready; a verbose answer tells what it is. */
export function readinessChecks(flags: FlagValues, state: ProcessState): readonly HealthCheck[] {
  return [
    {
      name: "informers",
      check: () => unsynced(state),
    },
    { name: "leadership", check: () => undefined, note: () => leadershipNote(flags, state) },
    ledgerCheck(state),
  ];
}

function unsynced({ mirrors }: ProcessState): string | undefined {
  if (mirrors?.nodes.hasSynced !== true) {
    return "the nodes were not listed from the API server yet";
  }
  return mirrors.services?.hasSynced === false
    ? "the services were not listed from the API server yet"
    : undefined;
}

function electionCheck(flags: FlagValues, state: ProcessState): HealthCheck {
  const limitMs = flags["leader-elect-lease-duration"] + TOLERANCE_MS;
  return {
    name: "leaderElection",
    check: () => {
      const ageMs = state.election?.renewalAgeMs();
      if (ageMs === undefined || ageMs <= limitMs) return undefined;
      return `the Lease was last renewed ${Math.round(ageMs / 1_000)} s ago`;
    },
  };
}

/** Never unhealthy: the controllers work on without the record, and what it says is somebody's will. */
function controlsCheck(state: ProcessState): HealthCheck {
  return { name: "controls", check: () => undefined, note: () => controlsNote(state) };
}

function controlsNote({ leading }: ProcessState): string {
  const controls = leading?.controls();
  if (controls === undefined) return "not leading";
  const { unavailable, pauses, guard } = controls;
  if (unavailable !== undefined) return `degraded: ${unavailable}`;
  const held = guard === undefined ? "deletion guard off" : `${heldCount(guard)} deletions held`;
  return `${pauses.length} controllers paused, ${held}`;
}

/** Never unhealthy: a restart grants nothing. */
function permissionsCheck(state: ProcessState): HealthCheck {
  return {
    name: "permissions",
    check: () => undefined,
    note: () => state.permissions?.note() ?? "not checked yet",
  };
}

function ledgerCheck(state: ProcessState): HealthCheck {
  return {
    name: "ledger",
    check: () => undefined,
    note: () => state.ledger?.status().note ?? "not opened yet",
  };
}

function leadershipNote(flags: FlagValues, state: ProcessState): string {
  if (state.leading !== undefined) return flags["leader-elect"] ? "leader" : "no election";
  const leader = state.election?.leader ?? "";
  return leader === "" ? "standby, nobody leads" : `standby, ${leader} leads`;
}
