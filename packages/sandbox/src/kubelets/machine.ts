import { z } from "zod";

/** What a fake kubelet needs to know about its machine. */
export const machineSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  cpu: z.number(),
  memoryMiB: z.number(),
  addresses: z.array(z.object({ type: z.string(), address: z.string() })),
});
export type Machine = Readonly<z.infer<typeof machineSchema>>;

/** Returns the address that the kubelet gets by `--node-ip`. */
export function nodeIp(machine: Machine): string | undefined {
  return machine.addresses.find(({ type }) => type === "InternalIP")?.address;
}
