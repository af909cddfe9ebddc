import { ACTION_KINDS, type ActionKind, openerOf } from "@cloudwright/core/model/actions/action";
import { INTENT_STATES, type IntentState } from "@cloudwright/core/model/actions/intent";
import {
  choicesParam,
  optionalTextParam,
  textParam,
  urlCodec,
} from "../../components/url/url-codec.ts";
import { some, wanted } from "../../platform/lists/list-view.ts";

export interface ActionsView {
  readonly text: string;
  readonly states: readonly IntentState[];
  readonly verbs: readonly ActionKind[];
  /** Id of the action open beside the list. */
  readonly peek: string | undefined;
}

/** `?q=shop/web&state=failed,expired&verb=hold`. */
export const actionsUrl = urlCodec<ActionsView>({
  text: textParam("q"),
  states: choicesParam("state", INTENT_STATES),
  verbs: choicesParam("verb", ACTION_KINDS),
  peek: optionalTextParam("peek"),
});

/** The view as the server's filter. */
export function actionsFilter({ text, states, verbs }: Omit<ActionsView, "peek">) {
  return {
    acting: true,
    ...{ text: wanted(text), actionStates: some(states), verbs: some(verbs) },
  } as const;
}

export function isFiltered({ text, states, verbs }: ActionsView): boolean {
  return wanted(text) !== undefined || states.length > 0 || verbs.length > 0;
}

export function withoutFilters(view: ActionsView): ActionsView {
  return { ...view, text: "", states: [], verbs: [] };
}

export interface VerbChoice {
  /** The first of its kinds. */
  readonly id: ActionKind;
  readonly label: string;
  readonly kinds: readonly ActionKind[];
}

/** Returns what can be requested, by the labels that open the dialogs; kinds of action with the same label are one choice. */
export function verbChoices(): readonly VerbChoice[] {
  const words = new Map<string, [ActionKind, ...ActionKind[]]>();
  for (const kind of ACTION_KINDS) {
    const label = openerOf(kind).replace("…", "");
    words.set(label, [...(words.get(label) ?? []), kind] as [ActionKind, ...ActionKind[]]);
  }
  return [...words].map(([label, kinds]) => ({ id: kinds[0], label, kinds }));
}

/** Adds a state in the order in which actions pass through them, or removes it. */
export function withState(view: ActionsView, id: string): ActionsView {
  return {
    ...view,
    states: INTENT_STATES.filter((one) => (one === id) !== view.states.includes(one)),
  };
}

/** Adds all kinds of a choice, or removes them. */
export function withVerb(view: ActionsView, { kinds }: VerbChoice): ActionsView {
  const isChosen = kinds.some((kind) => view.verbs.includes(kind));
  return {
    ...view,
    verbs: ACTION_KINDS.filter((kind) =>
      kinds.includes(kind) ? !isChosen : view.verbs.includes(kind),
    ),
  };
}
