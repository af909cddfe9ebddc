import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { Database } from "../../database/database.ts";
import { openIntentsOf } from "../../intents/intents.ts";
import { objectByName } from "../../sql/object-rows.ts";
import type { ObjectView } from "../../views/object-view.ts";

/**
 * One object of any kind, also when it is gone. `name`: with its namespace, where it has one. Throws OperationError NotFound for
 * one that was never reported.
 */
export async function objectView(
  db: Database,
  { cluster, kind, name }: { readonly cluster: string } & Pick<ObjectRef, "kind" | "name">,
): Promise<ObjectView> {
  const [last = name, namespace] = name.split("/").reverse();
  const [{ row, createdAt, goneAt }, openIntents] = await Promise.all([
    objectByName(db, objectKind(kind), { cluster, name, what: `${kind} ${name}` }),
    openIntentsOf(db, { cluster, kind, name: last, namespace }),
  ]);
  return { row, createdAt, goneAt, openIntents };
}
