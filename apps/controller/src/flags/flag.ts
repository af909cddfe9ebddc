import type { FlagKind } from "./kinds.ts";

/** Sections of the help, in its order: upstream's (spec/00 §5), then ours. */
export const SECTIONS = [
  "Debugging",
  "Leader migration",
  "Generic",
  "Node controller",
  "Node lifecycle controller",
  "Service controller",
  "Route controller",
  "Node IPAM controller",
  "Secure serving",
  "Webhook serving",
  "Authentication",
  "Authorization",
  "Logging",
  "Global",
  "Cloudwright",
] as const;
export type Section = (typeof SECTIONS)[number];

export interface Flag<Value> {
  readonly kind: FlagKind<Value>;
  readonly section: Section;
  readonly initial: Value;
  readonly help: string;
  /**
   * Why the flag changes nothing in this version, as the end of "it has no effect: ..."; absent if it has an effect. Such a flag
   * is still accepted, so that upstream's manifests start unchanged (spec/00 §19).
   */
  readonly idle?: string;
}

export const IDLE = {
  webhookHttp2: "webhooks are served over HTTP/1.1 only",
  logging: "log lines are written immediately, to one stream",
  deprecated: "upstream ignores it, too",
} as const;

export function flag<Value>(
  section: Section,
  kind: FlagKind<Value>,
  rest: { readonly initial: NoInfer<Value>; readonly help: string; readonly idle?: string },
): Flag<Value> {
  return { section, kind, ...rest };
}
