import { z } from "zod/mini";
import { controllerOf } from "./controller-names.ts";
import { t } from "./language/text.ts";
import { objectName, objectRefSchema } from "./object-ref.ts";

/** The subject of an incident: a run, an object, or several objects with one cause. */
export const incidentSubjectSchema = z.discriminatedUnion("kind", [
  z.readonly(z.object({ kind: z.literal("run"), controller: z.string(), object: objectRefSchema })),
  z.readonly(z.object({ kind: z.literal("object"), object: objectRefSchema })),
  z.readonly(z.object({ kind: z.literal("objects"), of: z.string(), count: z.number() })),
]);
export type IncidentSubject = z.infer<typeof incidentSubjectSchema>;

/** Returns texts such as `Node w-9`, `Node initialisation: run of Node w-9`, `2 objects of kind Node`. */
export function subjectText(subject: IncidentSubject): string {
  switch (subject.kind) {
    case "run": {
      const { label } = controllerOf(subject.controller);
      return t`${label}: run of ${nameOf(subject.object)}`;
    }
    case "object":
      return nameOf(subject.object);
    case "objects":
      return t`${subject.count} objects of kind ${subject.of}`;
  }
}

function nameOf(object: z.infer<typeof objectRefSchema>): string {
  return `${object.kind} ${objectName(object)}`;
}
