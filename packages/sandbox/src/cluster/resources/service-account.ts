import { always, boolean, list, nullable, struct, text } from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import { objectMeta } from "./metadata.ts";
import { objectReference } from "./object-reference.ts";

export const serviceAccounts = defineResource(
  {
    group: "",
    version: "v1",
    kind: "ServiceAccount",
    plural: "serviceaccounts",
    shortNames: ["sa"],
    namespaced: true,
    returnsDeleted: true,
  },
  {
    schema: struct(
      "ServiceAccount",
      {
        metadata: always(objectMeta),
        secrets: list(objectReference, { key: "name" }),
        imagePullSecrets: list(struct("LocalObjectReference", { name: text }, "name")),
        automountServiceAccountToken: nullable(boolean),
      },
      "metadata secrets imagePullSecrets automountServiceAccountToken",
    ),
    rules: { columns: [nameColumn, ageColumn] },
  },
);
