import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { streamLines } from "./kube-api.ts";
import { type Machine, machineSchema } from "./machine.ts";

export interface MachineWatchOptions {
  /** Base URL under which `/admin/watch` lives. */
  readonly cloudAdmin: string;
  readonly signal: AbortSignal;
  readonly log: (message: string) => void;
  /** Called for each machine at first, and then for each change. */
  readonly onPut: (machine: Machine) => void;
  readonly onDelete: (id: string) => void;
}

/**
 * Follows the cloud's machines until the signal aborts; resolves once all existing ones have been reported. After an interruption the cloud
 * is compared with what was known: only differences count as changes of power.
 */
export async function watchMachines(options: MachineWatchOptions): Promise<void> {
  await new Promise<void>((synced) => {
    void follow(options, synced);
  });
}

const AGAIN_AFTER_MS = 1_000;

async function follow(options: MachineWatchOptions, synced: () => void): Promise<void> {
  const { signal, log } = options;
  const known = new Set<string>();
  while (!signal.aborted) {
    try {
      await readStream(options, { known, synced });
    } catch (error) {
      if (!signal.aborted) {
        log(`The cloud's machines cannot be watched, trying again: ${String(error)}`);
      }
    }
    await wait(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }
  synced();
}

const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("put"), instance: machineSchema }),
  z.object({ type: z.literal("delete"), instance: machineSchema }),
  z.object({ type: z.literal("synced") }),
]);

interface Progress {
  readonly known: Set<string>;
  readonly synced: () => void;
}

async function readStream(options: MachineWatchOptions, progress: Progress): Promise<void> {
  const { cloudAdmin, signal, onPut, onDelete } = options;
  const unseen = new Set(progress.known);
  for await (const line of streamLines(`${cloudAdmin}/admin/watch`, { headers: {}, signal })) {
    const event = lineSchema.parse(JSON.parse(line));
    if (event.type === "synced") {
      forgetAll(unseen, { ...options, known: progress.known });
      progress.synced();
    } else if (event.type === "put") {
      unseen.delete(event.instance.id);
      progress.known.add(event.instance.id);
      onPut(event.instance);
    } else {
      progress.known.delete(event.instance.id);
      onDelete(event.instance.id);
    }
  }
}

function forgetAll(
  ids: ReadonlySet<string>,
  { known, onDelete }: { known: Set<string>; onDelete: (id: string) => void },
): void {
  for (const id of ids) {
    known.delete(id);
    onDelete(id);
  }
}
