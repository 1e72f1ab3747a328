import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
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
 * Lets a toast end that appears under a resting pointer. The library keeps toasts while the pointer is over one, and would keep
 * this one until the pointer moves away. Toasts to which the customer moved the pointer or the focus are still kept, also when
 * another toast moves under the pointer.
 */
function useRestingPointer(): void {
  useEffect(() => {
    const toasterOf = ({ target }: MouseEvent) =>
      target instanceof Element ? target.closest('[data-sonner-toaster]') : null
    let movedOn: Element | null = null
    const note = (event: MouseEvent) => {
      movedOn = toasterOf(event)
    }
    const release = (event: MouseEvent) => {
      const toaster = toasterOf(event)
      if (!toaster || toaster === movedOn || toaster.contains(document.activeElement)) return
      // The library takes this for a pointer that leaves. A pointer on its way to the toast sends `mousemove` next, and the
      // library then keeps the toast.
      toaster.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }))
    }
    const stop = new AbortController()
    window.addEventListener('mousemove', note, { passive: true, signal: stop.signal })
    window.addEventListener('mouseover', release, { passive: true, signal: stop.signal })
    return () => stop.abort()
  }, [])
}

const GAP_PX = 12

const OPEN_SHEET = '.sheet-panel[data-state="open"]'
const CONTROLS = '[data-footer], button, a, input, select, textarea, summary'
const MAIN_CONTROLS = '[data-footer], [type="submit"], .bg-primary, .bg-danger'

/** What a place costs the customer: for each control that a toast covers there, and for a place in the upper half. */
const COST = { mainControl: 1000, upperHalf: 100, control: 1 }

type Control = { box: DOMRect; cost: number }

/** Returns the controls that the front toast should not cover: those of the open sheet or, for a refusal, its form's button. */
function controlsNear(front: HTMLElement): Control[] {
  const withCost = (elements: Iterable<Element>): Control[] =>
    [...elements].map((element) => ({
      box: element.getBoundingClientRect(),
      cost: element.matches(MAIN_CONTROLS) ? COST.mainControl : COST.control,
    }))
  // A sheet that is opened over another one is the last in the document.
  const sheet = [...document.querySelectorAll(OPEN_SHEET)].at(-1)
  if (sheet) return withCost(sheet.querySelectorAll(CONTROLS))
  if (front.dataset['type'] !== 'error') return []
  return withCost([...document.querySelectorAll('[data-screen="current"] form button[type="submit"]')].slice(0, 1))
}

/**
 * Returns the distance that the toasts must rise. The front toast takes the lowest of the places that cost least (`COST`): its
 * usual place, and the places right above a control.
 */
function riseNow(risenPx: number): number {
  const toaster = document.querySelector('[data-sonner-toaster]')
  const front = toaster?.querySelector<HTMLElement>('[data-front="true"]')
  if (!toaster || !front) return 0
  const { offsetHeight: height } = front
  const { left, right } = front.getBoundingClientRect()
  const usualBottom = toaster.getBoundingClientRect().bottom + risenPx
  const controls = controlsNear(front).filter(({ box }) => box.left < right && box.right > left)
  const costAt = (bottom: number): number =>
    controls
      .filter(({ box }) => box.top - GAP_PX < bottom && box.bottom > bottom - height)
      .reduce((sum, { cost }) => sum + cost, bottom - height > innerHeight / 2 ? 0 : COST.upperHalf)
  const bottoms = controls
    .map(({ box }) => box.top - GAP_PX)
    .filter((bottom) => bottom < usualBottom && bottom > height)
    .toSorted((a, b) => b - a)
  const best = bottoms.reduce((found, bottom) => (costAt(bottom) < costAt(found) ? bottom : found), usualBottom)
  return usualBottom - best
}

/** Keeps the controls of a sheet or a form reachable while a toast is shown (web/styles.css). */
function useRise(): void {
  const { toasts } = useSonner()
  // The distance outlives the list of toasts. A dismissed toast leaves the list first and the screen later, and it must not move
  // in between.
  const risenPx = useRef(0)
  useEffect(() => {
    if (toasts.length === 0) return undefined
    const rise = () => {
      risenPx.current = riseNow(risenPx.current)
      document.documentElement.style.setProperty('--toast-rise', `${risenPx.current}px`)
    }
    const frame = requestAnimationFrame(rise)
    // Another screen or sheet may open, and the form may change.
    const changes = new MutationObserver(rise)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open', 'hidden'] })
    const stop = new AbortController()
    // A sheet scrolls its own content, and such an event does not bubble.
    for (const type of ['scroll', 'resize', 'animationend'])
      window.addEventListener(type, rise, { capture: true, passive: true, signal: stop.signal })
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      stop.abort()
    }
  }, [toasts])
}
