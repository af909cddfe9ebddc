import { insertAuditEntry } from "@cloudwright/store/audit-insert";
import { clientOf } from "./client.ts";
import { ledger } from "./ledger.ts";
import { log } from "./log.ts";
import { processWide } from "./process-wide.ts";
import { rateLimiter } from "./rate-limit.ts";
import type { SignedIn } from "./viewer.ts";

export interface RefusedRequest {
  readonly headers: Headers;
  /** Which change was asked for, such as `intents.request`. */
  readonly path: string;
  readonly why: string;
  /** Undefined when nobody is signed in. */
  readonly signedIn: SignedIn | undefined;
}

/**
 * Writes down that a change was refused before anybody looked at what it asks for. Nobody can fill the ledger with these: of
 * one address there are 60 a minute and of all 120; how many were left out is in the next entry.
 */
export async function recordRefusedRequest(refused: RefusedRequest): Promise<void> {
  const limits = processWide("refused-requests", createLimits);
  const client = clientOf(refused.headers);
  const now = Date.now();
  if (!limits.ofAddress.allow(client.address, now) || !limits.ofAll.allow("all", now)) {
    limits.leftOut += 1;
    log.warn("A refused request is not on the record, because there are too many", {
      path: refused.path,
      address: client.address,
    });
    return;
  }
  const leftOut = limits.leftOut;
  limits.leftOut = 0;
  await insertAuditEntry(ledger().prisma, {
    actor: actorOf(refused.signedIn),
    action: "account.refused",
    why: refused.why,
    result: "refused",
    before: null,
    after: {
      request: refused.path,
      ...(leftOut === 0 ? {} : { refusedBeforeUnrecorded: leftOut }),
    },
    client,
    proof: refused.signedIn?.proof,
  });
}

function createLimits() {
  return {
    ofAddress: rateLimiter({ attempts: 60, withinMs: 60_000 }),
    ofAll: rateLimiter({ attempts: 120, withinMs: 60_000 }),
    leftOut: 0,
  };
}

function actorOf(signedIn: SignedIn | undefined) {
  return signedIn === undefined
    ? ({ kind: "system", id: "nobody", name: "Nobody signed in" } as const)
    : ({ kind: "person", id: signedIn.viewer.id, name: signedIn.viewer.name } as const);
}
