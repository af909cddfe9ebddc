import { z } from "zod/mini";

export const ROLES = ["viewer", "operator", "admin"] as const;
export const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

/**
 * Reports whether a user of this role may do what requires the other (DESIGN.md "Roles": each includes the ones
 * before).
 */
export function roleIncludes(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
