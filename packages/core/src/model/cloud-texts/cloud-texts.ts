import { recordedTexts } from "../language/recorded.ts";
import { t, worded } from "../language/text.ts";
import { FRAMEWORK_TEXTS } from "./framework-texts.ts";
import { OPENSTACK_TEXTS } from "./openstack-texts.ts";
import { PROVIDER_PROCESS_TEXTS } from "./provider-process-texts.ts";
import { SANDBOX_TEXTS } from "./sandbox-texts.ts";

/**
 * Returns a message of a provider or the framework about a cloud, in its reader's language. They record it in English, and a
 * provider needs no translations of ours. The cloud's own answers and messages of third-party providers stay as they are.
 */
export function cloudText(recorded: string): string {
  return said(recorded.replace(/\.$/, "")) ?? recorded;
}

const said = recordedTexts([
  ...FRAMEWORK_TEXTS,
  ...SANDBOX_TEXTS,
  ...OPENSTACK_TEXTS,
  ...PROVIDER_PROCESS_TEXTS,
]);

/** Returns what the cloud is at work on, such as `lb-7 is PENDING_UPDATE`: the state is the cloud's own word. */
export function progressText(recorded: string): string {
  return /^\S+ is \S+$/.test(recorded) ? (progress(recorded) ?? recorded) : recorded;
}

const progress = recordedTexts([
  ([id, state]) => t`${id} is ${STATES[state.toLowerCase()] ?? state}`,
]);

const STATES: Readonly<Record<string, string>> = worded({
  provisioning: () => t`being created`,
  updating: () => t`being changed`,
  deleting: () => t`being deleted`,
});

/** Returns the owner of something in the cloud. */
export function ownerText(recorded: string): string {
  return owner(recorded) ?? recorded;
}

const owner = recordedTexts([
  () => t`another Service of this cluster`,
  () => t`an unknown owner (it names no owner, and nothing proves that it belongs to a node)`,
  ([service]) => t`the Service ${service}`,
  ([cluster]) => t`the cluster ${cluster}`,
]);

/** Returns how a provider knows that a machine is a node's. */
export function explanationText(recorded: string): string {
  return explanation(recorded) ?? recorded;
}

const explanation = recordedTexts([
  () => t`found by its provider ID`,
  () => t`found by its name, which no other server has`,
  ([state]) => t`found by its provider ID; Nova says ${state}`,
  ([state]) => t`found by its name, which no other server has; Nova says ${state}`,
  ([region]) => t`found by its provider ID with the region ${region}`,
  ([region, state]) => t`found by its provider ID with the region ${region}; Nova says ${state}`,
]);

/** Returns the field that prevents a Service from being served: an annotation, a port, or the API's name. */
export function fieldText(recorded: string): string {
  return field(recorded) ?? recorded;
}

const field = recordedTexts([([name]) => t`annotation ${name}`, ([port]) => t`port ${port}`]);
