import {
  ACTION_KINDS,
  type ActionKind,
  actionsOn,
  carrierOf,
  isOwnWork,
  openerOf,
} from "@cloudwright/core/model/actions/action";
import type { IntentKind } from "@cloudwright/core/model/actions/intent";
import {
  type ControllerName,
  canonicalControllerName,
  controllerOf,
  speakerFor,
} from "@cloudwright/core/model/controller-names";
import { t, worded } from "@cloudwright/core/model/language/text";
import type { ObjectRef } from "@cloudwright/core/model/object-ref";
import type { ControllerInstanceView } from "@cloudwright/store/views/clusters";
import type { FoundObject } from "@cloudwright/store/views/find";
import {
  type ActionChoice,
  controllerAction,
  guardRelease,
  orphanRemoval,
} from "../../actions/action-choice.ts";
import { dialogTitle } from "../../actions/action-kinds.ts";
import { pauseObstacle } from "../../controls/pause-buttons.tsx";
import { kindWord } from "../../wording/kind-words.ts";

/** An action that a text begins to request, and the object that it names. */
export interface TypedAction {
  readonly kind: ActionKind | "dry-run";
  /** The label that opens its dialog elsewhere, without the ellipsis. */
  readonly words: string;
  /** Empty if no object is named yet. */
  readonly rest: string;
  /** Whether the text has a full phrase of it: `retry` for `Retry now`, but not `re`. */
  readonly isWhole: boolean;
}

/** Returns the defined actions that a text may mean, by the words of their labels or their kinds. */
export function typedActions(text: string): readonly TypedAction[] {
  const typed = text.trimStart().toLowerCase();
  if (typed.trim() === "") return [];
  const kinds = ACTION_KINDS.map((kind) => [kind, openerOf(kind).replace("…", "")] as const);
  return [...kinds, ["dry-run", t`Dry run`] as const].flatMap(([kind, words]) => {
    const read = bestOf(phrasesOf(kind, words), typed);
    return read === undefined ? [] : [{ kind, words, ...read }];
  });
}

/** Longest first: `retry now w-1` does not name an object `now w-1`. */
function phrasesOf(kind: string, words: string): readonly string[] {
  const lower = words.toLowerCase();
  const [verb = lower] = lower.split(" ");
  const short = kind === "dry-run" ? [] : [verb];
  return [...new Set([lower, kind.replaceAll("-", " "), kind, ...short])].toSorted(
    (left, right) => right.length - left.length,
  );
}

function bestOf(
  phrases: readonly string[],
  typed: string,
): Pick<TypedAction, "rest" | "isWhole"> | undefined {
  for (const phrase of phrases) {
    if (typed.trimEnd() === phrase) return { rest: "", isWhole: true };
    if (typed.startsWith(`${phrase} `)) {
      return { rest: typed.slice(phrase.length + 1).trim(), isWhole: true };
    }
  }
  const begins = phrases.some((phrase) => phrase.startsWith(typed.trimEnd()));
  return begins ? { rest: "", isWhole: false } : undefined;
}

/** One action that the palette offers. */
export interface ActionEntry {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** The kind that determines the required role. */
  readonly asks: IntentKind;
  /** A reason that applies to everybody. */
  readonly obstacle?: string | undefined;
  /** Opens the dialog; undefined for an entry that only completes the text. */
  readonly choice?: ActionChoice;
  /** The text that the search then contains. */
  readonly completes?: string;
}

export interface ActionsInput {
  readonly cluster: string;
  readonly typed: readonly TypedAction[];
  /** What the rest of the text was found to mean. */
  readonly objects: readonly FoundObject[];
  /** Undefined if there is no leader or it is not known. */
  readonly leader: ControllerInstanceView | undefined;
}

/** Returns the actions for the typed text: on running controllers, found objects, and held deletions. */
export function actionEntries(input: ActionsInput): readonly ActionEntry[] {
  return input.typed.flatMap((typed) => {
    if (typed.kind === "pause" || typed.kind === "resume")
      return ofControllers(typed.kind, typed, input);
    const entries = [...ofGuard(typed, input), ...ofObjects(typed, input)];
    return entries.length === 0 && typed.rest === "" ? completion(typed, input) : entries;
  });
}

function ofControllers(
  kind: "pause" | "resume",
  { rest }: TypedAction,
  { cluster, leader }: ActionsInput,
): readonly ActionEntry[] {
  if (leader === undefined) return [];
  const obstacle = pauseObstacle(leader);
  return leader.controllers
    .filter(({ name, paused }) => isNamed(name, rest) && (kind === "pause" || paused !== undefined))
    .map(({ name, paused }) => {
      const choice = {
        ...controllerAction(cluster, name, kind),
        isExtension: kind === "pause" && paused !== undefined,
      };
      return { ...entryOf(choice), description: controllerOf(name).label, obstacle };
    });
}

