import { stringify } from "yaml";

/** Whether volumes can be created while no webhook answers; the loop then labels them later. */
export const FAILURE_POLICIES = ["Ignore", "Fail"] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

export interface Registration {
  /** The certificate authority of the webhook's server, PEM in base64. */
  readonly caBundle: string;
  readonly failurePolicy: FailurePolicy;
  /** How the API server reaches the webhook: through a Service in the cluster, or at an address. */
  readonly at: ServicePlace | { readonly url: string };
}

export interface ServicePlace {
  readonly namespace: string;
  readonly service: string;
  /** The label of the controller's pods. */
  readonly selector: Readonly<Record<string, string>>;
  /** `--webhook-secure-port`. */
  readonly targetPort: number;
}

const NAME = "pvlabel.cloudwright.io";
const PATH = "/admit";
const TIMEOUT_SECONDS = 5;
const SERVICE_PORT = 443;

/** Returns the YAML that registers the webhook with an API server (spec/50 §6), with the Service in front of it if there is one. */
export function registrationText(registration: Registration): string {
  const { at } = registration;
  const documents =
    "url" in at ? [configuration(registration)] : [service(at), configuration(registration)];
  return documents.map((document) => stringify(document)).join("---\n");
}

function service({ namespace, service: name, selector, targetPort }: ServicePlace): object {
  const ports = [{ name: "webhook", port: SERVICE_PORT, targetPort }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector, ports },
  };
}

function configuration({ caBundle, failurePolicy, at }: Registration): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: NAME },
    webhooks: [
      {
        name: NAME,
        rules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            resources: ["persistentvolumes"],
            operations: ["CREATE"],
            scope: "*",
          },
        ],
        clientConfig: { ...placeOf(at), caBundle },
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy,
        timeoutSeconds: TIMEOUT_SECONDS,
      },
    ],
  };
}

function placeOf(at: Registration["at"]): object {
  if ("url" in at) return { url: at.url };
  const { namespace, service: name } = at;
  return { service: { namespace, name, path: PATH, port: SERVICE_PORT } };
}
