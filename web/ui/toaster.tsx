import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Base, toast, useSonner } from 'sonner'
import { showToasts } from '#web/lib/toast.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useTheme } from '#web/ui/theme.ts'

/** Where toasts appear; Alt+T or F8 goes to them, a swipe to the right sends one away. */
export function Toaster() {
  const { t } = useLingui()
  const [theme] = useTheme()
  // Its own effects run first: by now it listens.
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
      // Above the tab bar, where there is one.
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

/** The toast library knows one key to its toasts; this is the other. */
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

/** What the front toast must not lie on: what an open sheet is answered with; else, for a refusal, what its form is sent with. */
function buttonsUnder(front: HTMLElement): Element[] {
  const sheet = document.querySelector(OPEN_SHEET)
  if (sheet) return [...sheet.querySelectorAll('[data-footer], [type="submit"], .bg-primary, .bg-danger')]
  if (front.dataset['type'] !== 'error') return []
  return [...document.querySelectorAll('[data-screen="current"] form button[type="submit"]')].slice(0, 1)
}

/** How far the toasts rise above their place so that they lie beside such a button and not on it. */
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

/** Keeps what a sheet or a form is answered with in reach while something is said (web/styles.css). */
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
    // Another screen or a sheet may come, and the form may change.
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
