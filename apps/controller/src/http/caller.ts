import { z } from "zod";

/** A caller of our HTTPS port as the API server's reviews write one. */
export const callerSchema = z.object({
  // Absent where the API server knows no owner of the token.
  username: z.string().default(""),
  uid: z.string().optional(),
  groups: z.array(z.string()).readonly().optional(),
  extra: z.record(z.string(), z.array(z.string()).readonly()).readonly().optional(),
});
export type Caller = Readonly<z.infer<typeof callerSchema>>;

export const ANONYMOUS: Caller = {
  username: "system:anonymous",
  groups: ["system:unauthenticated"],
};
