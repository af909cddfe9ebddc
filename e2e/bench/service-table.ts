import { floorSeconds, type ServiceScenario, serviceCellName } from "./service-cells.ts";
import { type Column, NAMES, show, tableOf } from "./table.ts";
import { aimsOfServices, type MeasuredServices, verdict } from "./verdict.ts";

/** Formats a batch as Markdown, one row per cell. */
export function servicesTable(about: string, cells: readonly MeasuredServices[]): string {
  const columns: readonly Column<MeasuredServices>[] = [
    ["what", ({ cell }) => TITLES[cell.scenario]],
    ["Services", ({ cell }) => cell.services.toLocaleString("en-GB")],
    ["flags", ({ cell }) => cell.flags],
    ["who", ({ cell }) => NAMES[cell.who]],
    ["found", (measured) => FOUND[measured.cell.scenario](measured)],
    ["CPU s", ({ numbers }) => show(numbers.cpuSeconds)],
    ["RSS peak, MiB", ({ numbers }) => show(numbers.rssPeakMiB)],
    ["load a core", ({ numbers }) => show(numbers.loadPerCore)],
    ["aims", (measured) => aims(measured, cells)],
  ];
  return [about, tableOf(columns, cells)].join("\n\n");
}

const TITLES: Readonly<Record<ServiceScenario, string>> = {
  create: "Services come, and go again",
  fanout: "a node joins, and leaves",
  provisioning: "a cloud that takes 2 s",
  throttled: "a cloud that takes 2 s and 40 calls a second",
  surge: "500 nodes join within 10 s",
};

const FOUND: Readonly<Record<ServiceScenario, (measured: MeasuredServices) => string>> = {
  create: ({ numbers }) =>
    `all have an address after ${show(numbers.seconds)} s (creating them: ${show(numbers.createSeconds)}), all gone after ${show(numbers["delete.seconds"])} s; a Service: ${show(numbers.cloudCallsPerItem)} cloud calls, ${show(numbers.apiRequestsPerItem)} API requests`,
  fanout: ({ numbers }) =>
    `joined after ${show(numbers["add.seconds"])} s with ${show(numbers["add.cloudCalls"])} cloud calls, left after ${show(numbers["remove.seconds"])} s with ${show(numbers["remove.cloudCalls"])}`,
  provisioning: slowCloud,
  throttled: slowCloud,
  surge: ({ numbers }) =>
    `behind every balancer after ${show(numbers.seconds)} s (joining took ${show(numbers.joinSeconds)}), ${show(numbers.mostUpdates)} updates a balancer`,
};

function slowCloud({ cell, numbers }: MeasuredServices): string {
  const floor = floorSeconds(cell, numbers.createSeconds ?? Number.NaN);
  return `all have an address after ${show(numbers.seconds)} s (floor: ${show(floor)}), cloud calls: ${show(numbers.cloudCalls)} (${show(numbers.cloudThrottled)} refused)`;
}

function aims(measured: MeasuredServices, cells: readonly MeasuredServices[]): string {
  const { cell } = measured;
  if (cell.who === "upstream") return "";
  const name = serviceCellName({ ...cell, who: "upstream" });
  const upstream = cells.find((other) => serviceCellName(other.cell) === name);
  return verdict(aimsOfServices(measured, upstream));
}
