/** Starts the thread of drain-worker.ts in a checkout, where nothing is compiled: TypeScript needs a loader first. */
import { register } from "tsx/esm/api";

register();
await import("./drain-worker.ts");
