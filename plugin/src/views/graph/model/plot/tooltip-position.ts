interface Size {
  readonly width: number;
  readonly height: number;
}

const DISTANCE_PX = 14;

/** Beside the mouse, to the right and below where there is room, always within the page. */
export function createPortalPosition(
  mouse: { readonly x: number; readonly y: number },
  box: Size,
  page: Size
): { readonly left: number; readonly top: number } {
  const right = mouse.x + DISTANCE_PX;
  const left = right + box.width <= page.width ? right : mouse.x - DISTANCE_PX - box.width;
  const below = mouse.y + DISTANCE_PX;
  const top = below + box.height <= page.height ? below : page.height - box.height;
  return { left: Math.max(0, left), top: Math.max(0, top) };
}
