import { expect } from "vitest";
import { CLUSTER } from "../../../../packages/store/testing/records.ts";
import { exportRequest } from "../../src/server/exports/export-request.ts";
import { type Browser, type DashboardServer, ORIGIN } from "./dashboard-server.ts";

export interface Asked {
  readonly list: string;
  /** The cluster of the records, unless another one, or none, is given. */
  readonly cluster?: string | undefined;
  readonly format?: string;
  readonly filter?: object | string;
  readonly sort?: string;
}

/** By default, exports as a new viewer, because the number of exports per minute is limited. */
export async function exported(
  server: DashboardServer,
  asked: Asked,
  by?: Browser,
): Promise<Response> {
  const { list, format = "json", filter = {}, sort } = asked;
  const cluster = "cluster" in asked ? asked.cluster : CLUSTER;
  const viewer = by ?? (await server.signedIn("viewer"));
  const params = new URLSearchParams({
    ...{ list, format },
    ...(cluster === undefined ? {} : { cluster }),
    filter: typeof filter === "string" ? filter : JSON.stringify(filter),
    ...(sort === undefined ? {} : { sort }),
  });
  const headers = viewer.headers();
  return exportRequest(new Request(`${ORIGIN}/api/export?${params}`, { headers }));
}

export interface ListFile {
  readonly kind: string;
  readonly list: string;
  readonly cluster?: { readonly id: string; readonly name: string };
  readonly exportedAt: string;
  readonly filter: object;
  readonly order: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
}

export async function fileOf(
  server: DashboardServer,
  asked: Asked,
  by?: Browser,
): Promise<ListFile> {
  const answer = await exported(server, asked, by);
  expect(answer.status).toBe(200);
  return (await answer.json()) as ListFile;
}
