import { systemClock } from "@cloudwright/core/kube/system-clock";
import { exportEntries } from "@cloudwright/store/audit/export-audit";
import { EXPORT_FORMATS, type ExportFormat } from "@cloudwright/store/exports/file-pieces";
import type { Command } from "commander";
import { int, oneOf } from "../flags/kinds.ts";
import { PlainError } from "../plain-error.ts";
import {
  type AuditFilterFlags,
  addFilterOptions,
  auditFilter,
  CLUSTER_OPTION,
  chainOf,
  type EntriesFlags,
  selectEntries,
} from "./audit/filter-flags.ts";
import { ENTRY_PRINTERS } from "./audit/print-entries.ts";
import {
  BROKEN_ADVICE,
  parseCheckpoint,
  type VerifyFlags,
  verifyChains,
  verifyReport,
} from "./audit/verify-chains.ts";
import { askDatabase } from "./ledger/database-failure.ts";
import { withLedger } from "./ledger/ledger-selection.ts";
import {
  DATABASE_OPTIONS,
  type DatabaseFlags,
  requireDatabaseUrl,
} from "./ledger/local-instance.ts";
import { option } from "./terminal/options.ts";
import { OUTPUTS, type Output, print, printRows } from "./terminal/print.ts";

/** `cloudwright audit`, `audit verify` and `audit export`: show who did what, and check that the record is complete and unchanged. */
export function addAuditCommand(root: Command): void {
  const audit = root
    .command("audit")
    .description("print the audit entries, newest first")
    .enablePositionalOptions()
    .option(...CLUSTER_OPTION);
  addFilterOptions(audit)
    .option("--limit <n>", "maximum number", option(int(1)), 50)
    .option("-o, --output <format>", OUTPUTS.join(", "), option(oneOf(OUTPUTS)), "table")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printEntries);
  addVerifyCommand(audit);
  addExportCommand(audit);
}

const REPORTS = ["table", "json"] as const;
type Report = (typeof REPORTS)[number];

function addVerifyCommand(audit: Command): void {
  audit
    .command("verify")
    .description("check that no entry was changed, removed or moved; exits with 2 if one was")
    .option(
      "--cluster <id or name>",
      "only the chain of this cluster; accounts: the chain of user accounts",
    )
    .option("--kubeconfig <file>", "compare with the checkpoint that the cluster keeps")
    .option(
      "--namespace <name>",
      "the namespace in which it keeps the checkpoint: the namespace of the election",
      "kube-system",
    )
    .option(
      "--checkpoint <number:hash>",
      "compare with a checkpoint that you have noted",
      parseCheckpoint,
    )
    .option("--anchor <file:///path>", "compare with every line of a signed anchor")
    .option("--anchor-key <file>", "the public key of the anchor, in PEM")
    .option("--file <export>", "check a JSON export instead; needs no database")
    .option("-o, --output <format>", REPORTS.join(", "), option(oneOf(REPORTS)), "table")
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printVerification);
}

function addExportCommand(audit: Command): void {
  const command = audit
    .command("export")
    .description("export these entries, oldest first, with their hashes")
    .option(...CLUSTER_OPTION);
  addFilterOptions(command)
    .requiredOption(
      "-o, --output <format>",
      `${EXPORT_FORMATS.join(", ")}; the latter can be verified without the database`,
      option(oneOf(EXPORT_FORMATS)),
    )
    .option(...DATABASE_OPTIONS.url)
    .option(...DATABASE_OPTIONS.data)
    .action(printExport);
}

function printEntries(
  flags: EntriesFlags & DatabaseFlags & { readonly output: Output },
): Promise<void> {
  return withLedger(requireDatabaseUrl(flags), (db) =>
    printRows(ENTRY_PRINTERS[flags.output], selectEntries(db, flags)),
  );
}

async function printVerification(flags: VerifyFlags & { readonly output: Report }): Promise<void> {
  const found = await askDatabase(verifyChains(flags));
  const text =
    flags.output === "json" ? JSON.stringify(found, null, 2) : found.map(verifyReport).join("\n");
  await print(`${text === "" ? "There are no audit entries yet." : text}\n`);
  const broken = found.filter(({ intact }) => !intact);
  if (broken.length === 0) return;
  const which = broken.map(({ chain }) => chain).join(", ");
  throw new PlainError(`The audit log is broken (${which}). ${BROKEN_ADVICE}`, { exitCode: 2 });
}

interface ExportFlags extends AuditFilterFlags, DatabaseFlags {
  readonly cluster?: string;
  readonly output: ExportFormat;
}

function printExport(flags: ExportFlags): Promise<void> {
  return withLedger(requireDatabaseUrl(flags), async (db) => {
    const filter = auditFilter(flags, systemClock.now());
    const chain = await chainOf(db, flags.cluster);
    const { pieces } = await exportEntries(db.pool, { chain, filter, format: flags.output });
    for await (const piece of pieces) await print(piece);
  });
}
