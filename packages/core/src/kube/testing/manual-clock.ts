/** The clock of all tests lives in the model, where every room may reach it. */
export { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
