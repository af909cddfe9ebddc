import { z } from "zod";

/** What a fake kubelet has to know of the machine it runs on. */
export const machineSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  cpu: z.number(),
  memoryMiB: z.number(),
  addresses: z.array(z.object({ type: z.string(), address: z.string() })),
});
export type Machine = Readonly<z.infer<typeof machineSchema>>;

/** The address that the kubelet gets by `--node-ip`. */
export function nodeIp(machine: Machine): string | undefined {
  return machine.addresses.find(({ type }) => type === "InternalIP")?.address;
}
