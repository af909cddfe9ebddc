import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { systemClock } from "@cloudwright/core/kube/system-clock";
import { verifyChain } from "@cloudwright/store/audit/verify-chain";
import { verifyExport } from "@cloudwright/store/audit/verify-export";
import { listChains } from "@cloudwright/store/sql/chains";
import type { ChainVerification, CheckpointCopy, KnownHead } from "@cloudwright/store/views/chains";
import { PlainError } from "../../plain-error.ts";
import { anchoredHeads, anchorPath } from "../../process/ledger/anchor-file.ts";
import { verifyingKey } from "../../process/ledger/anchor-key.ts";
import { withLedger } from "../ledger/ledger-selection.ts";
import { type DatabaseFlags, requireDatabaseUrl } from "../ledger/local-instance.ts";
import { type ClusterCheckpoint, clusterCheckpoint } from "./cluster-checkpoint.ts";
import { chainOf } from "./filter-flags.ts";

export interface VerifyFlags extends DatabaseFlags {
  readonly cluster?: string;
  readonly file?: string;
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly checkpoint?: Pick<KnownHead, "seq" | "hash">;
  readonly anchor?: string;
  readonly anchorKey?: string;
}

/** The records kept outside the database that the options name. */
interface Kept {
  readonly cluster: ClusterCheckpoint | undefined;
  readonly anchor: ReadonlyMap<string, readonly KnownHead[]>;
}

/** Verifies each chain that the options select, or an export. Throws PlainError if something cannot be verified. */
export async function verifyChains(flags: VerifyFlags): Promise<readonly ChainVerification[]> {
  const { kubeconfig, namespace, file } = flags;
  if (file !== undefined && flags.cluster !== undefined) {
    throw new PlainError(
      "--cluster cannot be combined with --file: an export names its own chain.",
    );
  }
  const kept: Kept = {
    cluster: kubeconfig === undefined ? undefined : await clusterCheckpoint(kubeconfig, namespace),
    anchor: await anchorOf(flags),
  };
  if (file !== undefined) return [await verifyFile(file, flags, kept)];
  return verifyDatabase(flags, kept);
}

/** Parses `NUMBER:HASH`, as somebody has noted it down. */
export function parseCheckpoint(text: string): Pick<KnownHead, "seq" | "hash"> {
  const found = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text);
  if (found === null) {
    throw new PlainError(
      `--checkpoint is "${text}": give the number of an entry, a colon and its hash of 64 digits.`,
    );
  }
  return { seq: Number(found[1]), hash: found[2] ?? "" };
}

function verifyDatabase(flags: VerifyFlags, kept: Kept): Promise<readonly ChainVerification[]> {
  return withLedger(requireDatabaseUrl(flags), async (db) => {
    const all = flags.cluster === undefined && flags.checkpoint === undefined;
    const chains = all
      ? new Set([
          ...(await listChains(db.pool)),
          ...(kept.cluster?.heads.keys() ?? []),
          ...kept.anchor.keys(),
        ])
      : [await chainOf(db, flags.cluster)];
    const found: ChainVerification[] = [];
    for (const chain of chains) {
      const read = chain === kept.cluster?.cluster ? kept.cluster : undefined;
      found.push(await verifyChain(db.pool, { chain, known: knownOf(chain, flags, kept), read }));
    }
    return found;
  });
}

async function verifyFile(
  file: string,
  flags: VerifyFlags,
  kept: Kept,
): Promise<ChainVerification> {
  const input = createReadStream(file, "utf8");
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  try {
    // The export may be of any chain: a checkpoint of another chain has another hash.
    return await verifyExport(lines, (chain) => knownOf(chain, flags, kept));
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
    if (error.code === "ENOENT") {
      throw new PlainError(`There is no file ${file}.`, { cause: error });
    }
    throw new PlainError(
      `--file cannot be read (${error.message}): name a file that you may read.`,
      {
        cause: error,
      },
    );
  } finally {
    lines.close();
    input.destroy();
  }
}

function knownOf(chain: string, { checkpoint }: VerifyFlags, kept: Kept): readonly KnownHead[] {
  const inCluster = kept.cluster?.heads.get(chain);
  return [
    ...(kept.anchor.get(chain) ?? []),
    ...(inCluster === undefined ? [] : [inCluster]),
    ...(checkpoint === undefined
      ? []
      : [
          {
            ...checkpoint,
            at: systemClock.now(),
            place: "given by --checkpoint",
            copy: "given" as const,
          },
        ]),
  ];
}

async function anchorOf({ anchor, anchorKey }: VerifyFlags): Promise<Kept["anchor"]> {
  if (anchor === undefined) {
    if (anchorKey === undefined) return new Map();
    throw withoutTheOther();
  }
  if (anchorKey === undefined) throw withoutTheOther();
  return await anchoredHeads(anchorPath("--anchor", anchor), verifyingKey(anchorKey));
}

function withoutTheOther(): PlainError {
  return new PlainError("Give --anchor and --anchor-key together: the key shows who signed.");
}

export const BROKEN_ADVICE =
  "Leave the database as it is, keep a copy of it, and compare these entries with a backup or an export from before.";

/** Formats the result for one chain for a terminal. */
export function verifyReport(found: ChainVerification): string {
  const { chain, intact, breaks, breakCount } = found;
  const unnamed = breakCount - breaks.length;
  return [
    `${intact ? "INTACT" : "BROKEN"}  ${chain}: ${found.sentence}`,
    ...(breakCount > 1 ? breaks.map(({ sentence }) => `  broken   ${sentence}`) : []),
    ...(unnamed > 0 ? [`  broken   and ${unnamed} more places`] : []),
    ...(intact ? [] : provenLines(found)),
    ...checkpointLines(found),
    ...(found.head === undefined ? [] : [`  head     ${found.head.seq}:${found.head.hash}`]),
  ].join("\n");
}

function provenLines({ proven }: ChainVerification): readonly string[] {
  if (proven.length === 0) return ["  proven   nothing"];
  return proven.map(({ from, to, bound }) => {
    const which = from === to ? `entry ${from} is` : `entries ${from} to ${to} are`;
    const how = bound
      ? "as written, confirmed by the entries after it"
      : "unchanged in themselves, but not yet confirmed by later entries";
    return `  proven   ${which} ${how}`;
  });
}

function checkpointLines(found: ChainVerification): readonly string[] {
  const { checkpoints, anchoredTo, notAnchored, head } = found;
  const lines = checkpoints.map(({ copy, seq, place, matches, at }) => {
    const verdict = matches ? "holds" : "does not hold";
    const where = `${COPIES[copy]}${place}`;
    return `  checkpoint at ${seq} of ${new Date(at).toISOString()} (${where}): ${verdict}`;
  });
  if (head === undefined) return lines;
  return [...lines, `  anchored up to entry ${anchoredTo}; not yet anchored: ${notAnchored}`];
}

/** The names of the checkpoint copies to compare with. */
const COPIES: Record<CheckpointCopy, string> = {
  configMap: "",
  anchor: "anchor ",
  given: "",
  database: "the database's own copy of ",
};
