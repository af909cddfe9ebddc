import { rowsOf } from "../harness/database.ts";
import type { KubeObject } from "../harness/kube.ts";
import { type ClusterEnvironment, NAMESPACE, RELEASE } from "./environment.ts";

export async function runs(env: ClusterEnvironment): Promise<number> {
  const [row] = await rowsOf<{ count: string }>(await ownerUrl(env), "SELECT count(*) FROM runs");
  return Number(row?.count);
}

/** How many runs changed something for this object. */
export async function changesOf(env: ClusterEnvironment, object: string): Promise<number> {
  const sql = "SELECT count(*) FROM runs WHERE object_name = $1 AND outcome = 'changed'";
  const [row] = await rowsOf<{ count: string }>(await ownerUrl(env), sql, [object]);
  return Number(row?.count);
}

export async function migrations(env: ClusterEnvironment): Promise<readonly string[]> {
  const sql = 'SELECT migration_name AS name FROM "_prisma_migrations" ORDER BY started_at';
  return (await rowsOf<{ name: string }>(await ownerUrl(env), sql)).map(({ name }) => name);
}

export async function ownerUrl(env: ClusterEnvironment): Promise<string> {
  const password = await secretOf(env, `${RELEASE}-database`, "owner");
  const path = `/api/v1/namespaces/${NAMESPACE}/services/${RELEASE}-database`;
  const { spec } = await env.kube.get<KubeObject & { spec: { clusterIP: string } }>(path);
  return `postgresql://cloudwright:${password}@${spec.clusterIP}:5432/cloudwright`;
}

export async function secretOf(
  { kube }: ClusterEnvironment,
  name: string,
  key = "auth-secret",
): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/secrets/${name}`;
  const { data } = await kube.get<KubeObject & { data: Record<string, string> }>(path);
  return Buffer.from(data[key] ?? "", "base64").toString("utf8");
}
