import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/* The tones of states stay distinguishable with colour blindness, and from the page (UX brief, section 2). */

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const STATES = ["stuck", "unknown", "waiting", "held", "drifted", "ok"] as const;
const LEAST_DISTANCE = 31;
const LEAST_CONTRAST = 3;

/** From linear sRGB to perceived colour: Machado, Oliveira and Fernandes 2009, at full severity. */
const SIGHTS: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const TOKENS = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
/** Light values come first, then dark ones. */
const THEMES = [
  ["light", 0],
  ["dark", 1],
] as const;

describe.each(THEMES)("the tones of the %s theme", (_theme, place) => {
  it.each(STATES)("have enough contrast with the page for a shape: %s", (state) => {
    const [tone, page] = [`tone-${state}`, "surface"].map((name) => luminance(token(name, place)));
    expect(contrast(tone ?? 0, page ?? 0)).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  });

  it.each(Object.entries(SIGHTS))("are far apart in %s vision", (_sight, sight) => {
    const pairs = STATES.flatMap((one, index) =>
      STATES.slice(index + 1).map((other) => [one, other] as const),
    );
    const near = pairs.filter(([one, other]) => {
      const [left, right] = [one, other].map((state) => seen(token(`tone-${state}`, place), sight));
      return left === undefined || right === undefined || distance(left, right) < LEAST_DISTANCE;
    });
    expect(near).toEqual([]);
  });
});

/** Returns a token as linear sRGB. */
function token(name: string, place: 0 | 1): Triple {
  const found = [...TOKENS.matchAll(new RegExp(`--${name}: #([0-9a-f]{6});`, "g"))];
  expect(found, name).toHaveLength(2);
  const digits = found[place]?.[1] ?? "";
  const channel = (at: number) => linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255);
  return [channel(0), channel(2), channel(4)];
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function times(matrix: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];

function luminance(colour: Triple): number {
  return times(TO_XYZ, colour)[1];
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns the perceived colour as CIE L*a*b* with the D65 white point. */
function seen(colour: Triple, sight: Matrix): Triple {
  const [x, y, z] = times(TO_XYZ, times(sight, colour));
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const [fx, fy, fz] = [root(x / 0.95047), root(y), root(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** ΔE (CIE 1976). */
function distance(one: Triple, other: Triple): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}
