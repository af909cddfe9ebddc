import { actionSchema } from "@cloudwright/core/model/actions/action";
import { intentSchema, unreadableIntentSchema } from "@cloudwright/core/model/actions/intent";
import { objectRefSchema } from "@cloudwright/core/model/object-ref";
import { changeSchema } from "@cloudwright/core/model/plan";
import { reasonSchema } from "@cloudwright/core/model/reason";
import { nodeFactsSchema } from "@cloudwright/core/model/records/node-record";
import { stepSchema } from "@cloudwright/core/model/run";
import { z } from "zod";

/** The schemas that have a name in the API description; every other schema that contains one refers to it by that name. */
export const NAMED = z.registry<{ readonly id: string }>();

export function named<Schema extends z.core.$ZodType>(id: string, schema: Schema): Schema {
  NAMED.add(schema, { id });
  return schema;
}

named("Reason", reasonSchema);
named("ObjectRef", objectRefSchema);
named("ActionRequest", actionSchema);
named("Action", intentSchema);
named("UnreadableAction", unreadableIntentSchema);
named("Change", changeSchema);
named("Call", stepSchema);
named("NodeFacts", nodeFactsSchema);
