import { EVENT_TYPES, type EventType } from "@cloudwright/core/model/records/object-event";
import { optionalChoiceParam, textParam } from "../../components/url/url-codec.ts";
import type { ChangeView } from "../../components/url/use-url-state.ts";

/** The part of a page's address that belongs to its Events tab. */
export interface ObjectEventsView {
  readonly eventText: string;
  readonly eventType: EventType | undefined;
}

export const OBJECT_EVENT_PARAMS = {
  eventText: textParam("event"),
  eventType: optionalChoiceParam("type", EVENT_TYPES),
};

interface EventsPart {
  readonly view: ObjectEventsView;
  readonly push: ChangeView<ObjectEventsView>;
  readonly replace: ChangeView<ObjectEventsView>;
}

/** Extracts that part of a page's view, and the functions that change it. */
export function eventsOf<View extends ObjectEventsView>(whole: {
  readonly view: View;
  readonly push: ChangeView<View>;
  readonly replace: ChangeView<View>;
}): EventsPart {
  const { view, push, replace } = whole;
  return {
    view,
    push: (change) => push((now) => ({ ...now, ...change(partOf(now)) })),
    replace: (change) => replace((now) => ({ ...now, ...change(partOf(now)) })),
  };
}

function partOf({ eventText, eventType }: ObjectEventsView): ObjectEventsView {
  return { eventText, eventType };
}