/** Matches a part of the name or label, or one of upstream's aliases. */
function isNamed(name: string, text: string): boolean {
  if (canonicalControllerName(text) === name) return true;
  return [name, controllerOf(name).label].some((word) => word.toLowerCase().includes(text));
}

function ofGuard(
  { kind, rest }: TypedAction,
  { cluster, leader }: ActionsInput,
): readonly ActionEntry[] {
  const held = leader?.controls?.guard?.held ?? [];
  if (kind !== "release-guard" || rest !== "" || leader === undefined || held.length === 0)
    return [];
  const entry = entryOf(guardRelease(cluster, held));
  return [
    { ...entry, description: t`Held by the deletion guard`, obstacle: pauseObstacle(leader) },
  ];
}

function ofObjects({ kind, rest }: TypedAction, input: ActionsInput): readonly ActionEntry[] {
  if (rest === "") return [];
  return input.objects
    .filter(({ state }) => state !== "gone")
    .flatMap((object) => {
      const choice = choiceFor(kind, object, input);
      if (choice === undefined) return [];
      const { providerID, address } = object;
      return [{ ...entryOf(choice), description: providerID ?? address ?? "" }];
    });
}

/** Undefined for actions that do not apply to this kind of object, or that need more than the object's name. */
function choiceFor(
  kind: TypedAction["kind"],
  object: FoundObject,
  input: ActionsInput,
): ActionChoice | undefined {
  const { cluster, leader } = input;
  if (kind === "dry-run") {
    const retry = choiceFor("retry", object, input);
    return retry === undefined ? undefined : { ...retry, isDryRun: true };
  }
  // It has no object in the cluster, so its name is the cloud's id.
  if (object.kind === "LoadBalancer") {
    return kind === "remove-orphan" ? orphanRemoval(cluster, object.name) : undefined;
  }
  const controller = carrierAt(kind, object.kind, leader);
  if (controller === undefined) return undefined;
  const choice = { cluster, kind, controller, object: refOf(object) };
  return object.kind === "Node" && isOwnWork({ kind }) ? { ...choice, scope: "object" } : choice;
}

/**
 * Returns the controller that does it to objects of this kind, as its module declares on the leader; undefined if none does with only a
 * name.
 */
function carrierAt(
  kind: ActionKind,
  of: string,
  leader: ControllerInstanceView | undefined,
): ControllerName | undefined {
  const speaker = SPEAKERS[of];
  const name = speaker === undefined ? undefined : carrierOf(kind, of, speaker);
  if (name === undefined) return undefined;
  const running = leader?.controllers.find((controller) => controller.name === name);
  const offered = actionsOn({ name, actions: running?.actions }, of);
  return offered.some((each) => each === kind) ? name : undefined;
}

/** The controller whose report counts for each kind that the search finds and an action applies to. */
const SPEAKERS: Readonly<Record<string, ControllerName>> = {
  Node: speakerFor("Node"),
  Service: speakerFor("Service"),
  PersistentVolume: speakerFor("PersistentVolume"),
  Route: speakerFor("Route"),
};

function refOf({ kind, name, uid }: FoundObject): ObjectRef {
  const [namespace, ...rest] = name.split("/");
  return kind === "Service" ? { kind, namespace, name: rest.join("/"), uid } : { kind, name, uid };
}

/** Completes the text up to the object's name; nothing if the palette cannot name such an object. */
const ONE_OF: Readonly<Record<string, string>> = worded({
  Node: () => t`a node`,
  Service: () => t`a Service`,
  PersistentVolume: () => t`a volume`,
  Route: () => t`a route`,
  LoadBalancer: () => t`a load balancer`,
});

function completion(
  { kind, words }: TypedAction,
  { leader }: ActionsInput,
): readonly ActionEntry[] {
  const kinds = Object.keys(SPEAKERS).filter(
    (of) => carrierAt(kind === "dry-run" ? "retry" : kind, of, leader) !== undefined,
  );
  const orphans = kind === "remove-orphan" ? ["LoadBalancer"] : [];
  const named = [...kinds, ...orphans].map((of) => ONE_OF[of] ?? kindWord(of));
  if (named.length === 0) return [];
  return [
    {
      ...{ id: kind, label: `${words}…`, asks: kind === "dry-run" ? "preview" : kind },
      description: t`Then type the name of ${anyOf(named)}`,
      completes: `${words.toLowerCase()} `,
    },
  ];
}

/** `a node, a Service or a volume`. */
function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : t`${words.slice(0, -1).join(", ")} or ${last}`;
}

function entryOf(choice: ActionChoice): Omit<ActionEntry, "description"> {
  const { object, isDryRun, kind } = choice;
  return {
    id: `${isDryRun === true ? "dry-run" : kind} ${object.kind} ${object.namespace ?? ""}/${object.name}`,
    label: dialogTitle(choice),
    asks: isDryRun === true ? "preview" : kind,
    choice,
  };
}
