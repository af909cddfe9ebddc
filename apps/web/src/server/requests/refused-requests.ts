import { insertRefusal } from "@cloudwright/store/audit/audit-insert";
import { ledger } from "../ledger.ts";
import type { SignedIn } from "../sign-in/viewer.ts";
import { clientOf } from "./client.ts";

export interface RefusedRequest {
  readonly headers: Headers;
  /** The requested change, such as `intents.request`. */
  readonly path: string;
  readonly why: string;
  /** Undefined if nobody is signed in. */
  readonly signedIn: SignedIn | undefined;
}

/** Records that a change was refused before its input was read; one entry covers many identical refusals. */
export async function recordRefusedRequest(refused: RefusedRequest): Promise<void> {
  await insertRefusal(ledger(), {
    actor: actorOf(refused.signedIn),
    action: "account.refused",
    why: refused.why,
    result: "refused",
    before: null,
    after: { request: refused.path },
    client: clientOf(refused.headers),
    proof: refused.signedIn?.proof,
  });
}

function actorOf(signedIn: SignedIn | undefined) {
  return signedIn === undefined
    ? ({ kind: "system", id: "nobody", name: "Nobody signed in" } as const)
    : ({ kind: "person", id: signedIn.viewer.id, name: signedIn.viewer.name } as const);
}
