/** The topics of `cloudwright doctor`, in the order in which it examines and prints them. */
export const TOPICS = {
  cluster: "Cluster",
  permissions: "Permissions",
  components: "Control plane and kubelets",
  ranges: "Pod ranges",
  nodes: "Nodes and taints",
  cloud: "Cloud",
  database: "Ledger",
  takeover: "Take-over",
} as const;
export type Topic = keyof typeof TOPICS;

/**
 * `problem`: the controller will not work as its flags say. `warning`: it works, but somebody should know. `unknown`: it could
 * not be examined.
 */
export const VERDICTS = ["problem", "warning", "unknown", "ok"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  readonly topic: Topic;
  readonly verdict: Verdict;
  /** The finding, one sentence. */
  readonly says: string;
  /** What to do, in one sentence; every problem and every warning has it. */
  readonly advice?: string;
}

/** A finding of one topic, without repeating the topic. */
export type Judged = Omit<Finding, "topic">;

export function ok(says: string): Judged {
  return { verdict: "ok", says };
}

export function problem(says: string, advice: string): Judged {
  return { verdict: "problem", says, advice };
}

export function warning(says: string, advice: string): Judged {
  return { verdict: "warning", says, advice };
}

export function unknown(says: string, advice: string): Judged {
  return { verdict: "unknown", says, advice };
}

/** Returns 1 for a problem, 2 for a warning or for something that could not be examined, 0 if all is well. */
export function exitCodeOfFindings(findings: readonly Finding[]): 0 | 1 | 2 {
  if (findings.some(({ verdict }) => verdict === "problem")) return 1;
  return findings.some(({ verdict }) => verdict !== "ok") ? 2 : 0;
}

const NAMES_SHOWN = 3;

/** Formats names as `w-1, w-2, w-3 and 4 more`. */
export function someOf(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}
