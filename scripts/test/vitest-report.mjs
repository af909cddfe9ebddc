import { JsonReporter } from "vitest/node";

/** Vitest's JSON report, and in `unhandledErrors` the messages of what failed outside every test, which ends a run badly too. */
export default class VitestReport extends JsonReporter {
  #unhandledErrors = [];

  onTestRunEnd(modules, unhandledErrors) {
    this.#unhandledErrors = unhandledErrors.map(({ message, stack }) => stack ?? message);
    return super.onTestRunEnd(modules);
  }

  writeReport(report) {
    const whole = { ...JSON.parse(report), unhandledErrors: this.#unhandledErrors };
    return super.writeReport(JSON.stringify(whole));
  }
}
