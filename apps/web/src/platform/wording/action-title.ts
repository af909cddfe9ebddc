import { type Action, isOwnWork, namedLoops, titleOf } from "@cloudwright/core/model/action";
import {
  type ControllerName,
  canonicalControllerName,
  controllerOf,
} from "@cloudwright/core/model/controller-names";
import type { Intent } from "@cloudwright/core/model/intent";
import { t } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { kindWord } from "./kind-words.ts";

/** `Retry node w-9`, `Pause Node lifecycle`, `Preview of: Hold node w-9`. */
export function actionTitle(intent: Pick<Intent, "kind" | "action" | "object" | "controller">) {
  const { kind, action, object, controller } = intent;
  const named = namedLoops(action) === undefined ? controller : undefined;
  const title = titleOfAction(action, object, named);
  return kind === "preview" ? t`Preview of: ${title}` : title;
}

/** `named`: the controller whose loop alone a retry is for. */
export function titleOfAction(action: Action, object: ObjectRef, named?: ControllerName): string {
  return titleOf(action, `${isOwnWork(action) ? partOf(object, named) : ""}${thing(object)}`);
}

/** `routes of `: several loops work on a node, and one of anything else. */
function partOf({ kind }: ObjectRef, controller: ControllerName | undefined): string {
  if (kind !== "Node" || controller === undefined) return "";
  const { label } = controllerOf(controller);
  return t`${label.charAt(0).toLowerCase()}${label.slice(1)} of `;
}

/** `node w-9`, `Service shop/web`, or the label of a controller. */
export function thing(object: ObjectRef): string {
  const controller =
    object.kind === "Controller" ? canonicalControllerName(object.name) : undefined;
  return controller === undefined
    ? `${kindWord(object.kind)} ${objectName(object)}`
    : controllerOf(controller).label;
}

export function countOf(count: number, what: string): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? what : `${what}s`}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  return before.length === 0 ? last : t`${before.join(", ")} and ${last}`;
}
