/** For tests: a page of links, as the API sends one. */

import type { Page } from "../../api/types";

export function page(items: number, url = "/media/1.png", id = "page-1"): Page {
  const captions = [{ index: 0, segments: [{ text: "A dog", mention: true }] }];
  const image = { id: "1", url, width: 640, height: 480 };
  return {
    id,
    stage: "link",
    state: "live",
    expires_at: "2026-03-01T12:15:00+00:00",
    expires_in: 900,
    reward: null,
    usual_seconds: 60,
    drawing: { method: "drag", minimum_side: 3 },
    items: Array.from({ length: items }, (_, n) => ({ item: n + 1, question: { image, captions } })),
  };
}
