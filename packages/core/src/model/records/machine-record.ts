import { z } from "zod/mini";

const machineAnswerSchema = z.readonly(
  z.object({
    /** `absent`: the cloud has no such machine. */
    kind: z.enum(["running", "stopped", "pending", "absent"]),
    /** When the cloud answered, in milliseconds since the epoch. */
    asOf: z.number(),
    requestId: z.optional(z.string()),
  }),
);
/** The cloud's answer about a node's machine. */
export type MachineAnswer = z.infer<typeof machineAnswerSchema>;

export const lifecycleDetailSchema = z.readonly(
  z.object({
    kind: z.literal("lifecycle"),
    /** Absent if no answer was needed. */
    answer: z.optional(machineAnswerSchema),
  }),
);
/** The `detail` of a node's state under the lifecycle controller. */
export type LifecycleDetail = z.infer<typeof lifecycleDetailSchema>;
