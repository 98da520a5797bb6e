import type { Size } from "./units";

/**
 * Whether a picture of `size` shows the photograph and nothing else. In a copy of another size, each side is
 * rounded by half a pixel and no more. If it were a pixel narrower than that, boxes would be off at its edge.
 */
export function sameShape(size: { width: number; height: number }, image: Size<number>): boolean {
  const across = size.width * image.height;
  const down = size.height * image.width;
  return size.width > 0 && Math.abs(across - down) <= Math.max(image.width, image.height);
}
