import { changeTitle } from "@cloudwright/core/model/change-words";
import type { Intent } from "@cloudwright/core/model/intent";
import { cause } from "@cloudwright/core/model/sentence";
import { connect, type Database } from "@cloudwright/store/database";
import { actorByEmail } from "@cloudwright/store/people/actor";
import { refusalOfAdoption, waitingAdoptions } from "@cloudwright/store/queries/takeover";
import { LOCAL_ADMIN } from "@cloudwright/store/sign-in";
import type { WaitingAdoption } from "@cloudwright/store/takeover-views";
import type { Command } from "commander";
import { type AdoptContext, carryOutAdoption, previewAdoption } from "./adopt/adoption.ts";
import { chosen } from "./adopt/choose.ts";
import { askDatabase } from "./database-failure.ts";
import { clusterId } from "./ledger-selection.ts";
import { DATABASE_OPTIONS, type DatabaseFlags, requireDatabaseUrl } from "./local-instance.ts";
import { PlainError } from "./plain-error.ts";
import { print } from "./print.ts";

interface AdoptFlags extends DatabaseFlags {
  readonly all: boolean;
  readonly dryRun: boolean;
  readonly cluster?: string;
  readonly email: string;
  readonly why: string;
}

/**
 * `cloudwright adopt`: gives consent to adopt what has only one proof, or what `--adopt=report` has left alone. It asks the
 * cloud nothing itself: each adoption is an action of the ledger, planned first, audited, and carried out by the leader.
 */
export function addAdoptCommand(root: Command): void {
  root
    .command("adopt")
    .description(
      "adopt load balancers and routes that an earlier manager left, after showing what would change",
    )
    .argument("[names...]", "Services as NAMESPACE/NAME, and Nodes")
    .option("--all", "everything that waits for consent", false)
    .option(
      "--dry-run",
      "show what would be adopted, by which proofs, and what would change; change nothing",
      false,
    )
    .option("--cluster <id or name>", "which cluster; needed when the ledger has several")
    .option("--email <address>", "the admin in whose name it is asked for", LOCAL_ADMIN)
    .option("--why <text>", "the reason on the record", "taking over from the earlier manager")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(adopt);
}

async function adopt(names: readonly string[], flags: AdoptFlags): Promise<void> {
  const db = connect(requireDatabaseUrl(flags), { max: 2 });
  try {
    await askDatabase(adoptChosen(db, names, flags));
  } finally {
    await db.close();
  }
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
    await print("Nothing waits for consent: everything has its owner.\n");
    return;
  }
  const context = { db, cluster, why, actor: await actorByEmail(db, email) };
  const left: string[] = [];
  for (const one of waiting) {
    const problem = await adoptOne(context, one, dryRun);
    if (problem !== undefined) left.push(one.name);
    if (problem !== undefined) await print(`  not adopted: ${problem}\n`);
  }
  const done = waiting.length - left.length;
  await print(
    `${dryRun ? "Would adopt" : "Adopted"} ${done} of ${waiting.length}; nothing ${dryRun ? "was" : "else was"} changed.\n`,
  );
  if (left.length > 0) {
    throw new PlainError(
      `Not adopted: ${left.join(", ")}. Run the same again after mending what is said above.`,
    );
  }
}

/** Why it was not adopted, or could not be; undefined when it was, or would be. */
async function adoptOne(
  context: AdoptContext,
  one: WaitingAdoption,
  isDryRun: boolean,
): Promise<string | undefined> {
  await print(`${one.kind} ${one.name}: ${cause(one.reason)}.\n`);
  const refusal = refusalOfAdoption(one);
  if (refusal !== undefined) return refusal;
  const previewed = await previewAdoption(context, one);
  if (previewed.kind === "unanswered") return previewed.why;
  const { changes, notTaken, planHash } = previewed.plan;
  const refused = notTaken.find(({ reason }) => reason.code === "WishRefused");
  if (refused !== undefined) return cause(refused.reason);
  for (const change of changes) await print(`  ${changeTitle(change)}\n`);
  return isDryRun ? undefined : problemOf(await carryOutAdoption(context, one, planHash));
}

function problemOf({ state, result = "" }: Intent): string | undefined {
  return state === "verified" ? undefined : `the action is ${state}. ${result}`.trim();
}
