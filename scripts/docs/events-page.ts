import { EVENTS, type EventDefinition } from "@cloudwright/core/model/events";

/** Returns docs/events.md, written only from the definitions of the Events. */
export function eventsPage(): string {
  const rows = Object.entries<EventDefinition>(EVENTS).map(row);
  return `# Events

What \`kubectl describe\` and \`kubectl get events\` show of what the controllers do. An Event is sent when something begins, ends or fails,
not at each attempt; what keeps failing is reported again every five minutes.

- **Every warning** that a [reason](reasons.md) names is an Event on its object: its code is the Event's reason, and its sentence the message. That page lists them all.
- The Events below have their own names. *As upstream*: upstream's cloud controller manager, or the in-tree controller before it, sends them under the same name.
- A provider may add Events to a Service about what it ignores or does differently from what the Service asks; they name the annotation or the field.

A dry run and a preview send none.

| Event | on | type | as upstream | when |
|---|---|---|---|---|
${rows.join("\n")}

The Events on a ConfigMap are on \`cloudwright-controls\` in the namespace of the election.

Written from \`packages/core/src/model/events.ts\` by \`npx tsx scripts/docs/write-pages.ts\`.
`;
}

function row([name, { on, type, isUpstreams, when }]: [string, EventDefinition]): string {
  return `| \`${name}\` | ${on} | ${type} | ${isUpstreams ? "yes" : "–"} | ${when}. |`;
}
