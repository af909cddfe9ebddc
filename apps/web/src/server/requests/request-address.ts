import { randomUUID } from "node:crypto";
import { findAnything } from "@cloudwright/store/queries/overview/find";
import { type ClusterAccess, mayReach } from "@cloudwright/store/users/cluster-access";
import { TRPCError } from "@trpc/server";
import type { AnsweredError } from "../../components/problem.ts";
import { addresses } from "../../components/url/addresses.ts";
import { unlessDatabaseSilent } from "../database-check.ts";
import { toTrpcError } from "../errors.ts";
import { ledger } from "../ledger.ts";
import { findInput } from "../routers/inputs.ts";
import { pageViewer } from "../sign-in/page-viewer.ts";

/** Where the id of a cloud call leads, or why it could not be looked up. */
export type RequestAddress =
  | { readonly kind: "found"; readonly address: string }
  | { readonly kind: "failed"; readonly error: AnsweredError };

interface Sources {
  readonly viewer: () => Promise<
    | { readonly kind: "viewer"; readonly viewer: { readonly clusters: ClusterAccess } }
    | { readonly kind: "unreachable" }
  >;
  readonly find: (input: {
    readonly cluster: string;
    readonly text: string;
  }) => Promise<{ readonly runs: readonly { readonly id: string }[] }>;
}

const SOURCES: Sources = {
  viewer: pageViewer,
  find: (input) => unlessDatabaseSilent(findAnything(ledger(), input)),
};

/** Returns the cloud call in the run that made it, or the list of runs if several share it or none is known any more. */
export async function requestAddress(
  cluster: string,
  id: string,
  { viewer, find }: Sources = SOURCES,
): Promise<RequestAddress> {
  const list = { kind: "found", address: addresses.requestRuns(cluster, id) } as const;
  const requested = await viewer();
  const input = findInput.safeParse({ cluster, text: id });
  if (requested.kind === "unreachable" || !input.success) return list;
  if (!mayReach(requested.viewer.clusters, cluster)) return list;
  try {
    const { runs } = await find(input.data);
    const [only, ...others] = runs;
    if (only === undefined || others.length > 0) return list;
    return { kind: "found", address: addresses.run(cluster, only.id, id) };
  } catch (cause) {
    return { kind: "failed", error: answered(cause) };
  }
}

/** Formats the error as the API would, with the request id to look for in the log. */
function answered(cause: unknown): AnsweredError {
  const requestId = randomUUID().slice(0, 8);
  const thrown = new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause });
  const { message, code } = toTrpcError(thrown, { requestId, path: "requests" });
  return { message, data: { code, requestId } };
}
