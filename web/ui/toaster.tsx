import { useLingui } from '@lingui/react/macro'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Toaster as Base, toast, useSonner } from 'sonner'
import { showToasts } from '#web/lib/toast.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { useTheme } from '#web/ui/theme.ts'

/** Where toasts appear; Alt+T goes to them, a swipe to the right sends one away. */
export function Toaster() {
  const { t } = useLingui()
  const [theme] = useTheme()
  // Its own effects run first: by now it listens.
  useEffect(() => showToasts(toast), [])
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

const GAP_PX = 12

/** How far a refusal rises above its place so that it lies beside the button of a form and not on it. */
function riseNow(risenPx: number): number {
  const toaster = document.querySelector('[data-sonner-toaster]')
  const front = toaster?.querySelector<HTMLElement>('[data-front="true"][data-type="error"]')
  const button = document.querySelector('[data-screen="current"] form button[type="submit"]')
  if (!toaster || !front || !button) return 0
  const bottom = toaster.getBoundingClientRect().bottom + risenPx
  const { top, bottom: end } = button.getBoundingClientRect()
  return top < bottom && end > bottom - front.offsetHeight ? bottom - top + GAP_PX : 0
}

/** Keeps what a form is sent with in reach while a refusal is there: on a phone both stand at the bottom (web/styles.css). */
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
    // Another screen may come, or the form may change.
    const changes = new MutationObserver(rise)
    changes.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('scroll', rise, { passive: true })
    window.addEventListener('resize', rise)
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      window.removeEventListener('scroll', rise)
      window.removeEventListener('resize', rise)
      document.documentElement.style.removeProperty('--toast-rise')
    }
  }, [toasts])
}
