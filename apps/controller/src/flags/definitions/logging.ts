import { flag, IDLE } from "../flag.ts";
import { bool, duration, int, oneOf, text } from "../kinds.ts";

const alpha = { idle: IDLE.logging };

export const LOGGING_FLAGS = {
  v: flag("Logging", int(0), {
    initial: 0,
    help: "Log verbosity: 0 logs what operators need, 4 also logs each run.",
  }),
  vmodule: flag("Logging", text, {
    initial: "",
    help: "Log levels by source file.",
    idle: "levels apply to the whole process",
  }),
  "log-flush-frequency": flag("Logging", duration, {
    initial: 5_000,
    help: "Longest time that a line is buffered.",
    ...alpha,
  }),
  "logging-format": flag("Logging", oneOf(["text", "json"]), {
    initial: "text",
    help: "Format of a log line.",
  }),
  "log-text-split-stream": flag("Logging", bool, {
    initial: false,
    help: "Write errors to stderr and everything else to stdout.",
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
