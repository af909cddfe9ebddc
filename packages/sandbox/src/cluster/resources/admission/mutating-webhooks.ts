import {
  forbiddenValue,
  invalidValue,
  type Problem,
  required,
  unsupportedValue,
} from "../../rules/problem.ts";
import {
  always,
  anything,
  bytes,
  type Infer,
  integer,
  list,
  nullable,
  struct,
  text,
} from "../../schema/schema.ts";
import { ageColumn, nameColumn } from "../../tables/common-columns.ts";
import { defineResource } from "../define-resource.ts";
import { objectMeta } from "../metadata.ts";

const rule = struct("RuleWithOperations", {
  operations: list(text),
  apiGroups: list(text),
  apiVersions: list(text),
  resources: list(text),
  scope: nullable(text),
});
const webhook = struct("MutatingWebhook", {
  name: always(text),
  clientConfig: always(
    struct("WebhookClientConfig", {
      url: nullable(text),
      service: struct("ServiceReference", {
        namespace: always(text),
        name: always(text),
        path: nullable(text),
        port: nullable(integer),
      }),
      caBundle: bytes,
    }),
  ),
  rules: list(rule),
  failurePolicy: nullable(text),
  matchPolicy: nullable(text),
  namespaceSelector: anything,
  objectSelector: anything,
  sideEffects: nullable(text),
  timeoutSeconds: nullable(integer),
  admissionReviewVersions: always(list(text)),
  reinvocationPolicy: nullable(text),
  matchConditions: list(anything),
});

const configurationSchema = struct("MutatingWebhookConfiguration", {
  metadata: always(objectMeta),
  webhooks: list(webhook, { key: "name" }),
});

export type MutatingWebhookConfiguration = Infer<typeof configurationSchema>;
export type MutatingWebhook = Infer<typeof webhook>;
export type WebhookRule = Infer<typeof rule>;

export const mutatingWebhooks = defineResource(
  {
    group: "admissionregistration.k8s.io",
    version: "v1",
    kind: "MutatingWebhookConfiguration",
    plural: "mutatingwebhookconfigurations",
    categories: ["api-extensions"],
    namespaced: false,
  },
  {
    schema: configurationSchema,
    rules: {
      defaults: (item) => ({ ...item, webhooks: (item.webhooks ?? []).map(withDefaults) }),
      problems: ({ webhooks = [] }) =>
        webhooks.flatMap((each, index) => webhookProblems(each, `webhooks[${index}]`)),
      columns: [
        nameColumn,
        [
          "Webhooks",
          "How many webhooks the configuration has.",
          ({ webhooks = [] }) => webhooks.length,
        ],
        ageColumn,
      ],
    },
  },
);

const DEFAULTS = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  timeoutSeconds: 10,
  reinvocationPolicy: "Never",
};

function withDefaults(item: MutatingWebhook): MutatingWebhook {
  const { clientConfig, rules = [] } = item;
  const { service } = clientConfig;
  return {
    ...DEFAULTS,
    ...item,
    rules: rules.map((each) => ({ scope: "*", ...each })),
    ...(service === undefined
      ? {}
      : { clientConfig: { ...clientConfig, service: { port: 443, ...service } } }),
  };
}

const LONGEST_SECONDS = 30;

function webhookProblems(item: MutatingWebhook, field: string): readonly Problem[] {
  const {
    name,
    sideEffects,
    timeoutSeconds = 0,
    failurePolicy = "",
    admissionReviewVersions,
  } = item;
  const seconds = timeoutSeconds ?? 0;
  return [
    ...(name.split(".").length < 3
      ? [
          invalidValue(
            `${field}.name`,
            name,
            "should be a domain with at least three segments separated by dots",
          ),
        ]
      : []),
    ...clientProblems(item, `${field}.clientConfig`),
    ...(["Fail", "Ignore"].includes(failurePolicy ?? "")
      ? []
      : [unsupportedValue(`${field}.failurePolicy`, failurePolicy, ["Fail", "Ignore"])]),
    ...(["None", "NoneOnDryRun"].includes(sideEffects ?? "")
      ? []
      : [unsupportedValue(`${field}.sideEffects`, sideEffects ?? "", ["None", "NoneOnDryRun"])]),
    ...(seconds < 1 || seconds > LONGEST_SECONDS
      ? [
          invalidValue(
            `${field}.timeoutSeconds`,
            seconds,
            `the timeout value must be between 1 and ${LONGEST_SECONDS} seconds`,
          ),
        ]
      : []),
    ...(admissionReviewVersions.includes("v1")
      ? []
      : [
          required(
            `${field}.admissionReviewVersions`,
            "must specify one of v1, v1beta1; the sandbox cluster speaks v1 alone",
          ),
        ]),
    ...unknownProblems(item, field),
  ];
}

function clientProblems({ clientConfig }: MutatingWebhook, field: string): readonly Problem[] {
  const { url, service } = clientConfig;
  const hasUrl = url !== undefined;
  if (hasUrl === (service !== undefined)) {
    return [required(field, "exactly one of url or service is required")];
  }
  return hasUrl && !url.startsWith("https://")
    ? [invalidValue(`${field}.url`, url, "'https' is the only allowed URL scheme")]
    : [];
}

const UNKNOWN = "the sandbox cluster does not know what this selects; remove it";

/** Refuses what would be handled differently from what the writer meant. */
function unknownProblems(item: MutatingWebhook, field: string): readonly Problem[] {
  const { namespaceSelector = {}, objectSelector = {}, matchConditions = [] } = item;
  return Object.entries({ namespaceSelector, objectSelector, matchConditions })
    .filter(([, value]) => value !== null && Object.keys(value).length > 0)
    .map(([name]) => forbiddenValue(`${field}.${name}`, UNKNOWN));
}
