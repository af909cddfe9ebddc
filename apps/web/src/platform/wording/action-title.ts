import {
  type Action,
  isOwnWork,
  namedLoops,
  titleOf,
} from "@cloudwright/core/model/actions/action";
import { type Intent, isReadable, type ListedIntent } from "@cloudwright/core/model/actions/intent";
import {
  type ControllerName,
  canonicalControllerName,
  controllerOf,
} from "@cloudwright/core/model/controller-names";
import { type Counted, countOf, listed } from "@cloudwright/core/model/language/counts";
import { t } from "@cloudwright/core/model/language/text";
import { type ObjectRef, objectName } from "@cloudwright/core/model/object-ref";
import { kindWord } from "./kind-words.ts";

export { type Counted, countOf, listed };

/** `Retry node w-9`, `Pause Node lifecycle`, `Preview of: Hold node w-9`. */
export function actionTitle(intent: Pick<Intent, "kind" | "action" | "object" | "controller">) {
  const { kind, action, object, controller } = intent;
  const named = namedLoops(action) === undefined ? controller : undefined;
  const title = titleOfAction(action, object, named);
  return kind === "preview" ? t`Preview of: ${title}` : title;
}

/** The same for an action that may be unreadable: then only its kind says what was requested. */
export function listedTitle(intent: ListedIntent): string {
  return isReadable(intent)
    ? actionTitle(intent)
    : t`Action “${intent.kind}” on ${thing(intent.object)}`;
}

/** `named` is the controller, if a retry covers only its loop. */
export function titleOfAction(action: Action, object: ObjectRef, named?: ControllerName): string {
  return titleOf(action, isOwnWork(action) ? partOf(object, named) : thing(object));
}

/** Returns `routes of node w-9`: a node has several loops, anything else has one. */
function partOf(object: ObjectRef, controller: ControllerName | undefined): string {
  if (object.kind !== "Node" || controller === undefined) return thing(object);
  const { label } = controllerOf(controller);
  const part = `${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  return t`${part} of ${kindWord(object.kind)} ${objectName(object)}`;
}

/** `node w-9`, `Service shop/web`, or the label of a controller. */
export function thing(object: ObjectRef): string {
  const controller =
    object.kind === "Controller" ? canonicalControllerName(object.name) : undefined;
  return controller === undefined
    ? `${kindWord(object.kind)} ${objectName(object)}`
    : controllerOf(controller).label;
}
