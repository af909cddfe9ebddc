import { struct, text } from "../schema/schema.ts";

export const objectReference = struct(
  "ObjectReference",
  {
    kind: text,
    namespace: text,
    name: text,
    uid: text,
    apiVersion: text,
    resourceVersion: text,
    fieldPath: text,
  },
  "kind namespace name uid apiVersion resourceVersion fieldPath",
);
