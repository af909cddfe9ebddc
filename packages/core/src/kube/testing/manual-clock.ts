/** The clock of all tests is in the model, where every room may import it. */
export { createManualClock, type ManualClock } from "../../model/testing/manual-clock.ts";
