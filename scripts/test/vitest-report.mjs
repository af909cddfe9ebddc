import { JsonReporter } from "vitest/node";

/** Vitest's JSON report, with the messages of errors outside every test in `unhandledErrors`, since those also fail a run. */
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
