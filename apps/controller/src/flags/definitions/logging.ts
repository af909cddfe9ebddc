import { flag, IDLE } from "../flag.ts";
import { bool, duration, int, oneOf, text } from "../kinds.ts";

const alpha = { idle: IDLE.logging };

export const LOGGING_FLAGS = {
  v: flag("Logging", int(0), {
    initial: 0,
    help: "How much is logged: 0 is what an operator reads, 4 adds each run.",
  }),
  vmodule: flag("Logging", text, {
    initial: "",
    help: "Levels by source file.",
    idle: "levels are for the whole process",
  }),
  "log-flush-frequency": flag("Logging", duration, {
    initial: 5_000,
    help: "Most time that a line waits.",
    ...alpha,
  }),
  "logging-format": flag("Logging", oneOf(["text", "json"]), {
    initial: "text",
    help: "How a line looks.",
  }),
  "log-text-split-stream": flag("Logging", bool, {
    initial: false,
    help: "Errors to stderr, the rest to stdout.",
    ...alpha,
  }),
  "log-text-info-buffer-size": flag("Logging", text, {
    initial: "0",
    help: "Buffer of the text stream.",
    ...alpha,
  }),
  "log-json-split-stream": flag("Logging", bool, {
    initial: false,
    help: "The same for JSON.",
    ...alpha,
  }),
  "log-json-info-buffer-size": flag("Logging", text, {
    initial: "0",
    help: "The same for JSON.",
    ...alpha,
  }),
};
