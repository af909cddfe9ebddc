import { roleFor } from "@cloudwright/core/model/intent";
import { ROLES, type Role } from "@cloudwright/core/model/roles";
import { actionOf, WISH_KINDS } from "@cloudwright/core/model/wish";

export interface Right {
  readonly what: string;
  /** The least role that has it; each role includes the ones before. */
  readonly needs: Role;
}

const ACTIONS: readonly Right[] = [
  { what: "Dry run: see what an action would change", needs: roleFor("preview") },
  ...WISH_KINDS.map((kind) => ({ what: actionOf(kind).right, needs: actionOf(kind).role })),
];

const OTHERS: readonly Right[] = [
  { what: "See everything: nodes, runs, actions, audit", needs: "viewer" },
  { what: "Verify and export the audit record", needs: "viewer" },
  { what: "Change one's own password, end one's own sessions", needs: "viewer" },
  { what: "Add and disable people, change roles, reset passwords", needs: "admin" },
  { what: "See and end other users' sessions", needs: "admin" },
];

/** Who may do what, as the server decides it; what the least role may do comes first. */
export const RIGHTS: readonly Right[] = ROLES.flatMap((role) =>
  [...OTHERS, ...ACTIONS].filter(({ needs }) => needs === role),
);
