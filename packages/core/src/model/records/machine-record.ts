import { z } from "zod/mini";

const machineAnswerSchema = z.readonly(
  z.object({
    /** `absent`: the cloud has no such machine. */
    kind: z.enum(["running", "stopped", "pending", "absent"]),
    /** When the cloud said so, milliseconds since the epoch. */
    asOf: z.number(),
    requestId: z.optional(z.string()),
  }),
);
/** What the cloud said of a node's machine. */
export type MachineAnswer = z.infer<typeof machineAnswerSchema>;

export const lifecycleDetailSchema = z.readonly(
  z.object({
    kind: z.literal("lifecycle"),
    /** Absent while nobody had to be asked. */
    answer: z.optional(machineAnswerSchema),
  }),
);
/** The `detail` of a node's state under the lifecycle controller. */
export type LifecycleDetail = z.infer<typeof lifecycleDetailSchema>;
