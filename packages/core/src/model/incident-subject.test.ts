import { expect, it } from "vitest";
import { type IncidentSubject, incidentSubjectSchema, subjectText } from "./incident-subject.ts";

const WEB = { kind: "Service", namespace: "shop", name: "web" };

it.each<[string, IncidentSubject]>([
  ["Service shop/web", { kind: "object", object: WEB }],
  [
    "Load balancers: run of Service shop/web",
    { kind: "run", controller: "service-lb-controller", object: WEB },
  ],
  [
    "Namespace label: run of Node w-1",
    {
      kind: "run",
      controller: "namespace-label-controller",
      object: { kind: "Node", name: "w-1" },
    },
  ],
  ["2 objects of kind Node", { kind: "objects", of: "Node", count: 2 }],
])("an incident is about %s, even after it was stored", (text, subject) => {
  expect(subjectText(subject)).toBe(text);
  expect(incidentSubjectSchema.parse(JSON.parse(JSON.stringify(subject)))).toEqual(subject);
});
