import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Base, toast, useSonner } from 'sonner'
import { showToasts } from '#web/lib/toast.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useTheme } from '#web/ui/theme.ts'

/** The area of the toasts. Alt+T or F8 moves the focus to them; a swipe to the right dismisses one. */
export function Toaster() {
  const { t } = useLingui()
  const [theme] = useTheme()
  // The effects of `Base` run before this one, so the library already listens for toasts.
  useEffect(() => showToasts(toast), [])
  useOtherKey()
  useRestingPointer()
  useRise()
  return (
    <Base
      position="bottom-right"
      hotkey={['altKey', 'KeyT']}
      containerAriaLabel={t`Notifications`}
      swipeDirections={['right']}
      theme={theme}
      // Above the tab bar, if there is one.
      offset={{ bottom: 'calc(24px + var(--tabs))', left: 24, right: 24 }}
      mobileOffset={{ bottom: 'calc(16px + var(--tabs))', left: 12, right: 12 }}
      icons={{
        success: <CircleCheck className="size-5" strokeWidth={2.2} />,
        error: <CircleAlert className="size-5" strokeWidth={2.2} />,
        loading: <Spinner className="size-4.5" />,
      }}
    />
  )
}

/** Adds the second key to focus the toasts, because the library supports only one. */
function useOtherKey(): void {
  useEffect(() => {
    const go = ({ key }: KeyboardEvent) => {
      if (key === 'F8') document.dispatchEvent(new KeyboardEvent('keydown', { altKey: true, code: 'KeyT' }))
    }
    document.addEventListener('keydown', go)
    return () => document.removeEventListener('keydown', go)
  }, [])
}

/**
 * Lets a toast end that appears under a resting pointer. The library keeps a toast while the pointer is over it, and would keep
 * this one until the pointer moves away.
 */
function useRestingPointer(): void {
  useEffect(() => {
    let last: MouseEvent | null = null
    const note = (event: MouseEvent) => {
      last = event
    }
    const release = (event: MouseEvent) => {
      const toaster = event.target instanceof Element && event.target.closest('[data-sonner-toaster]')
      const hasMoved = last && (last.screenX !== event.screenX || last.screenY !== event.screenY)
      if (!toaster || hasMoved) return
      // The library sees a pointer that leaves. If the pointer moves on the toast later, the library keeps the toast.
      toaster.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
    }
    const stop = new AbortController()
    for (const type of ['mousemove', 'mousedown', 'mouseup'] as const)
      window.addEventListener(type, note, { passive: true, signal: stop.signal })
    window.addEventListener('mouseover', release, { passive: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
}

const GAP_PX = 12

const OPEN_SHEET = '.sheet-panel[data-state="open"]'

/**
 * Returns the controls that the front toast must not cover, most of them first and then only those that matter most: the
 * controls and the main buttons of an open sheet or, for a refusal, the submit button of its form.
 */
function controlsUnder(front: HTMLElement): Element[][] {
  const sheet = document.querySelector(OPEN_SHEET)
  if (sheet)
    return [
      [...sheet.querySelectorAll('[data-footer], button, a, input, select, textarea')],
      [...sheet.querySelectorAll('[data-footer], [type="submit"], .bg-primary, .bg-danger')],
    ]
  if (front.dataset['type'] !== 'error') return []
  return [[...document.querySelectorAll('[data-screen="current"] form button[type="submit"]')].slice(0, 1)]
}

/** Returns the lowest bottom edge for the front toast, at or above `place`, at which it covers none of the controls. */
function bottomAbove(controls: Element[], front: HTMLElement, place: number): number {
  const { left, right } = front.getBoundingClientRect()
  const fromBelow = controls
    .map((control) => control.getBoundingClientRect())
    .filter((control) => control.left < right && control.right > left)
    .toSorted((a, b) => b.bottom - a.bottom)
  let bottom = place
  for (const control of fromBelow)
    if (control.top - GAP_PX < bottom && control.bottom > bottom - front.offsetHeight) bottom = control.top - GAP_PX
  return bottom
}

/**
 * Returns the distance that the toasts must rise so that they cover no control (`controlsUnder`). They stay in the lower half of
 * the window, so in a sheet full of controls they leave only the main buttons free.
 */
function riseNow(risenPx: number): number {
  const toaster = document.querySelector('[data-sonner-toaster]')
  const front = toaster?.querySelector<HTMLElement>('[data-front="true"]')
  if (!toaster || !front) return 0
  const place = toaster.getBoundingClientRect().bottom + risenPx
  const bottoms = controlsUnder(front).map((controls) => bottomAbove(controls, front, place))
  const bottom = bottoms.find((edge) => edge - front.offsetHeight > innerHeight / 2) ?? bottoms.at(-1) ?? place
  return place - bottom
}

/** Keeps the controls of a sheet or a form reachable while a toast is shown (web/styles.css). */
function useRise(): void {
  const { toasts } = useSonner()
  useEffect(() => {
    if (toasts.length === 0) return undefined
    let risenPx = 0
    const rise = () => {
      risenPx = riseNow(risenPx)
      document.documentElement.style.setProperty('--toast-rise', `${risenPx}px`)
    }
    const frame = requestAnimationFrame(rise)
    // Another screen or sheet may open, and the form may change.
    const changes = new MutationObserver(rise)
    changes.observe(document.body, { childList: true, subtree: true })
    const stop = new AbortController()
    for (const type of ['scroll', 'resize', 'animationend'])
      window.addEventListener(type, rise, { passive: true, signal: stop.signal })
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      stop.abort()
      document.documentElement.style.removeProperty('--toast-rise')
    }
  }, [toasts])
}
