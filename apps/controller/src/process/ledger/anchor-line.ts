import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import {
  type AuditCheckpoint,
  auditCheckpointSchema,
} from "@cloudwright/core/model/audit/audit-checkpoint";
import { z } from "zod";

/** What one line of an anchor binds: the heads of a cluster's audit chains and, through `before`, all previous lines. */
export interface AnchorLine {
  /** The cluster's id, which is the name of its chain. */
  readonly cluster: string;
  readonly checkpoint: AuditCheckpoint;
}

export const FIRST_BEFORE = "0".repeat(64);

const payloadSchema = z.object({
  kind: z.literal("cloudwright-audit-anchor"),
  version: z.literal(1),
  cluster: z.string(),
  checkpoint: auditCheckpointSchema,
  /** SHA-256 of the previous line, as hex. */
  before: z.string(),
});

/** Returns a line without its newline: the payload as JSON, a tab, and the Ed25519 signature of the payload's bytes in Base64. */
export function anchorLine(
  { cluster, checkpoint }: AnchorLine,
  { before, key }: { readonly before: string; readonly key: KeyObject },
): string {
  const payload = JSON.stringify({
    kind: "cloudwright-audit-anchor",
    version: 1,
    cluster,
    checkpoint,
    before,
  });
  return `${payload}\t${sign(null, Buffer.from(payload), key).toString("base64")}`;
}

/** Reads a line; returns undefined if it was not signed with that key or does not follow the previous line. */
export function readAnchorLine(
  line: string,
  { before, key }: { readonly before?: string; readonly key: KeyObject },
): AnchorLine | undefined {
  const [payload = "", signature = ""] = line.split("\t");
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  if (!verify(null, Buffer.from(payload), publicKey, Buffer.from(signature, "base64"))) {
    return undefined;
  }
  const { data } = payloadSchema.safeParse(JSON.parse(payload));
  if (data === undefined || (before !== undefined && data.before !== before)) return undefined;
  return { cluster: data.cluster, checkpoint: data.checkpoint };
}

export function hashOfLine(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}
