import { balancerDetailSchema } from "@cloudwright/core/model/balancer-record";
import type { BalancerView } from "../balancer-views.ts";
import type { Database } from "../database.ts";
import { OperationError } from "../errors.ts";
import { BALANCER_COLUMNS, balancerRow, type StoredBalancer } from "./balancers.ts";
import { openIntentsOf } from "./intents.ts";
import { readJson, readTime } from "./stored-json.ts";

export interface BalancerDetailInput {
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

/** One Service and its balancer, also when it is gone. Throws OperationError NotFound for one that was never reported. */
export async function balancerDetail(
  db: Database,
  { cluster, namespace, name }: BalancerDetailInput,
): Promise<BalancerView> {
  const [stored, openIntents] = await Promise.all([
    readService(db, cluster, `${namespace}/${name}`),
    openIntentsOf(db, { cluster, kind: "Service", namespace, name }),
  ]);
  if (stored === undefined) {
    throw new OperationError(
      "NotFound",
      `No controller has reported a load balancer for a Service ${namespace}/${name} here.`,
    );
  }
  return {
    row: balancerRow(stored),
    createdAt: readTime(stored.created_at),
    goneAt: readTime(stored.gone_at),
    detail: readJson(balancerDetailSchema, stored.detail, undefined),
    openIntents,
  };
}

interface StoredBalancerDetail extends StoredBalancer {
  readonly created_at: Date | null;
  readonly gone_at: Date | null;
  readonly detail: unknown;
}

async function readService(
  db: Database,
  cluster: string,
  name: string,
): Promise<StoredBalancerDetail | undefined> {
  const result = await db.pool.query<StoredBalancerDetail>(
    `SELECT ${BALANCER_COLUMNS}, created_at, gone_at, detail
       FROM object_states WHERE cluster_id = $1 AND kind = 'Service' AND name = $2`,
    [cluster, name],
  );
  return result.rows[0];
}
