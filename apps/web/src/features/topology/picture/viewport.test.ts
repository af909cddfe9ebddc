import { describe, expect, it } from "vitest";
import { fitted, movedBy, SCALE_MOST, shortened, zoomedBy } from "./viewport.ts";

const SCREEN = { width: 824, height: 624 };

describe("the viewport of a drawing", () => {
  it("starts with all of it, centred", () => {
    expect(fitted({ width: 800, height: 500 }, SCREEN)).toEqual({ scale: 1, x: 12, y: 12 });
    expect(fitted({ width: 400, height: 600 }, SCREEN)).toEqual({ scale: 1, x: 212, y: 12 });
  });

  it("starts with the whole width of a tall one", () => {
    expect(fitted({ width: 800, height: 9_000 }, SCREEN)).toEqual({ scale: 1, x: 12, y: 12 });
  });

  it("starts at the corner of one that would be too small to read as a whole", () => {
    expect(fitted({ width: 1_600, height: 600 }, SCREEN)).toEqual({ scale: 0.9, x: 12, y: 12 });
  });

  it("does not enlarge a small one", () => {
    expect(fitted({ width: 10, height: 10 }, SCREEN).scale).toBe(1.25);
  });

  it("keeps what is under the pointer in place", () => {
    const view = zoomedBy({ x: 10, y: 20, scale: 1 }, 2, { x: 110, y: 220 });
    expect(view).toEqual({ x: -90, y: -180, scale: 2 });
    expect((110 - view.x) / view.scale).toBe(100);
  });

  it("has a limit, and stays in place there", () => {
    const most = { x: 0, y: 0, scale: SCALE_MOST };
    expect(zoomedBy(most, 2, { x: 50, y: 50 })).toEqual(most);
  });

  it("never moves completely out of sight", () => {
    const drawing = { width: 100, height: 100 };
    const limits = { drawing, screen: SCREEN };
    const view = { x: 0, y: 0, scale: 1 };
    expect(movedBy(view, { x: -5_000, y: 5_000 }, limits)).toEqual({ x: -40, y: 564, scale: 1 });
    expect(movedBy(view, { x: 30, y: -10 }, limits)).toEqual({ x: 30, y: -10, scale: 1 });
  });
});

it("a long name keeps its end, which tells it apart from others", () => {
  expect(shortened("ip-10-0-3-7.eu-west-1", 8)).toBe("…-west-1");
  expect(shortened("node-1", 8)).toBe("node-1");
});
