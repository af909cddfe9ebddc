"use client";

/** What comes after a node's page stands: nobody waits for it. */
export { CompareTab } from "./compare/compare-tab.tsx";
export { NodeConsequences } from "./node-consequences.tsx";
