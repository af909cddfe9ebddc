"use client";

/** Code that is loaded after a node's page is shown, because nobody waits for it. */
export { CompareTab } from "./compare/compare-tab.tsx";
export { NodeConsequences } from "./node-consequences.tsx";
