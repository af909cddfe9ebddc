import { INTENT_KINDS, INTENT_ROLE, type IntentKind } from "@cloudwright/core/model/intent";
import { ROLES, type Role } from "@cloudwright/core/model/roles";

export interface Right {
  readonly what: string;
  /** The least role that has it; each role includes the ones before. */
  readonly needs: Role;
}

/** What each kind of intent lets a person do. */
const WORDS: Readonly<Record<IntentKind, string>> = {
  preview: "Dry run: see what an action would change",
  retry: "Retry a node, load balancer, route or volume",
  hold: "Hold one of them, so that every loop keeps from it",
  release: "Release what is held",
  reensure: "Write all of a load balancer again",
  override: "Override a taint: free a node unfinished",
  adopt: "Adopt a load balancer or route that has no owner",
  "remove-orphan": "Remove a load balancer without a Service",
  pause: "Pause a controller",
  resume: "Resume a paused controller",
  "release-guard": "Release deletions that the guard holds",
};

const INTENTS = INTENT_KINDS.map((kind): Right => {
  return { what: WORDS[kind], needs: INTENT_ROLE[kind] };
});

const OTHERS: readonly Right[] = [
  { what: "See everything: nodes, runs, actions, audit", needs: "viewer" },
  { what: "Verify and export the audit record", needs: "viewer" },
  { what: "Change one's own password, end one's own sessions", needs: "viewer" },
  { what: "Add and disable people, change roles, reset passwords", needs: "admin" },
  { what: "See and end other people's sessions", needs: "admin" },
];

/** Who may do what, as the server decides it; what the least role may do comes first. */
export const RIGHTS: readonly Right[] = ROLES.flatMap((role) =>
  [...OTHERS, ...INTENTS].filter(({ needs }) => needs === role),
);
