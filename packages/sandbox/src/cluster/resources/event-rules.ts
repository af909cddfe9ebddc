import { qualifiedNameProblems } from "../rules/names.ts";
import { invalidValue, type Problem, required } from "../rules/problem.ts";
import type { Event } from "./event.ts";

const LONGEST_MESSAGE = 1_024;
const LONGEST_WORD = 128;

/** Upstream's rules for core events: more is asked of one that has an eventTime, the newer way of writing them. */
export function eventProblems(event: Event): readonly Problem[] {
  const namespace = namespaceProblems(event);
  return event.eventTime === null ? namespace : [...namespace, ...newStyleProblems(event)];
}

/** An event lives where its object lives; one about a cluster-scoped object lives in `default`. */
export function namespaceProblems(event: Event): readonly Problem[] {
  const own = event.metadata.namespace ?? "";
  const involved = event.involvedObject.namespace ?? "";
  const fits = involved === "" ? own === "" || own === "default" : involved === own;
  return fits
    ? []
    : [invalidValue("involvedObject.namespace", involved, "does not match event.namespace")];
}

function newStyleProblems(event: Event): readonly Problem[] {
  const { reportingComponent, reportingInstance, action = "", reason = "", message = "" } = event;
  return [
    ...(reportingComponent === "" ? [required("reportingComponent")] : []),
    ...qualifiedNameProblems(reportingComponent).map((why) =>
      invalidValue("reportingComponent", reportingComponent, why),
    ),
    ...wordProblems("reportingInstance", reportingInstance),
    ...wordProblems("action", action),
    ...wordProblems("reason", reason),
    ...lengthProblems("message", message, LONGEST_MESSAGE),
  ];
}

function wordProblems(field: string, value: string): readonly Problem[] {
  return value === "" ? [required(field)] : lengthProblems(field, value, LONGEST_WORD);
}

function lengthProblems(field: string, value: string, limit: number): readonly Problem[] {
  return value.length > limit
    ? [invalidValue(field, "", `can have at most ${limit} characters`)]
    : [];
}
