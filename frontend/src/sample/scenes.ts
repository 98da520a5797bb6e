/**
 * The pictures of the samples and of the instructions. They are the project's own. simulation/scenes has drawn
 * them (`write_scenes(folder, 6, 7)`: beach-0001, park-0002, concert-0005), and they are saved as WebP (quality
 * 80). The boxes are those of its Annotations, as pixel edges.
 */

import type { Edges, ImageInfo } from "../api/types";
import beach from "./beach.webp";
import concert from "./concert.webp";
import park from "./park.webp";

const SIZE = { width: 640, height: 480 };

export const IMAGES = {
  beach: { id: "1", url: beach, ...SIZE },
  concert: { id: "2", url: concert, ...SIZE },
  park: { id: "3", url: park, ...SIZE },
} satisfies Record<string, ImageInfo>;
export type SceneName = keyof typeof IMAGES;

export const BEACH = {
  man: [348, 158, 480, 427],
  girl: [133, 240, 269, 436],
  leftBoat: [75, 146, 126, 214],
  rightBoat: [182, 156, 233, 223],
  umbrella: [430, 162, 640, 368],
  shirt: [382, 184, 480, 313],
  hat: [383, 158, 462, 189],
  ball: [280, 389, 322, 434],
} satisfies Record<string, Edges>;

export const CONCERT = {
  woman: [84, 116, 239, 402],
  guitarist: [423, 116, 557, 402],
  drum: [105, 245, 227, 381],
  guitar: [418, 198, 582, 296],
  crowd: [44, 358, 599, 480],
} satisfies Record<string, Edges>;

export const PARK = {
  tree: [19, 51, 198, 337],
  bench: [401, 253, 559, 328],
  brownDog: [377, 332, 496, 420],
  blackDog: [522, 346, 640, 434],
  woman: [125, 172, 264, 452],
  hair: [162, 197, 217, 246],
} satisfies Record<string, Edges>;
