export * from "./instances/fixture.ts";
export * from "./instances.ts";
export * from "./load-balancers/fixture.ts";
export * from "./load-balancers.ts";
export * from "./routes/fixture.ts";
export * from "./routes.ts";
export * from "./volumes/fixture.ts";
export * from "./volumes.ts";
