import type { Election } from "@cloudwright/core/kube/lease/election";
import { heldCount } from "@cloudwright/core/model/controls";
import type { ServedTls } from "../../http/follow-tls.ts";
import type { HealthCheck } from "../../http/pages.ts";
import { isIdentified } from "../../wiring/cluster/cluster-identity.ts";
import type { ProcessContext } from "../../wiring/process-context.ts";
import type { ProcessState } from "../process-state.ts";

/** How far past the Lease's duration a leader's last renewal may be (spec/00 §7). */
const TOLERANCE_MS = 20_000;

type Settings = Pick<ProcessContext, "flags" | "migration">;

/** `/healthz`: what a restart may fix, and a cloud that refuses every call. */
export function healthChecks(settings: Settings, state: ProcessState): readonly HealthCheck[] {
  return [...livenessChecks(settings, state), cloudCheck(state)];
}

/**
 * `/livez`: each election, each started controller, and the ledger, which never fails. It does not cover a cloud that refuses
 * every call: a restarted process would not know the cloud's limit and would request everything at once.
 */
export function livenessChecks(settings: Settings, state: ProcessState): readonly HealthCheck[] {
  return [
    ...electionChecks(settings, state),
    ...(state.leading?.checks() ?? []),
    controlsCheck(state),
    permissionsCheck(state),
    ...sourceChecks(state),
    ...identityChecks(state),
    ...certificateChecks(state),
    ledgerCheck(state),
  ];
}

/** `/readyz`: a standby with synced caches is ready, a controller that hangs is not; a verbose answer says which it is. */
export function readinessChecks({ flags }: Settings, state: ProcessState): readonly HealthCheck[] {
  return [
    { name: "informers", check: () => unsynced(state) },
    noted("leadership", () => leadershipNote(flags, state)),
    ...(state.leading?.checks() ?? []),
    ...sourceChecks(state),
    ledgerCheck(state),
  ];
}

/** A check that never fails and only adds a note. */
function noted(name: string, note: () => string): HealthCheck {
  return { name, check: () => undefined, note };
}

function unsynced({ informers }: ProcessState): string | undefined {
  if (informers?.nodes.hasSynced !== true) {
    return "the nodes were not listed from the API server yet";
  }
  const missing = informers.caches.all().find(({ cache }) => !cache.hasSynced);
  return missing && `the ${missing.plural} were not listed from the API server yet`;
}

/** One check for each Lease, as each can be lost separately (OW-8). */
function electionChecks({ flags, migration }: Settings, state: ProcessState): HealthCheck[] {
  if (!flags["leader-elect"]) return [];
  const limitMs = flags["leader-elect-lease-duration"] + TOLERANCE_MS;
  const main: HealthCheck = {
    name: "leaderElection",
    check: () => renewalProblem(state.election, limitMs),
  };
  if (migration === undefined || flags["dry-run"]) return [main];
  const second: HealthCheck = {
    name: "leaderMigration",
    check: () => renewalProblem(state.migration, limitMs),
    note: () => migrationNote(migration.leaderName, state.migration),
  };
  return [main, second];
}

/** A standby has nothing to renew. */
function renewalProblem(election: Election | undefined, limitMs: number): string | undefined {
  const ageMs = election?.renewalAgeMs();
  if (ageMs === undefined || ageMs <= limitMs) return undefined;
  return `the Lease was last renewed ${Math.round(ageMs / 1_000)} s ago`;
}

function migrationNote(lease: string, election: Election | undefined): string {
  if (election === undefined)
    return `does not compete for the Lease ${lease} until the main one is held`;
  if (election.isLeader()) return `holds the Lease ${lease}`;
  const { leader } = election;
  return `waits for the Lease ${lease}${leader === "" ? "" : `, which ${leader} holds`}`;
}

/** Fails once the cloud has refused every call for longer than `--max-retry-after`. */
function cloudCheck({ cloudBudget }: ProcessState): HealthCheck {
  return { name: "cloud", check: () => closedProblem(cloudBudget?.snapshot().closedSince) };
}

function closedProblem(since: number | undefined): string | undefined {
  if (since === undefined) return undefined;
  return `the cloud has refused every call with 429 since ${new Date(since).toISOString()}; one call is tried after each wait`;
}

/** Never fails: the controllers work without the record, and its content is a user's decision. */
function controlsCheck(state: ProcessState): HealthCheck {
  return noted("controls", () => controlsNote(state));
}

function controlsNote({ leading }: ProcessState): string {
  const controls = leading?.controls();
  if (controls === undefined) return "not leading";
  const { unavailable, pauses, guard } = controls;
  if (unavailable !== undefined) return `degraded: ${unavailable}`;
  const held = guard === undefined ? "deletion guard off" : `${heldCount(guard)} deletions held`;
  return `${pauses.length} controllers paused, ${held}`;
}

/** Never fails: a restart grants no rights. */
function permissionsCheck(state: ProcessState): HealthCheck {
  return noted("permissions", () => state.permissions?.note() ?? "not checked yet");
}

/** Never fails: the provider's process is restarted and a sidecar has probes of its own; restarting ours would help neither. */
function sourceChecks({ providerSource }: ProcessState): HealthCheck[] {
  if (providerSource === undefined) return [];
  const note = () => {
    const { isUp, sentence } = providerSource.status();
    return isUp ? sentence : `degraded: ${sentence}`;
  };
  return [noted("cloud-provider-process", note)];
}

/** Never fails: nodes are served without it. */
function identityChecks({ clusterUid }: ProcessState): HealthCheck[] {
  if (clusterUid === undefined || isIdentified(clusterUid)) return [];
  const note =
    "degraded: get of the namespace kube-system is not granted, so there are no load balancers, no routes and no ledger";
  return [noted("cluster-identity", () => note)];
}

/** Never fails: the last pair stays in use, and a restart would find the same files. */
function certificateChecks({ certificates }: ProcessState): HealthCheck[] {
  return certificates.map((certificate) =>
    noted(`certificate-${certificate.server}`, () => certificateNote(certificate)),
  );
}

function certificateNote({ expiresAt, problem }: ServedTls): string {
  const until = `good until ${new Date(expiresAt()).toISOString()}`;
  const what = problem();
  return what === undefined ? until : `degraded, the last one is shown, ${until}: ${what}`;
}

function ledgerCheck(state: ProcessState): HealthCheck {
  return noted("ledger", () => state.ledger?.status().note ?? "not opened yet");
}

function leadershipNote(flags: Settings["flags"], state: ProcessState): string {
  if (state.leading !== undefined) return flags["leader-elect"] ? "leader" : "no election";
  const leader = state.election?.leader ?? "";
  return leader === "" ? "standby, nobody leads" : `standby, ${leader} leads`;
}
