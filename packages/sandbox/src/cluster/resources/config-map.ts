import { configKeyProblems } from "../rules/names.ts";
import { duplicateValue, forbiddenValue, type Problem, ruleProblems } from "../rules/problem.ts";
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

const configMapSchema = struct(
  "ConfigMap",
  {
    metadata: always(objectMeta),
    data: mapOf(text),
    binaryData: mapOf(bytes),
    immutable: nullable(boolean),
  },
  "metadata data binaryData immutable",
);

type ConfigMap = Infer<typeof configMapSchema>;

export const configMaps = defineResource(
  {
    group: "",
    version: "v1",
    kind: "ConfigMap",
    plural: "configmaps",
    shortNames: ["cm"],
    namespaced: true,
  },
  {
    schema: configMapSchema,
    rules: {
      problems,
      updateProblems: frozenProblems,
      columns: [
        nameColumn,
        [
          "Data",
          "How many entries the map holds.",
          ({ data, binaryData }) =>
            Object.keys(data ?? {}).length + Object.keys(binaryData ?? {}).length,
        ],
        ageColumn,
      ],
    },
  },
);

function problems(map: ConfigMap): readonly Problem[] {
  const texts = Object.keys(map.data ?? {});
  const binaries = Object.keys(map.binaryData ?? {});
  return [
    ...texts.flatMap((key) => keyProblems("data", key)),
    ...binaries.flatMap((key) => keyProblems("binaryData", key)),
    ...binaries
      .filter((key) => texts.includes(key))
      .map((key) => duplicateValue(`binaryData[${key}]`, key)),
  ];
}

function keyProblems(field: string, key: string): readonly Problem[] {
  return ruleProblems(configKeyProblems, `${field}[${key}]`, key);
}

const FROZEN = "field is immutable when `immutable` is set";

function frozenProblems(map: ConfigMap, before: ConfigMap): readonly Problem[] {
  if (before.immutable !== true) return [];
  return (["immutable", "data", "binaryData"] as const)
    .filter((field) => JSON.stringify(map[field]) !== JSON.stringify(before[field]))
    .map((field) => forbiddenValue(field, FROZEN));
}
