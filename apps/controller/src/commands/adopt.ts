import { BATCH_MOST } from "@cloudwright/core/model/actions/intent";
import { changeTitle } from "@cloudwright/core/model/audit/change-messages";
import { refusalOfAdoption } from "@cloudwright/core/model/reasons/adoption-refusal";
import { cause } from "@cloudwright/core/model/sentence";
import type { Database } from "@cloudwright/store/database/database";
import { waitingAdoptions } from "@cloudwright/store/queries/adoption/takeover";
import { clusterHealth } from "@cloudwright/store/queries/overview/health";
import { LOCAL_ADMIN } from "@cloudwright/store/users/sign-in";
import { actorByEmail } from "@cloudwright/store/users/user";
import type { ClusterHealth } from "@cloudwright/store/views/health";
import type { WaitingAdoption } from "@cloudwright/store/views/takeover";
import type { Command } from "commander";
import { why } from "../flags/kinds.ts";
import { PlainError } from "../plain-error.ts";
import {
  type AdoptContext,
  carryOutAdoptions,
  type Ended,
  type Previewed,
  previewAdoptions,
} from "./adopt/adoption.ts";
import { clusterId, withLedger } from "./ledger/ledger-selection.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { option } from "./terminal/options.ts";
import { print } from "./terminal/print.ts";

interface AdoptFlags extends DatabaseFlags {
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly cluster?: string;
  readonly email: string;
  readonly why: string;
}

/**
 * `cloudwright adopt`: consents to adopting resources that have only one proof of ownership, or that `--adopt=report` has left
 * alone. It sends no request to the cloud: each adoption is an action in the ledger, planned first, audited, and carried out by
 * the leader. They are requested in batches, so that a thousand take a minute or two instead of a quarter of an hour.
 */
