export * from "./bounded-answer.ts";
export * from "./connection-failure.ts";
export * from "./fenced-dispatch.ts";
export * from "./path-segment.ts";
export * from "./retry-after.ts";
export * from "./send-fenced.ts";
