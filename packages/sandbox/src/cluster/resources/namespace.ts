import { namespaceNameProblems } from "../rules/names.ts";
import { always, type Infer, list, struct, text, time } from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import { objectMeta } from "./metadata.ts";

const namespaceSchema = struct(
  "Namespace",
  {
    metadata: always(objectMeta),
    spec: always(struct("NamespaceSpec", { finalizers: list(text) }, "finalizers")),
    status: always(
      struct(
        "NamespaceStatus",
        {
          phase: text,
          conditions: list(
            struct(
              "NamespaceCondition",
              {
                type: always(text),
                status: always(text),
                lastTransitionTime: time,
                reason: text,
                message: text,
              },
              "type status - lastTransitionTime reason message",
            ),
            { key: "type" },
          ),
        },
        "phase conditions",
      ),
    ),
  },
  "metadata spec status",
);

export type Namespace = Infer<typeof namespaceSchema>;

/** The finalizer that keeps a namespace until it is empty. */
const CONTENT_FINALIZER = "kubernetes";
const NAME_LABEL = "kubernetes.io/metadata.name";

export const namespaces = defineResource(
  {
    group: "",
    version: "v1",
    kind: "Namespace",
    plural: "namespaces",
    shortNames: ["ns"],
    namespaced: false,
    hasStatus: true,
    noDeleteCollection: true,
    nameRule: namespaceNameProblems,
  },
  {
    schema: namespaceSchema,
    rules: {
      onCreate: (namespace) => ({
        ...withNameLabel(namespace),
        spec: { finalizers: [CONTENT_FINALIZER] },
        status: { phase: "Active" },
      }),
      onUpdate: (namespace, before) => withNameLabel({ ...namespace, spec: before.spec }),
      fields: { "status.phase": (namespace) => namespace.status.phase ?? "" },
      columns: [
        nameColumn,
        ["Status", "The status of the namespace", (namespace) => namespace.status.phase ?? ""],
        ageColumn,
      ],
    },
  },
);

function withNameLabel(namespace: Namespace): Namespace {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, [NAME_LABEL]: metadata.name ?? "" };
  return { ...namespace, metadata: { ...metadata, labels } };
}