export function addAdoptCommand(root: Command): void {
  root
    .command("adopt")
    .description(
      "adopt load balancers and routes that an earlier manager left, after showing what would change",
    )
    .argument("[names...]", "Services as NAMESPACE/NAME, and Nodes")
    .option("--all", "everything that is waiting for consent", false)
    .option(
      "--dry-run",
      "show what would be adopted, on which proofs, and what would change, but change nothing",
      false,
    )
    .option("--cluster <id or name>", "the cluster; required if the ledger has several")
    .option("--email <address>", "the admin on whose behalf it is requested", LOCAL_ADMIN)
    .option(
      "--why <text>",
      "the reason to record",
      option(why),
      "taking over from the earlier manager",
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(adopt);
}

function adopt(names: readonly string[], flags: AdoptFlags): Promise<void> {
  return withLedger(requireDatabaseUrl(flags), (db) => adoptChosen(db, names, flags));
}

async function adoptChosen(
  db: Database,
  names: readonly string[],
  flags: AdoptFlags,
): Promise<void> {
  const { all, dryRun, why, email } = flags;
  const cluster = await clusterId(db, flags.cluster);
  const waiting = chosen(await waitingAdoptions(db, cluster), { all, names });
  if (waiting.length === 0) {
    const { coverage } = await clusterHealth(db.pool, { cluster, now: Date.now() });
    return print(nothingWaits(coverage));
  }
  const context = { db, cluster, why, actor: await actorByEmail(db, email) };
  const left: string[] = [];
  for (let from = 0; from < waiting.length; from += BATCH_MOST) {
    const batch = waiting.slice(from, from + BATCH_MOST);
    left.push(...(await adoptBatch(context, batch, dryRun)));
  }
  const done = waiting.length - left.length;
  await print(
    `${dryRun ? "Would adopt" : "Adopted"} ${done} of ${waiting.length}; nothing ${dryRun ? "was" : "else was"} changed.\n`,
  );
  if (left.length > 0) {
    throw new PlainError(
      `Not adopted: ${left.join(", ")}. Fix the problems listed above, then run the same command again.`,
    );
  }
}

/** Adopts one batch; returns the names of those that were not or could not be adopted. */
async function adoptBatch(
  context: AdoptContext,
  batch: readonly WaitingAdoption[],
  isDryRun: boolean,
): Promise<readonly string[]> {
  const allowed = batch.filter(({ reason }) => refusalOfAdoption(reason) === undefined);
  const previews = await previewAdoptions(context, allowed);
  const planned = new Map<WaitingAdoption, string>();
  const problems = new Map<WaitingAdoption, string>();
  for (const one of batch) {
    const previewed = previews.get(one);
    const problem = refusalOfAdoption(one.reason) ?? problemOfPreview(previewed);
    if (problem !== undefined) problems.set(one, problem);
    else if (previewed?.kind === "planned") planned.set(one, previewed.plan.planHash);
    await printPlan(one, { previewed, problem });
  }
  const ends = isDryRun ? new Map<never, Ended>() : await carryOutAdoptions(context, planned);
  for (const [one, end] of ends) {
    const problem = problemOfEnd(end);
    if (problem === undefined) continue;
    problems.set(one, problem);
    await print(`${one.kind} ${one.name} was not adopted: ${problem}\n`);
  }
  return [...problems.keys()].map(({ name }) => name);
}

interface Shown {
  readonly previewed: Previewed | undefined;
  readonly problem: string | undefined;
}

async function printPlan(
  { kind, name, reason }: WaitingAdoption,
  { previewed, problem }: Shown,
): Promise<void> {
  await print(`${kind} ${name}: ${cause(reason)}.\n`);
  if (problem !== undefined) return print(`  not adopted: ${problem}\n`);
  const changes = previewed?.kind === "planned" ? previewed.plan.changes : [];
  for (const change of changes) await print(`  ${changeTitle(change)}\n`);
}

function problemOfPreview(previewed: Previewed | undefined): string | undefined {
  if (previewed?.kind === "unanswered") return previewed.why;
  const refused = previewed?.plan.notTaken.find(({ reason }) => reason.code === "WishRefused");
  return refused === undefined ? undefined : cause(refused.reason);
}

function problemOfEnd(end: Ended): string | undefined {
  if (end.kind === "refused") return end.why;
  const { state, result = "" } = end.intent;
  return state === "verified" ? undefined : `the action is ${state}. ${result}`.trim();
}

interface Choice {
  readonly all: boolean;
  /** `namespace/name` for Services, the name for Nodes. */
  readonly names: readonly string[];
}

/**
 * Selects the adoptions that the flags ask for. Throws PlainError if the flags select nothing or contradict each other, and for
 * names that are not waiting for an adoption.
 */
function chosen(
  waiting: readonly WaitingAdoption[],
  { all, names }: Choice,
): readonly WaitingAdoption[] {
  if (all === names.length > 0) {
    throw new PlainError(
      "Name the Services (NAMESPACE/NAME) and Nodes whose load balancers and routes are to be adopted, or give --all.",
    );
  }
  if (all) return waiting;
  const known = new Set(waiting.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new PlainError(
      `Nothing is waiting for consent under ${unknown.join(", ")}: write Services as NAMESPACE/NAME, and see cloudwright adopt --all --dry-run for what is waiting.`,
    );
  }
  return waiting.filter(({ name }) => names.includes(name));
}

/**
 * Returns what `cloudwright adopt` prints if nothing is waiting. A controller that has not observed everything yet cannot be sure
 * of that.
 */
export function nothingWaits({ Node, Service }: ClusterHealth["coverage"]): string {
  const nothing = "Nothing is waiting for consent";
  if (Node.reported >= Node.present && Service.reported >= Service.present)
    return `${nothing}: everything already has an owner.\n`;
  const known = [
    `${Service.reported} of ${Service.present} Services`,
    `${Node.reported} of ${Node.present} Nodes`,
  ].join(" and ");
  return `${nothing} so far, but the controller has reported on only ${known}: run the same command again in a moment.\n`;
}
