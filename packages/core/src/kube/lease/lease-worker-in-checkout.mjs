/** The thread of lease-worker.ts where nothing is compiled yet: TypeScript needs a loader first. */
import { register } from "tsx/esm/api";

register();
await import("./lease-worker.ts");
