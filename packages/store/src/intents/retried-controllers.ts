import type { ControllerName } from "@cloudwright/core/model/controller-names";
import { controllersToRetry } from "@cloudwright/core/model/controllers-to-retry";
import { objectKind } from "@cloudwright/core/model/kinds/kinds";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import type { Database } from "../database/database.ts";
import { named, readExpected, readObjects } from "../sql/states.ts";
import { expectedOf } from "../states/expected-controllers.ts";
import { expectedParts, shownPart } from "../states/shown-part.ts";

/**
 * Whose loops a retry of this object is for, by what each of its controllers last said, or has not said yet. What the lists show
 * of it is among them. Empty for an object that the ledger does not know.
 */
export async function retriedControllers(
  { pool }: Pick<Database, "pool">,
  { cluster, object }: { readonly cluster: string; readonly object: ObjectRef },
): Promise<readonly ControllerName[]> {
  const name = objectName(object);
  const which = named(objectKind(object.kind).table, { kinds: [object.kind], names: [name] });
  const [projection] = await readObjects(pool, cluster, which);
  if (projection === undefined) return [];
  const expected = expectedOf(await readExpected(pool, cluster), projection);
  const shown = shownPart(projection, expected);
  return controllersToRetry([
    ...expectedParts(projection, expected),
    ...(shown === undefined ? [] : [shown]),
  ]);
}
