import { INTENT_ROLE } from "@cloudwright/core/model/intent";
import type { Role } from "@cloudwright/core/model/roles";

export interface Right {
  readonly what: string;
  /** The least role that has it; each role includes the ones before. */
  readonly needs: Role;
}

/** Who may do what, as the server decides it. */
export const RIGHTS: readonly Right[] = [
  { what: "See everything: nodes, runs, actions, audit", needs: "viewer" },
  { what: "Dry run: see what an action would change", needs: INTENT_ROLE.preview },
  { what: "Verify and export the audit record", needs: "viewer" },
  { what: "Change one's own password, end one's own sessions", needs: "viewer" },
  { what: "Retry nodes", needs: INTENT_ROLE.retry },
  { what: "Hold a node", needs: INTENT_ROLE.hold },
  { what: "Release a held node", needs: INTENT_ROLE.release },
  { what: "Override a taint: free a node unfinished", needs: INTENT_ROLE.override },
  { what: "Pause a controller", needs: INTENT_ROLE.pause },
  { what: "Resume a paused controller", needs: INTENT_ROLE.resume },
  { what: "Release deletions that the guard holds", needs: INTENT_ROLE["release-guard"] },
  { what: "Add and disable people, change roles, reset passwords", needs: "admin" },
  { what: "See and end other people's sessions", needs: "admin" },
];
