import { configKeyProblems } from "../rules/names.ts";
import { forbiddenValue, invalidValue, type Problem, ruleProblems } from "../rules/problem.ts";
import {
  always,
  boolean,
  bytes,
  type Infer,
  mapOf,
  nullable,
  struct,
  text,
} from "../schema/schema.ts";
import { ageColumn, nameColumn } from "../tables/common-columns.ts";
import { defineResource } from "./define-resource.ts";
import { objectMeta } from "./metadata.ts";

const secretSchema = struct(
  "Secret",
  {
    metadata: always(objectMeta),
    data: mapOf(bytes),
    stringData: mapOf(text),
    type: text,
    immutable: nullable(boolean),
  },
  "metadata data type stringData immutable",
);

type Secret = Infer<typeof secretSchema>;

export const secrets = defineResource(
  { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
  {
    schema: secretSchema,
    rules: {
      onCreate: (secret) => ({ ...withTextEncoded(secret), type: secret.type ?? "Opaque" }),
      onUpdate: (secret, before) => ({
        ...withTextEncoded(secret),
        type: secret.type ?? before.type ?? "Opaque",
      }),
      problems: (secret) =>
        Object.keys(secret.data ?? {}).flatMap((key) =>
          ruleProblems(configKeyProblems, `data[${key}]`, key),
        ),
      updateProblems,
      fields: { type: (secret) => secret.type ?? "" },
      columns: [
        nameColumn,
        ["Type", "What the secret is for.", (secret) => secret.type ?? ""],
        [
          "Data",
          "How many entries the secret holds.",
          (secret) => Object.keys(secret.data ?? {}).length,
        ],
        ageColumn,
      ],
    },
  },
);

/** `stringData` is write-only: it is encoded into `data`. */
function withTextEncoded(secret: Secret): Secret {
  const { stringData, ...rest } = secret;
  if (stringData === undefined) return rest;
  const encoded = Object.entries(stringData).map(([key, value]) => [
    key,
    Buffer.from(value, "utf8").toString("base64"),
  ]);
  return { ...rest, data: { ...rest.data, ...Object.fromEntries(encoded) } };
}

const FROZEN = "field is immutable when `immutable` is set";

function updateProblems(secret: Secret, before: Secret): readonly Problem[] {
  const retyped = secret.type !== before.type;
  const frozen =
    before.immutable === true && JSON.stringify(secret.data) !== JSON.stringify(before.data);
  return [
    ...(retyped ? [invalidValue("type", secret.type, "field is immutable")] : []),
    ...(frozen ? [forbiddenValue("data", FROZEN)] : []),
  ];
}
