import { cdp } from 'vitest/browser'

/**
 * Simulates moving touches and mouse drags with the browser's own events. The page of the tests begins at the corner of the
 * window.
 */

/** Moves a finger by some pixels and keeps it there until the returned function is called. */
export async function touch(byX: number, from = byX < 0 ? 330 : 60): Promise<() => Promise<void>> {
  const touchPointsAt = (x: number) => [{ x, y: 300, id: 1 }]
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: touchPointsAt(from) })
  for (let step = 1; step <= 6; step += 1)
    await cdp().send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: touchPointsAt(from + (byX * step) / 6),
    })
  return async () => void (await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }))
}

/** Drags the left mouse button by some pixels and holds it until the returned function is called. */
export async function drag(byX: number, from = 200): Promise<() => Promise<void>> {
  const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number) =>
    cdp().send('Input.dispatchMouseEvent', { type, x, y: 300, button: 'left', buttons: 1, clickCount: 1 })
  await cdp().send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: from, y: 300 })
  await send('mousePressed', from)
  for (let step = 1; step <= 6; step += 1) await send('mouseMoved', from + (byX * step) / 6)
  return async () => void (await send('mouseReleased', from + byX))
}
