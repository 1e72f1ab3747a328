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

const GAP_PX = 12

const OPEN_SHEET = '.sheet-panel[data-state="open"]'

/**
 * Returns the buttons that the front toast must not cover: those of an open sheet or, for a refusal, the submit button of its
 * form.
 */
function buttonsUnder(front: HTMLElement): Element[] {
  const sheet = document.querySelector(OPEN_SHEET)
  if (sheet) return [...sheet.querySelectorAll('[data-footer], [type="submit"], .bg-primary, .bg-danger')]
  if (front.dataset['type'] !== 'error') return []
  return [...document.querySelectorAll('[data-screen="current"] form button[type="submit"]')].slice(0, 1)
}

/** Returns the distance that the toasts must rise so that they do not cover one of these buttons (`buttonsUnder`). */
function riseNow(risenPx: number): number {
  const toaster = document.querySelector('[data-sonner-toaster]')
  const front = toaster?.querySelector<HTMLElement>('[data-front="true"]')
  if (!toaster || !front) return 0
  const place = toaster.getBoundingClientRect().bottom + risenPx
  const { left, right } = front.getBoundingClientRect()
  const fromBelow = buttonsUnder(front)
    .map((button) => button.getBoundingClientRect())
    .filter((button) => button.left < right && button.right > left)
    .toSorted((a, b) => b.bottom - a.bottom)
  let bottom = place
  for (const button of fromBelow)
    if (button.top - GAP_PX < bottom && button.bottom > bottom - front.offsetHeight) bottom = button.top - GAP_PX
  return place - bottom
}

/** Keeps the buttons of a sheet or a form reachable while a toast is shown (web/styles.css). */
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
